// Accepted file types of responses. No executables, and nothing that a browser shows as a page.

const contentChecks: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  pdf: startsWith('%PDF-'),
  png: startsWith('\x89PNG\r\n\x1a\n'),
  jpg: startsWith('\xff\xd8\xff'),
  jpeg: startsWith('\xff\xd8\xff'),
  gif: startsWith('GIF8'),
  webp: (bytes) => startsWith('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WEBP',
  heic: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp',
  docx: isZip,
  xlsx: isZip,
  pptx: isZip,
  odt: isZip,
  ods: isZip,
  odp: isZip,
  zip: isZip,
  doc: isOldOffice,
  xls: isOldOffice,
  ppt: isOldOffice,
  rtf: startsWith('{\\rtf'),
  txt: isText,
  md: isText,
  log: isText,
  csv: isText,
  tsv: isText,
  json: isText,
  ics: isText,
  vcf: isText,
  mp3: (bytes) => startsWith('ID3')(bytes) || (bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0),
  wav: (bytes) => startsWith('RIFF')(bytes) && bytes.toString('latin1', 8, 12) === 'WAVE',
  m4a: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp',
  mp4: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp',
  mov: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp',
  webm: startsWith('\x1a\x45\xdf\xa3'),
}

function startsWith(text: string): (bytes: Buffer) => boolean {
  return (bytes) => bytes.toString('latin1', 0, text.length) === text
}

function isZip(bytes: Buffer): boolean {
  return startsWith('PK\x03\x04')(bytes) || startsWith('PK\x05\x06')(bytes)
}

function isOldOffice(bytes: Buffer): boolean {
  return startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')(bytes)
}

function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, 65_536).includes(0)
}

export const acceptedTypeNames =
  'PDF, pictures (PNG, JPEG, GIF, WebP, HEIC), office documents, text and CSV, ZIP, audio and video (MP3, WAV, MP4, WebM, MOV)'

/** File extensions for a browser's file chooser. */
export const acceptedExtensions = Object.keys(contentChecks)
  .map((name) => `.${name}`)
  .join(',')

/** Whether a file is accepted with a response: its extension is allowed, and its content starts accordingly. */
export function isAcceptedFile(name: string, bytes: Buffer): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(contentChecks, extension) && contentChecks[extension]!(bytes)
}
