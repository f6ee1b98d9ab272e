/** Storage key of a file's unsaved text in this browser. */
export const draftOfFile = (fileId: string): string => `file text ${fileId}`
