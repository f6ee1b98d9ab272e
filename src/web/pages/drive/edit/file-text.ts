// The text of a file for editing: with plain line endings, plus its original byte format.

/** Maximum file size for editing in the browser, in bytes. */
export const maxEdited = 300_000

const bom = '\ufeff'

export interface FileText {
  text: string
  /** Line ending of the stored file. */
  ends: '\n' | '\r\n'
  hasBom: boolean
}

/** Why a content cannot be edited. */
export type Uneditable = 'tooLarge' | 'notText' | 'mixedEnds'

const textKinds =
  /^text\/(?!rtf)|^application\/(json|xml|yaml|x-yaml|x-ndjson|javascript|x-sh|sql|toml)$|\+(json|xml)$/

/** Why a file cannot be edited, according to its type and size; undefined if it may be. */
export function uneditable(file: { mime_type: string; size_bytes: number }) {
  if (!textKinds.test(file.mime_type)) return 'notText'
  return file.size_bytes > maxEdited ? 'tooLarge' : undefined
}

/** Decodes bytes as text. Content that a text field could not return byte for byte is not editable. */
export function decodeText(bytes: Uint8Array): FileText | Uneditable {
  if (bytes.length > maxEdited) return 'tooLarge'
  const whole = decodeUtf8(bytes)
  if (whole === undefined || whole.includes('\0')) return 'notText'
  const hasBom = whole.startsWith(bom)
  const text = hasBom ? whole.slice(1) : whole
  const hasWindowsEnds = text.includes('\r\n')
  const withoutThem = text.replaceAll('\r\n', '')
  if (withoutThem.includes('\r') || (hasWindowsEnds && withoutThem.includes('\n')))
    return 'mixedEnds'
  return { text: text.replaceAll('\r\n', '\n'), ends: hasWindowsEnds ? '\r\n' : '\n', hasBom }
}

/** A text for storage, with the file's line endings. */
export const storedText = (text: string, { ends, hasBom }: Omit<FileText, 'text'>): string =>
  (hasBom ? bom : '') + (ends === '\n' ? text : text.replaceAll('\n', ends))

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined // it is no UTF-8
  }
}
