// Small valid files in office formats, created for tests.

import { strToU8, zipSync } from 'fflate'

/** A PDF with one page per argument, each with its lines of text in Helvetica. */
export function pdfOf(...pages: string[][]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (const [i, lines] of pages.entries()) {
    const drawn = `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj 0 -16 Td`).join(' ')} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    )
  }
  return pdfFrom(objects.map((object) => Buffer.from(object, 'latin1')))
}

/** A PDF with these objects, the first of which is its catalog. */
export function pdfFrom(objects: readonly Uint8Array[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let length = parts[0]!.length
  const put = (bytes: Buffer) => (length += parts[parts.push(bytes) - 1]!.length)
  for (const [i, one] of objects.entries()) {
    places.push(length)
    put(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), one, Buffer.from('\nendobj\n')]))
  }
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  put(Buffer.from(table))
  return new Uint8Array(Buffer.concat(parts))
}

/** A Word document with this body content: `<w:p><w:r><w:t>text</w:t></w:r></w:p>`. */
export function docxOf(body: string, more: Record<string, Uint8Array> = {}): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...more,
  })
}

/** A workbook with sheets by name, each with rows of texts and numbers. */
export function xlsxOf(sheets: Record<string, (string | number)[][]>): Uint8Array {
  const names = Object.keys(sheets)
  const cell = (value: string | number, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return zipSync({
    'xl/workbook.xml': strToU8(
      `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${rels}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${rels}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        strToU8(
          `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${sheets[name]!.map((row, y) => `<row r="${y + 1}">${row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`,
        ),
      ]),
    ),
  })
}

/** A presentation with slides, each with its lines. */
export function pptxOf(...slides: string[][]): Uint8Array {
  return zipSync(
    Object.fromEntries(
      slides.map((lines, i) => [
        `ppt/slides/slide${i + 1}.xml`,
        strToU8(
          `<p:sld xmlns:a="a" xmlns:p="p">${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</p:sld>`,
        ),
      ]),
    ),
  )
}
