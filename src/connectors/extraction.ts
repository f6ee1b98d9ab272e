// Text extraction from files. Runs in the process of reading.ts; the libraries for each format are loaded on demand.

import { strFromU8 } from 'fflate'
import { docx, odf, pptx, xlsx } from './documents/office.ts'
import { pdf } from './documents/pdf.ts'
import { UnreadableFile, type FileText, decode, plainText } from './documents/text.ts'
import { type ExtractLimits, type ExtractedText, unreadableReason } from './extract-shapes.ts'
import { cleanText } from './mail/bodies.ts'
import { isTooLarge, markdownOf, stripTags } from './mail/html.ts'
import { parseMessage } from './mail/messages.ts'
import { mailLimits } from './mail/shapes.ts'

type Reader = (bytes: Uint8Array, limits: ExtractLimits) => Promise<FileText> | FileText

/** Reads a file by its detected content type, else by its declared type. */
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
  const reader = readerFor(bytes, mime.toLowerCase().split(';')[0]!.trim(), name.toLowerCase())
  if (!reader) return none(missingReaderReason(bytes, mime.toLowerCase(), name.toLowerCase()))
  try {
    const { text, pages, format = 'text', warnings = [] } = await reader(bytes, limits)
    const clean = cleanText(text)
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\n{4,}/g, '\n\n\n')
      .trim()
    if (clean === '')
      return {
        ...none(warnings[0] ?? 'It contains no text.'),
        ...(pages === undefined ? {} : { pages }),
      }
    const truncated =
      clean.length > limits.characters
        ? clean.slice(0, limits.characters).replace(/[\ud800-\udbff]$/, '')
        : clean
    if (truncated !== clean)
      warnings.push(
        `The text has ${clean.length} characters, of which the first ${limits.characters} are kept.`,
      )
    return {
      text: truncated,
      ...(pages === undefined ? {} : { pages }),
      kind: 'native',
      format,
      ...(truncated === clean ? {} : { cut: true as const }),
      warnings,
    }
  } catch (error) {
    if (error instanceof UnreadableFile) return none(error.message)
    return none(`It could not be read: ${extractionProblem(error)}.`)
  }
}

function extractionProblem(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  return error instanceof Error ? error.message.slice(0, 300) : 'it is damaged'
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
const textEndings =
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
    (textEndings.test(ending) ? 'text' : undefined)
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  // Files are sometimes mislabelled: an old .doc as docx, a web page as xls.
  if (kind === 'pdf' || (kind && /^(docx|xlsx|pptx|odf)$/.test(kind) && !isZip)) return undefined
  return kind === undefined ? undefined : readers[kind]
}

/** Why a file has no reader. */
function missingReaderReason(bytes: Uint8Array, mime: string, name: string): string {
  const isOle = Buffer.from(bytes.subarray(0, 8)).toString('hex') === 'd0cf11e0a1b11ae1'
  const old = isOle ? /\.(doc|xls|ppt)[xm]$/.exec(name)?.[1] : undefined
  return (
    unreadableReason(mime, old === undefined ? name : `old.${old}`) ??
    'Text cannot be extracted from files of this type.'
  )
}

const readers: Record<string, Reader> = {
  pdf,
  docx,
  xlsx,
  pptx,
  odf,
  html,
  message,
  text: plainText,
}

function html(bytes: Uint8Array): FileText {
  const source = decode(bytes)
  return { text: isTooLarge(source) ? stripTags(source) : markdownOf(source), format: 'markdown' }
}

async function message(bytes: Uint8Array, limits: ExtractLimits): Promise<FileText> {
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
