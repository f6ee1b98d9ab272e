const maxBytes = 255
// Control characters and direction overrides: `gpj.exe` must not read as `exe.jpg`.
const unwanted = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/**
 * A sanitized file name: no folder, no control and direction characters, no leading dots, at most 255 bytes; '' if
 * nothing is left.
 */
export function sanitizeFileName(text: string): string {
  const lastSegment = text.replaceAll(unwanted, '').split(/[/\\]/).at(-1)!
  return shortenFileName(lastSegment.trim().replace(/^[.\s]+/, ''))
}

/** Truncates before the extension, so that the type remains recognizable. */
function shortenFileName(name: string): string {
  return withTail(name, extensionOf(name))
}

/** `report (2).pdf`: the number precedes the extension, and a long name is shortened for it. */
export function numberedName(name: string, n: number): string {
  return withTail(name, ` (${n})${extensionOf(name)}`)
}

const extensionOf = (name: string) => /\.[^.\s]{1,16}$/.exec(name)?.[0] ?? ''

/** A name with a new tail, its stem cut to the remaining bytes. */
function withTail(name: string, tail: string): string {
  let stem = name.slice(0, name.length - extensionOf(name).length)
  if (Buffer.byteLength(stem + tail) > maxBytes) {
    const characters = [...stem]
    while (Buffer.byteLength(characters.join('') + tail) > maxBytes) characters.pop()
    stem = characters.join('')
  }
  return stem + tail
}

const mimeTypes: Record<string, string> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  heic: 'image/heic',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
}

/** The media type for a file extension. */
export function mimeTypeOf(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(mimeTypes, extension) ? mimeTypes[extension]! : 'application/octet-stream'
}
