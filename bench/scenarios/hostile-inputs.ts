import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'

// Small inputs that expand to take much time or memory.

/** A PDF of about two kilobytes whose only page is compressed twice and unpacks to this many megabytes. */
export function packedPdf(megabytes: number): Buffer {
  const stream = deflateSync(deflateSync(Buffer.alloc(megabytes * 2 ** 20, ' '), { level: 9 }), {
    level: 9,
  })
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
    `<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${stream.toString('latin1')}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  return Buffer.from(
    `${text}xref\n0 5\n0000000000 65535 f \n${places.join('')}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  )
}

const spreadsheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** A workbook of two cells at opposite ends of the sheet. */
export function sparseWorkbook(): Buffer {
  const related = (id: string, to: string) =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/${id}" Target="${to}"/></Relationships>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': related('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${spreadsheets}" xmlns:r="${relationships}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${spreadsheets}"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>`,
  }
  return Buffer.from(
    zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
      { level: 9 },
    ),
  )
}

/** A zip with this many empty files. */
export function zipOfMany(files: number): Buffer {
  return Buffer.from(
    zipSync(
      Object.fromEntries(Array.from({ length: files }, (_, i) => [`a${i}.md`, new Uint8Array()])),
      { level: 0 },
    ),
  )
}

/** A zip of one file that unpacks to this many megabytes. */
export function zipOfOne(megabytes: number): Buffer {
  return Buffer.from(
    zipSync({ 'a.md': new Uint8Array(megabytes * 2 ** 20).fill(97) }, { level: 9 }),
  )
}

/** A contact list of one row with this many columns. */
export function wideCsv(columns: number): string {
  return `${Array.from({ length: columns }, (_, i) => `c${i % 1000}`).join(',')}\n${'x,'.repeat(columns)}\n`
}

export function longCsv(rows: number): string {
  return `name,email\n${Array.from({ length: rows }, (_, i) => `N ${i},a${i}@x.example\n`).join('')}`
}

export function calendarOf(events: number): string {
  const event = (i: number) =>
    `BEGIN:VEVENT\r\nUID:${i}@x\r\nDTSTAMP:20261101T000000Z\r\nDTSTART:20261120T090000Z\r\nSUMMARY:Event ${i}\r\nEND:VEVENT\r\n`
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${Array.from({ length: events }, (_, i) => event(i)).join('')}END:VCALENDAR\r\n`
}

/** A vCard file with this many cards. */
export function cardsOf(cards: number): string {
  return Array.from(
    { length: cards },
    (_, i) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:N ${i}\r\nEMAIL:a${i}@x.example\r\nEND:VCARD\r\n`,
  ).join('')
}
