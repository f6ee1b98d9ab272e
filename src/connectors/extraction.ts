// The text of files. Runs in the thread of reading.ts; what reads each format is loaded when a file of it comes.

import { strFromU8, strToU8, unzipSync, zipSync, type Unzipped } from 'fflate'
import { unreadableKind, type ExtractedText, type ExtractLimits } from './extract-shapes.ts'
import { cleaned } from './mail/bodies.ts'
import { isTooMuch, markdownOf, strippedOf } from './mail/html.ts'
import { parseMessage } from './mail/messages.ts'
import { mailLimits } from './mail/shapes.ts'
import { withLinearMath } from './word-math.ts'

type Reader = (bytes: Uint8Array, limits: ExtractLimits) => Promise<ReadText> | ReadText
interface ReadText {
  text: string
  pages?: number
  format?: 'text' | 'markdown'
  warnings?: string[]
}

/** Why there is no text, in words for whom it concerns. */
class NoText extends Error {
  override name = 'NoText'
}

/** Reads a file as what its content is, else as what it is said to be. */
export async function extractText(
  bytes: Uint8Array,
  mime: string,
  name: string,
  limits: ExtractLimits,
): Promise<ExtractedText> {
  const none = (why: string): ExtractedText => ({
    text: '',
    kind: 'none',
    format: 'text',
    warnings: [why],
  })
  const read = readerFor(bytes, mime.toLowerCase().split(';')[0]!.trim(), name.toLowerCase())
  if (!read) return none(unreadable(bytes, mime.toLowerCase(), name.toLowerCase()))
  try {
    const { text, pages, format = 'text', warnings = [] } = await read(bytes, limits)
    const clean = cleaned(text)
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{4,}/g, '\n\n\n')
      .trim()
    if (clean === '')
      return {
        ...none(warnings[0] ?? 'It contains no text.'),
        ...(pages === undefined ? {} : { pages }),
      }
    const kept =
      clean.length > limits.characters
        ? clean.slice(0, limits.characters).replace(/[\ud800-\udbff]$/, '')
        : clean
    if (kept !== clean)
      warnings.push(
        `The text has ${clean.length} characters, of which the first ${limits.characters} are kept.`,
      )
    return {
      text: kept,
      ...(pages === undefined ? {} : { pages }),
      kind: 'native',
      format,
      ...(kept === clean ? {} : { cut: true as const }),
      warnings,
    }
  } catch (error) {
    if (error instanceof NoText) return none(error.message)
    return none(
      `It could not be read: ${error instanceof RangeError ? 'it is nested too deeply' : error instanceof Error ? error.message.slice(0, 300) : 'it is damaged'}.`,
    )
  }
}

const byEnding: Record<string, string> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  odt: 'odf',
  ods: 'odf',
  odp: 'odf',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  eml: 'message',
}
const texts =
  /^(txt|text|md|markdown|csv|tsv|json|jsonl|xml|yaml|yml|toml|ini|log|ics|vcf|sql|diff|patch|js|mjs|ts|tsx|jsx|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|css|scss|svg|tex|rst|adoc|org|env|conf|cfg|properties|gradle|swift|lua|pl|r|proto|graphql|vue)$/
const byType: [RegExp, string][] = [
  [/^application\/(x-)?pdf$/, 'pdf'],
  [/wordprocessingml/, 'docx'],
  [/spreadsheetml/, 'xlsx'],
  [/presentationml/, 'pptx'],
  [/opendocument\.(text|spreadsheet|presentation)/, 'odf'],
  [/^(text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^message\/(rfc822|global)$/, 'message'],
  [
    /^text\/|^message\/|^application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|sql|x-sh|toml|csv|ics)$/,
    'text',
  ],
]

function readerFor(bytes: Uint8Array, mime: string, name: string): Reader | undefined {
  if (strFromU8(bytes.subarray(0, 1024), true).includes('%PDF-')) return readers.pdf
  const ending = /\.([a-z0-9]{1,12})$/.exec(name)?.[1] ?? ''
  const kind =
    byType.find(([type]) => type.test(mime))?.[1] ??
    byEnding[ending] ??
    (texts.test(ending) ? 'text' : undefined)
  const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b
  // Files are sent as what they are not: an old .doc as docx, a web page as xls.
  if (kind === 'pdf' || (kind && /^(docx|xlsx|pptx|odf)$/.test(kind) && !zipped)) return undefined
  return kind === undefined ? undefined : readers[kind]
}

/** Why a file has no reader. */
function unreadable(bytes: Uint8Array, mime: string, name: string): string {
  const isOle = Buffer.from(bytes.subarray(0, 8)).toString('hex') === 'd0cf11e0a1b11ae1'
  const old = isOle ? /\.(doc|xls|ppt)[xm]$/.exec(name)?.[1] : undefined
  return (
    unreadableKind(mime, old === undefined ? name : `old.${old}`) ??
    'Text cannot be extracted from files of this type.'
  )
}

const readers: Record<string, Reader> = { pdf, docx, xlsx, pptx, odf, html, message, text }

async function pdf(bytes: Uint8Array, limits: ExtractLimits): Promise<ReadText> {
  const { getDocumentProxy } = await import('unpdf')
  const hasImages = /\/Subtype\s*\/Image\b/.test(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  )
  const seenFields = new Set<string>()
  const document = await getDocumentProxy(bytes, {
    isEvalSupported: false,
    disableFontFace: true,
    maxImageSize: 1,
    verbosity: 0,
    useSystemFonts: false,
  } as never).catch((error: Error) => {
    throw error.name === 'PasswordException' ? new NoText('It is password-protected.') : error
  })
  const pages = document.numPages
  const read = Math.min(pages, limits.pages)
  const warnings: string[] = []
  const found: string[] = []
  let length = 0
  for (let i = 1; i <= read && length <= limits.characters; i++) {
    const text = await pageOf(document, i, seenFields).catch(() => undefined)
    if (text === undefined) warnings.push(`Page ${i} could not be read.`)
    found.push(text ?? '')
    length += text?.length ?? 0
  }
  if (found.length < pages) {
    warnings.unshift(`It has ${pages} pages, of which the first ${found.length} were read.`)
  }
  if (length === 0 || found.every((name) => name.trim() === ''))
    warnings.unshift(hasImages ? 'It is a scanned image without text.' : 'It contains no text.')
  return { text: found.join('\n\n'), pages, warnings: warnings.slice(0, 20) }
}

async function pageOf(
  document: Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>,
  number: number,
  seenFields: Set<string>,
): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const widgets = (await page.getAnnotations().catch(() => [])) as FormWidget[]
  page.cleanup()
  const text = items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('')
  const values = widgets.flatMap((widget) => fieldLine(widget, seenFields))
  return [text, ...values].filter((value) => value !== '').join('\n')
}

/** A field of a form, as the library describes it. */
interface FormWidget {
  subtype?: string
  fieldType?: string
  fieldName?: string
  alternativeText?: string
  fieldValue?: string | string[] | null
  password?: boolean
  checkBox?: boolean
  radioButton?: boolean
  options?: { exportValue?: string; displayValue?: string }[]
}

/** `Name: value` of a form field that has a value. A field may be shown in several places; it is told once. */
function fieldLine(widget: FormWidget, seen: Set<string>): string[] {
  const {
    subtype,
    fieldType,
    fieldName = '',
    alternativeText,
    fieldValue,
    password,
    options = [],
  } = widget
  if (subtype !== 'Widget' || fieldType === 'Sig' || password || seen.has(fieldName)) return []
  const raw = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    (item) => typeof item === 'string' && item.trim() !== '',
  ) as string[]
  if (raw.length === 0 || ((widget.checkBox || widget.radioButton) && raw[0] === 'Off')) return []
  if (fieldType === 'Btn' && !widget.checkBox && !widget.radioButton) return []
  if (fieldName !== '') seen.add(fieldName)
  const values = raw.map(
    (item) => options.find((option) => option.exportValue === item)?.displayValue ?? item,
  )
  const name = (alternativeText || fieldName).trim()
  return [name === '' ? values.join(', ') : `${name}: ${values.join(', ')}`]
}

async function docx(bytes: Uint8Array): Promise<ReadText> {
  const parts = unzipped(bytes, (name) => !/^word\/(media|fonts|embeddings|theme)\//.test(name))
  if (!parts['word/document.xml'] && !parts['[Content_Types].xml'])
    throw new NoText('It is not a Word document.')
  for (const name of Object.keys(parts)) {
    if (!/^word\/(?:document|footnotes|endnotes|comments)\.xml$/.test(name)) continue
    const xml = strFromU8(parts[name]!)
    if (xml.includes('<m:oMath')) parts[name] = strToU8(withLinearMath(xml))
  }
  const { default: mammoth } = await import('mammoth')
  // Packed again without pictures, so that nothing larger than what was let through comes out of it.
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  const text = isTooMuch(value) ? strippedOf(value) : markdownOf(value)
  const comments = parts['word/comments.xml']
    ? commentsOf(strFromU8(parts['word/comments.xml']))
    : []
  return {
    text: comments.length === 0 ? text : `${text.trim()}\n\n## Comments\n\n${comments.join('\n')}`,
    format: 'markdown',
  }
}

/** The comments of a Word document with their authors, one list item each. */
function commentsOf(xml: string): string[] {
  return xml
    .split(/<w:comment(?=\s)/)
    .slice(1)
    .flatMap((part) => {
      const tagEnd = part.indexOf('>')
      const author = decoded(/\sw:author="([^"]*)"/.exec(part.slice(0, tagEnd))?.[1] ?? '').trim()
      const text = part
        .slice(tagEnd + 1)
        .split('</w:p>')
        .map((paragraph) =>
          [...paragraph.matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)|<w:(?:tab|br|cr)\b/g)]
            .map(([, words]) => (words === undefined ? ' ' : decoded(words)))
            .join('')
            .trim(),
        )
        .filter((line) => line !== '')
        .join(' ')
      return text === '' ? [] : [`- ${author === '' ? '' : `${author}: `}${text}`]
    })
}

async function xlsx(bytes: Uint8Array, limits: ExtractLimits): Promise<ReadText> {
  const parts = unzipped(
    bytes,
    (name) => /\.(xml|rels)$/i.test(name) && !/^xl\/(drawings|charts|theme)\//.test(name),
  )
  const { default: readSheets } = await import('read-excel-file/universal')
  const packed = zipSync(parts, { level: 0 })
  const sheets = await readSheets(
    packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as ArrayBuffer,
  )
  let text = ''
  for (const { sheet, data } of sheets) {
    text += `${text === '' ? '' : '\n\n'}# ${sheet}\n\n`
    for (const row of data as unknown as unknown[][]) {
      const cells = row.map(cellOf)
      while (cells.at(-1) === '') cells.pop()
      if (cells.length > 0) text += `${cells.join('\t')}\n`
      if (text.length > limits.characters) return { text, pages: sheets.length }
    }
  }
  return { text, pages: sheets.length }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date)
    return Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .replace(/T00:00:00\.000Z$/, '')
          .replace(/\.000Z$/, 'Z')
  return String(value).replaceAll(/[\t\n\r]+/g, ' ')
}

function pptx(bytes: Uint8Array, limits: ExtractLimits): ReadText {
  const parts = unzipped(bytes, (name) =>
    /^ppt\/(slides|notesSlides)\/[a-zA-Z]+\d+\.xml$/.test(name),
  )
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)![1])
  const slides = Object.keys(parts)
    .filter((name) => name.startsWith('ppt/slides/'))
    .sort((a, b) => number(a) - number(b))
  if (slides.length === 0) throw new NoText('It is not a presentation.')
  const paragraphs = (name: string) =>
    paragraphsOf(strFromU8(parts[name]!))
      .map((inside) =>
        [...inside.matchAll(/<a:t\b[^<>]*>([^<]*)<\/a:t>|<a:br\b/g)]
          .map(([, words]) => (words === undefined ? '\n' : decoded(words)))
          .join(''),
      )
      .filter((line) => line.trim() !== '')
  const text = slides.slice(0, limits.pages).map((name, i) => {
    const notes = `ppt/notesSlides/notesSlide${number(name)}.xml`
    const said = parts[notes] ? paragraphs(notes).filter((line) => !/^\d+$/.test(line)) : []
    return [
      `# ${i + 1}`,
      ...paragraphs(name),
      ...(said.length > 0 ? ['Notes:', ...said] : []),
    ].join('\n')
  })
  return { text: text.join('\n\n'), pages: slides.length }
}

/** What stands between the start and the end of each paragraph of a slide. */
function paragraphsOf(xml: string): string[] {
  return xml
    .split('</a:p>')
    .slice(0, -1)
    .flatMap((piece) => {
      const start = /<a:p(?:\s[^<>]*)?>/.exec(piece)
      return start ? [piece.slice(start.index + start[0].length)] : []
    })
}

function odf(bytes: Uint8Array): ReadText {
  const content = unzipped(bytes, (name) => name === 'content.xml')['content.xml']
  if (!content) throw new NoText('It is not an OpenDocument file.')
  const xml = strFromU8(content)
  const text = xml
    .slice(Math.max(0, xml.indexOf('<office:body')))
    .replaceAll(/<text:(tab|s)\b[^<>]*\/>/g, ' ')
    .replaceAll(/<text:line-break\b[^<>]*\/>|<\/text:(p|h)>/g, '\n')
    .replaceAll(/<\/table:table-cell>/g, '\t')
    .replaceAll(/\n\t/g, '\t')
    .replaceAll(/<[^<>]+>/g, '')
  return { text: decoded(text) }
}

function html(bytes: Uint8Array): ReadText {
  const source = decode(bytes)
  return { text: isTooMuch(source) ? strippedOf(source) : markdownOf(source), format: 'markdown' }
}

async function message(bytes: Uint8Array, limits: ExtractLimits): Promise<ReadText> {
  const read = await parseMessage(bytes, { ...mailLimits, characters: limits.characters })
  const people = (list: { name: string; address: string }[]) =>
    list
      .slice(0, 50)
      .map((item) => (item.name ? `${item.name} <${item.address}>` : item.address))
      .join(', ')
  const head = [
    ['From', people(read.from ? [read.from] : [])],
    ['To', people(read.to)],
    ['Cc', people(read.cc)],
    ['Date', read.date === undefined ? '' : new Date(read.date).toISOString()],
    ['Subject', read.subject],
    ['Attachments', read.attachments.map((attachment) => attachment.name).join(', ')],
  ]
  return {
    text: `${head
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}\n\n${read.body.markdown}`,
    format: 'markdown',
    warnings: read.warnings,
  }
}

function text(bytes: Uint8Array): ReadText {
  const sample = bytes.subarray(0, 8_000)
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!wide && sample.filter((byte) => byte === 0).length > 0)
    throw new NoText('It is not text, although it claims to be.')
  return { text: decode(bytes) }
}

/** Bytes as text: by their mark, as UTF-8 where they are that, and else as the West wrote before. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const said = /charset\s*=\s*["']?([\w-]{2,30})|encoding\s*=\s*["']([\w-]{2,30})/i.exec(
    strFromU8(bytes.subarray(0, 1_500), true),
  )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    try {
      return new TextDecoder(said?.[1] ?? said?.[2] ?? 'windows-1252').decode(bytes)
    } catch {
      return new TextDecoder('windows-1252').decode(bytes)
    }
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(xml: string): string {
  return xml.replaceAll(
    /&(amp|lt|gt|quot|apos|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (whole, name: string, decimal?: string, hex?: string) => {
      if (entities[name]) return entities[name]
      const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

const largestPart = 40 * 1024 * 1024
const largestTogether = 80 * 1024 * 1024
const mostParts = 5_000

/** Parts of a packed file, of which none and all together not are larger than anybody's document is: some are made to fill all memory. */
function unzipped(bytes: Uint8Array, wanted: (name: string) => boolean): Unzipped {
  let together = 0
  let parts = 0
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (++parts > mostParts) throw new NoText(`It has more than ${mostParts} parts.`)
      if (!wanted(name)) return false
      together += originalSize
      if (originalSize > largestPart || together > largestTogether)
        throw new NoText('It is too large once unpacked.')
      return true
    },
  })
}
