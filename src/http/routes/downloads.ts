import { streamBlob } from '../../files/blobs.ts'
import { respondWith, answerEmpty, type HeaderList } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Answer of an unlisted operation that returns a file: with its bytes, or with the hash of a file in the drive. */
export interface Download {
  name: string
  mime_type: string
  content_base64?: string
  sha256?: string
  size_bytes?: number
}

export function downloadIn(value: unknown): Download | undefined {
  return (value as { download?: Download } | null | undefined)?.download
}

export const sizeOf = ({ content_base64, size_bytes }: Download) =>
  content_base64?.length ?? size_bytes ?? 0

/** A file for saving, never displayed: no browser may run its content under this site's origin. */
export function answerDownload(
  incoming: Incoming,
  dataDir: string,
  { name, mime_type, content_base64, sha256, size_bytes }: Download,
): Response {
  const headers: HeaderList = [
    [
      'content-type',
      /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(mime_type) ? mime_type : 'application/octet-stream',
    ],
    ['content-disposition', disposition(name)],
    ['content-security-policy', "default-src 'none'; sandbox"],
    ['cache-control', 'private, no-store'],
  ]
  if (content_base64 !== undefined)
    return respondWith(incoming, 200, Buffer.from(content_base64, 'base64'), headers)
  return answerBlob(incoming, dataDir, { sha256: sha256!, size: size_bytes! }, headers)
}

/** Streams a whole content, or the single requested range (RFC 9110 §14), from the disk. */
function answerBlob(
  incoming: Incoming,
  dataDir: string,
  blob: { sha256: string; size: number },
  headers: HeaderList,
): Response {
  const etag = `"${blob.sha256.slice(0, 32)}"`
  const blobHeaders: HeaderList = [...headers, ['accept-ranges', 'bytes'], ['etag', etag]]
  const range = isCurrent(incoming.header('if-range'), etag)
    ? rangeIn(incoming.header('range'), blob.size)
    : undefined
  if (range === 'none')
    return answerEmpty(incoming, 416, [
      ['content-range', `bytes */${blob.size}`],
      ...blobHeaders.slice(1),
    ])
  const [from, to] = range ?? [0, blob.size - 1]
  const length: HeaderList = [
    ['content-length', String(to - from + 1)],
    ...(range ? ([['content-range', `bytes ${from}-${to}/${blob.size}`]] as const) : []),
  ]
  const body = incoming.method === 'HEAD' ? null : streamBlob(dataDir, blob, from, to)
  return respondWith(incoming, range ? 206 : 200, body, [...blobHeaders, ...length])
}

const isCurrent = (ifRange: string | undefined, etag: string) =>
  ifRange === undefined || ifRange.trim() === etag

/** First and last byte of a range; undefined if it is not a single byte range, which is answered in full. */
function rangeIn(header: string | undefined, size: number): [number, number] | 'none' | undefined {
  const [, first, last] =
    /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '')
    return last === '0' || size === 0 ? 'none' : [Math.max(0, size - Number(last)), size - 1]
  if (last !== '' && Number(last) < Number(first)) return undefined
  return Number(first) >= size
    ? 'none'
    : [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
}

/** RFC 6266: an ASCII name for old clients, and the full one in RFC 8187 encoding. */
function disposition(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const encodedName = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}
