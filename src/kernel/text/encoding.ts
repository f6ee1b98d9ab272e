/**
 * Decodes the bytes of an export: UTF-8 or UTF-16 by byte order mark or content, else windows-1252. Calendars and
 * vCards folded within a character are unfolded first.
 */
export function detectAndDecode(bytes: Uint8Array): { text: string; encoding: string } {
  const encoding = detectEncoding(bytes)
  const plain = encoding === 'windows-1252' ? unfoldLines(bytes) : undefined
  if (plain && isUtf8(plain)) return { text: new TextDecoder().decode(plain), encoding: 'utf-8' }
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function detectEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 400)
  const zeros = (odd: number) => start.filter((byte, i) => i % 2 === odd && byte === 0).length
  if (zeros(1) > start.length / 4) return 'utf-16le'
  if (zeros(0) > start.length / 4) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** The bytes without the line folding of iCalendar and vCard; undefined for other files. */
function unfoldLines(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  if (!/^(\xef\xbb\xbf)?\s{0,100}BEGIN:V/i.test(text)) return undefined
  return Buffer.from(text.replaceAll(/\r?\n[ \t]/g, ''), 'latin1')
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
