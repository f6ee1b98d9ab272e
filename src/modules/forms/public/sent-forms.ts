import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import type { OpenSent } from '../../../operations/public-pages.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { maxFileBytes, type SentFile } from '../responses/files.ts'

export interface SentForm {
  texts: Map<string, string[]>
  files: Map<string, SentFile[]>
}

const maxTextLength = 64 * 1024
const maxParts = 400

/**
 * Reads a submitted browser form.
 * @throws Refusal too_large, unsupported_media_type, invalid_argument
 */
export async function readSentForm(sent: OpenSent, takesFiles: boolean): Promise<SentForm> {
  const type = sent.contentType
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return readTexts(await sent.body(maxTextLength))
  if (takesFiles && /^multipart\/form-data\b/i.test(type))
    return readParts(await sent.body(maxFileBytes + 2 * maxTextLength), type)
  throw new Refusal('unsupported_media_type', 'Send the form as a browser does.')
}

function readTexts(body: Buffer): SentForm {
  const form: SentForm = { texts: new Map(), files: new Map() }
  const all = [...new URLSearchParams(body.toString('utf8'))]
  if (all.length > maxParts) throw tooManyParts()
  for (const [name, value] of all) push(form.texts, name, value)
  return form
}

async function readParts(body: Buffer, type: string): Promise<SentForm> {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(type)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined || countBoundaries(body, `--${delimiter}`) > maxParts)
    throw tooManyParts()
  const data = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refusal('invalid_argument', 'The form data could not be read.')
    })
  const form: SentForm = { texts: new Map(), files: new Map() }
  let size = 0
  for (const [name, value] of data) {
    if (typeof value === 'string') {
      size += Buffer.byteLength(value)
      push(form.texts, name, value)
    } else if (value.name !== '' || value.size > 0)
      push(form.files, name, {
        name: sanitizeFileName(value.name) || 'file',
        bytes: Buffer.from(await value.arrayBuffer()),
      })
  }
  if (size > maxTextLength) throw new Refusal('too_large', 'The texts are longer than 64 KiB.')
  return form
}

function push<T>(into: Map<string, T[]>, name: string, value: T): void {
  const entries = into.get(name)
  if (entries) entries.push(value)
  else into.set(name, [value])
}

function countBoundaries(body: Buffer, delimiter: string): number {
  let count = 0
  for (
    let at = body.indexOf(delimiter);
    at >= 0 && count <= maxParts;
    at = body.indexOf(delimiter, at + delimiter.length)
  )
    count++
  return count
}

function tooManyParts(): Refusal {
  return new Refusal('invalid_argument', 'The form data does not belong to this page.')
}
