/** The text of a file: UTF-8 or UTF-16, otherwise in the encoding of older spreadsheets. */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const byteOrderMark = `${bytes[0]} ${bytes[1]}`
  if (byteOrderMark === '255 254') return new TextDecoder('utf-16le').decode(bytes)
  if (byteOrderMark === '254 255') return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
