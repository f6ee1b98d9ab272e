import type { ExtractLimits } from '../extract-shapes.ts'
import { UnreadableFile, type FileText } from './text.ts'

export async function pdf(bytes: Uint8Array, limits: ExtractLimits): Promise<FileText> {
  const { getDocumentProxy } = await import('unpdf')
  const hasImages = /\/Subtype\s*\/Image\b/.test(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
  )
  const seenFields = new Set<string>()
  const document = await getDocumentProxy(bytes, {
    disableFontFace: true,
    maxImageSize: 1,
    verbosity: 0,
    useSystemFonts: false,
  }).catch((error: Error) => {
    throw error.name === 'PasswordException'
      ? new UnreadableFile('It is password-protected.')
      : error
  })
  const pages = document.numPages
  const pageLimit = Math.min(pages, limits.pages)
  const warnings: string[] = []
  const pageTexts: string[] = []
  let length = 0
  for (let i = 1; i <= pageLimit && length <= limits.characters; i++) {
    const text = await pdfPageText(document, i, seenFields).catch(() => undefined)
    if (text === undefined) warnings.push(`Page ${i} could not be read.`)
    pageTexts.push(text ?? '')
    length += text?.length ?? 0
  }
  if (pageTexts.length < pages) {
    warnings.unshift(`It has ${pages} pages, of which the first ${pageTexts.length} were read.`)
  }
  if (length === 0 || pageTexts.every((pageText) => pageText.trim() === ''))
    warnings.unshift(hasImages ? 'It is a scanned image without text.' : 'It contains no text.')
  return { text: pageTexts.join('\n\n'), pages, warnings: warnings.slice(0, 20) }
}

async function pdfPageText(
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

/** `Name: value` of a filled form field. A field may appear in several places but is listed once. */
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
