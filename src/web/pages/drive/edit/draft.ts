/** Under which name the text of a file that is being written is kept in this browser. */
export const draftOfFile = (fileId: string): string => `file text ${fileId}`
