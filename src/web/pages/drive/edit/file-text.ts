// The text of a file for editing: with plain line endings, plus its original byte format.

/** Maximum file size for editing in the browser, in bytes. */
export const maxEditableBytes = 300_000

const bom = '\ufeff'

export interface FileText {
  text: string
  /** Line ending of the stored file. */
  lineEnding: '\n' | '\r\n'
  hasBom: boolean
}

/** Why a content cannot be edited. */
export type Uneditable = 'tooLarge' | 'notText' | 'mixedEnds'

const editableTypes =
  /^text\/(?!rtf)|^application\/(json|xml|yaml|x-yaml|x-ndjson|javascript|x-sh|sql|toml)$|\+(json|xml)$/

/** Why a file cannot be edited, according to its type and size; undefined if it may be. */
export function uneditableReason(file: { mime_type: string; size_bytes: number }) {
  if (!editableTypes.test(file.mime_type)) return 'notText'
  return file.size_bytes > maxEditableBytes ? 'tooLarge' : undefined
}

/** Decodes bytes as text. Content that a text field could not return byte for byte is not editable. */
export function decodeText(bytes: Uint8Array): FileText | Uneditable {
  if (bytes.length > maxEditableBytes) return 'tooLarge'
  const decoded = decodeUtf8(bytes)
  if (decoded === undefined || decoded.includes('\0')) return 'notText'
  const hasBom = decoded.startsWith(bom)
  const text = hasBom ? decoded.slice(1) : decoded
  const hasWindowsEnds = text.includes('\r\n')
  const withoutCrlf = text.replaceAll('\r\n', '')
  if (withoutCrlf.includes('\r') || (hasWindowsEnds && withoutCrlf.includes('\n')))
    return 'mixedEnds'
  return { text: text.replaceAll('\r\n', '\n'), lineEnding: hasWindowsEnds ? '\r\n' : '\n', hasBom }
}

/** A text for storage, with the file's line endings. */
export const storedText = (text: string, { lineEnding, hasBom }: Omit<FileText, 'text'>): string =>
  (hasBom ? bom : '') + (lineEnding === '\n' ? text : text.replaceAll('\n', lineEnding))

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // not UTF-8
  }
}
