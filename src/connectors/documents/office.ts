import { type Unzipped, strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { ExtractLimits } from '../extract-shapes.ts'
import { isTooLarge, markdownOf, stripTags } from '../mail/html.ts'
import { withLinearMath } from '../word-math.ts'
import { UnreadableFile, type FileText } from './text.ts'

export async function docx(bytes: Uint8Array): Promise<FileText> {
  const parts = unzipLimited(bytes, (name) => !/^word\/(media|fonts|embeddings|theme)\//.test(name))
  if (!parts['word/document.xml'] && !parts['[Content_Types].xml'])
    throw new UnreadableFile('It is not a Word document.')
  for (const name of Object.keys(parts)) {
    if (!/^word\/(?:document|footnotes|endnotes|comments)\.xml$/.test(name)) continue
    const xml = strFromU8(parts[name]!)
    if (xml.includes('<m:oMath')) parts[name] = strToU8(withLinearMath(xml))
  }
  const { default: mammoth } = await import('mammoth')
  // Repacked without pictures, so that the total size stays within the checked limits.
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  const text = isTooLarge(value) ? stripTags(value) : markdownOf(value)
  const comments = parts['word/comments.xml']
    ? commentsOf(strFromU8(parts['word/comments.xml']))
    : []
  return {
    text: comments.length === 0 ? text : `${text.trim()}\n\n## Comments\n\n${comments.join('\n')}`,
    format: 'markdown',
  }
}

/** Comments of a Word document with their authors, one list item each. */
function commentsOf(xml: string): string[] {
  return xml
    .split(/<w:comment(?=\s)/)
    .slice(1)
    .flatMap((part) => {
      const tagEnd = part.indexOf('>')
      const author = decodeXmlEntities(
        /\sw:author="([^"]*)"/.exec(part.slice(0, tagEnd))?.[1] ?? '',
      ).trim()
      const text = part
        .slice(tagEnd + 1)
        .split('</w:p>')
        .map((paragraph) =>
          [...paragraph.matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)|<w:(?:tab|br|cr)\b/g)]
            .map(([, words]) => (words === undefined ? ' ' : decodeXmlEntities(words)))
            .join('')
            .trim(),
        )
        .filter((line) => line !== '')
        .join(' ')
      return text === '' ? [] : [`- ${author === '' ? '' : `${author}: `}${text}`]
    })
}

export async function xlsx(bytes: Uint8Array, limits: ExtractLimits): Promise<FileText> {
  const parts = unzipLimited(
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
    for (const row of data as unknown[][]) {
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

export function pptx(bytes: Uint8Array, limits: ExtractLimits): FileText {
  const parts = unzipLimited(bytes, (name) =>
    /^ppt\/(slides|notesSlides)\/[a-zA-Z]+\d+\.xml$/.test(name),
  )
  const slideNumber = (name: string) => Number(/(\d+)\.xml$/.exec(name)![1])
  const slides = Object.keys(parts)
    .filter((name) => name.startsWith('ppt/slides/'))
    .sort((a, b) => slideNumber(a) - slideNumber(b))
  if (slides.length === 0) throw new UnreadableFile('It is not a presentation.')
  const paragraphs = (name: string) =>
    paragraphsOf(strFromU8(parts[name]!))
      .map((inside) =>
        [...inside.matchAll(/<a:t\b[^<>]*>([^<]*)<\/a:t>|<a:br\b/g)]
          .map(([, words]) => (words === undefined ? '\n' : decodeXmlEntities(words)))
          .join(''),
      )
      .filter((line) => line.trim() !== '')
  const text = slides.slice(0, limits.pages).map((name, i) => {
    const notes = `ppt/notesSlides/notesSlide${slideNumber(name)}.xml`
    const noteLines = parts[notes] ? paragraphs(notes).filter((line) => !/^\d+$/.test(line)) : []
    return [
      `# ${i + 1}`,
      ...paragraphs(name),
      ...(noteLines.length > 0 ? ['Notes:', ...noteLines] : []),
    ].join('\n')
  })
  return { text: text.join('\n\n'), pages: slides.length }
}

/** XML between the start and the end of each paragraph of a slide. */
function paragraphsOf(xml: string): string[] {
  return xml
    .split('</a:p>')
    .slice(0, -1)
    .flatMap((piece) => {
      const start = /<a:p(?:\s[^<>]*)?>/.exec(piece)
      return start ? [piece.slice(start.index + start[0].length)] : []
    })
}

export function odf(bytes: Uint8Array): FileText {
  const content = unzipLimited(bytes, (name) => name === 'content.xml')['content.xml']
  if (!content) throw new UnreadableFile('It is not an OpenDocument file.')
  const xml = strFromU8(content)
  const text = xml
    .slice(Math.max(0, xml.indexOf('<office:body')))
    .replaceAll(/<text:(tab|s)\b[^<>]*\/>/g, ' ')
    .replaceAll(/<text:line-break\b[^<>]*\/>|<\/text:(p|h)>/g, '\n')
    .replaceAll(/<\/table:table-cell>/g, '\t')
    .replaceAll(/\n\t/g, '\t')
    .replaceAll(/<[^<>]+>/g, '')
  return { text: decodeXmlEntities(text) }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXmlEntities(xml: string): string {
  return xml.replaceAll(
    /&(amp|lt|gt|quot|apos|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (whole, name: string, decimal?: string, hex?: string) => {
      if (entities[name]) return entities[name]
      const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

const maxPartBytes = 40 * 1024 * 1024
const maxTotalBytes = 80 * 1024 * 1024
const maxParts = 5_000

/**
 * Entries of a zip file within size limits, each and in total, that exceed any real document: some files are made to
 * exhaust memory.
 */
function unzipLimited(bytes: Uint8Array, isNeeded: (name: string) => boolean): Unzipped {
  let totalBytes = 0
  let parts = 0
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (++parts > maxParts) throw new UnreadableFile(`It has more than ${maxParts} parts.`)
      if (!isNeeded(name)) return false
      totalBytes += originalSize
      if (originalSize > maxPartBytes || totalBytes > maxTotalBytes)
        throw new UnreadableFile('It is too large once unpacked.')
      return true
    },
  })
}
