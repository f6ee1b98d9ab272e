/** Storage key of a file's unsaved text in this browser. */
export const fileDraftKey = (fileId: string): string => `file text ${fileId}`
