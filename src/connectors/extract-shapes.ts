/** The text of a file. `kind` none: no readable text; `warnings` explain why, worded for a person. */
export interface ExtractedText {
  text: string
  /** Pages, slides or sheets. */
  pages?: number
  kind: 'native' | 'none'
  /** Format of the text: Markdown for DOCX, HTML and messages; otherwise plain. */
  format: 'text' | 'markdown'
  /** The text exceeded the limit and was cut. */
  cut?: true
  warnings: string[]
}

export interface ExtractLimits {
  /** Larger files are not read. */
  bytes: number
  /** Maximum characters kept. */
  characters: number
  pages: number
  /** Processor time, not wall time. */
  milliseconds: number
}

export const extractLimits: ExtractLimits = {
  bytes: 50 * 1024 * 1024,
  characters: 1_000_000,
  pages: 2_000,
  milliseconds: 30_000,
}

const oldOffice: [RegExp, string, string][] = [
  [/\.(?:doc|dot)$|msword/, 'Word', '.docx'],
  [/\.(?:xls|xlt)$|ms-?excel/, 'Excel', '.xlsx'],
  [/\.(?:ppt|pps|pot)$|ms-?powerpoint/, 'PowerPoint', '.pptx'],
]

/** Reason why files of this type and name are never read as text; undefined for all others. */
export function unreadableReason(mime: string, name: string): string | undefined {
  const [type, ending] = [mime.toLowerCase(), name.toLowerCase()]
  if (type.startsWith('image/') && !/svg/.test(type)) return 'It is an image without text.'
  const old =
    /openxmlformats|opendocument/.test(type) && !/^old\./.test(ending)
      ? undefined
      : oldOffice.find(([kind]) => kind.test(ending) || kind.test(type))
  if (old)
    return `Old ${old[1]} files (the format before ${old[2]}) are not supported. Save it as ${old[2]} or PDF.`
  if (/\.rtf$/.test(ending) || /\brtf\b/.test(type))
    return 'RTF files are not supported. Save it as .docx or PDF.'
  return undefined
}
