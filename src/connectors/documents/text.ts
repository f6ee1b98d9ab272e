import { strFromU8 } from 'fflate'

export interface FileText {
  text: string
  pages?: number
  format?: 'text' | 'markdown'
  warnings?: string[]
}

/** Reason for missing text, worded for the person. */
export class UnreadableFile extends Error {
  override name = 'NoText'
}

export function plainText(bytes: Uint8Array): FileText {
  const sample = bytes.subarray(0, 8_000)
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!isUtf16 && sample.filter((byte) => byte === 0).length > 0)
    throw new UnreadableFile('It is not text, although it claims to be.')
  return { text: decode(bytes) }
}

/** Decodes bytes as text: by byte order mark, as UTF-8 if valid, otherwise in the legacy Western encoding. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declaredCharset = /charset\s*=\s*["']?([\w-]{2,30})|encoding\s*=\s*["']([\w-]{2,30})/i.exec(
    strFromU8(bytes.subarray(0, 1_500), true),
  )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    try {
      return new TextDecoder(declaredCharset?.[1] ?? declaredCharset?.[2] ?? 'windows-1252').decode(
        bytes,
      )
    } catch {
      return new TextDecoder('windows-1252').decode(bytes)
    }
  }
}
