import { chunks } from '../../../kernel/chunks.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { CountryCode } from 'libphonenumber-js'
import { LeftOutCounter, leftOutText, unknownColumn } from '../../../kernel/left-out.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import {
  contactColumns,
  contactHeaderScore,
  hasIdentity,
  rawRecordsOf,
  type Columns,
} from './columns.ts'
import { parseCsvTable, linesAboveHeader, type CsvRecord } from '../../../sandbox/csv.ts'
import { draftsOf, type ContactDraft, type DraftResult } from './drafts.ts'
import { newReport, type ContactImportReport } from './results.ts'
import { detectAndDecode } from '../../../kernel/text/encoding.ts'
import { parseVcards } from './vcards.ts'

export type Format = 'csv' | 'vcard'
const maxRecords = 50_000

/** Parsed contents of a file, with the settings that it was read with. */
interface ParsedFile extends DraftResult {
  format: Format
  records: number
  delimiter?: string
  columns?: { column: string; field: string | null }[]
}

interface ReadingOptions {
  format: Format | undefined
  mapping: Readonly<Record<string, string | null>>
  country: CountryCode | undefined
}

/** Reads a CSV or vCard text. @throws Refusal if it is neither, has no or too many records, or the mapping does not fit */
function parseImport(
  text: string,
  { format = formatOf(text), mapping, country }: ReadingOptions,
): ParsedFile {
  return format === 'vcard' ? readVcards(text, mapping, country) : readCsv(text, mapping, country)
}

function formatOf(text: string): Format {
  return /^\ufeff?\s*BEGIN:VCARD/i.test(text) ? 'vcard' : 'csv'
}

function readVcards(
  text: string,
  mapping: ReadingOptions['mapping'],
  country: CountryCode | undefined,
): ParsedFile {
  if (Object.keys(mapping).length > 0) throw invalid('mapping', 'a vCard has no columns to map.')
  const leftOut = new LeftOutCounter()
  const { raws, refused } = parseVcards(text, leftOut)
  const records = raws.length + refused.length
  requireAny(
    records,
    'The file contains no vCards: each must start with BEGIN:VCARD and end with END:VCARD.',
  )
  const read = draftsOf(raws, country)
  return {
    ...read,
    left_out: leftOut.kinds,
    warnings: [...leftOut.kinds.map(leftOutText), ...read.warnings],
    refused: [...refused, ...read.refused].sort((a, b) => a.line - b.line),
    format: 'vcard',
    records,
  }
}

function readCsv(
  text: string,
  mapping: ReadingOptions['mapping'],
  country: CountryCode | undefined,
): ParsedFile {
  const table = parseCsvTable(text, maxRecords, contactHeaderScore(mapping))
  const { header, records, delimiter } = table
  if (!header || records.length === 0)
    throw invalid(
      'content',
      'The file contains no records: one line of a CSV file names the columns, the lines below it are records.',
    )
  const columns = contactColumns(header.cells, mapping)
  requireIdentity(header, columns)
  const leftOut = new LeftOutCounter()
  const read = draftsOf(rawRecordsOf(records, header.cells, columns, leftOut), country)
  const unused = header.cells.filter(
    (name, i) => columns[i] === undefined && name !== '' && !Object.hasOwn(mapping, name),
  )
  const hint =
    unused.length > 0
      ? [
          `Not imported: ${unused.map((name) => JSON.stringify(name)).join(', ')}. To import a column, map it to a field or to custom_fields.<name>.`,
        ]
      : []
  const duplicateColumns = leftOut.kinds.map(leftOutText)
  for (const [i, name] of header.cells.entries())
    if (columns[i] === undefined)
      for (const { line, cells } of records) if (cells[i]) leftOut.add(unknownColumn(name), line)
  return {
    ...read,
    warnings: [...linesAboveHeader(table), ...hint, ...duplicateColumns, ...read.warnings],
    left_out: leftOut.kinds,
    format: 'csv',
    records: records.length,
    delimiter,
    columns: header.cells.map((column, i) => ({ column, field: columns[i] ?? null })),
  }
}

/** Maximum number of rows imported within the call; larger imports run as a job. */
export const maxRowsAtOnce = 500
/** Contacts that a reader process hands over at a time. */
const batchSize = 500

/** Details of a file besides its contacts. */
export interface ReadSummary
  extends Omit<ParsedFile, 'drafts' | 'refused' | 'warnings' | 'left_out'> {
  summary: ContactImportReport
  /** Encoding of the file; absent if it was passed as text. */
  encoding?: string
  /** Number of contacts to import. */
  total: number
}

export interface ImportInput extends ReadingOptions {
  bytes: Uint8Array
  /** Whether the bytes are those of a text passed as an argument. */
  isText: boolean
}

/** Reads a file: its details and the first contacts. Runs in a reader process. */
export function summaryOf({
  bytes,
  isText,
  ...options
}: ImportInput): ReadSummary & { drafts: ContactDraft[] } {
  const { text, encoding } = isText
    ? { text: new TextDecoder().decode(bytes) }
    : detectAndDecode(bytes)
  const { drafts, refused, warnings, left_out, ...fileDetails } = parseImport(text, options)
  const columns = fileDetails.columns?.map(({ column, field }) => ({
    column: column.slice(0, 300),
    field,
  }))
  return omitNullish({
    ...fileDetails,
    columns,
    encoding,
    summary: newReport(fileDetails.records, refused, warnings, left_out),
    total: drafts.length,
    drafts: drafts.slice(0, maxRowsAtOnce),
  })
}

/** The contacts of a file that `summaryOf` has already accepted, in batches. Runs in a reader process. */
export async function* contactBatches({
  bytes,
  ...options
}: Omit<ImportInput, 'isText'>): AsyncGenerator<ContactDraft[], void> {
  const { drafts } = parseImport(new TextDecoder().decode(bytes), options)
  for (const batch of chunks(drafts, batchSize)) yield batch
}

function requireAny(records: number, message: string): void {
  if (records === 0) throw invalid('content', message)
  if (records > maxRecords)
    throw new Refusal(
      'too_large',
      `The file has ${records} records; the maximum per import is ${maxRecords}.`,
      'Import it in parts.',
    )
}

function requireIdentity({ line, cells }: CsvRecord, columns: Columns): void {
  if (hasIdentity(columns)) return
  throw invalid(
    'mapping',
    `no column contains a name or an email address; line ${line} was read as the header.`,
    `The columns are ${cells.map((name) => JSON.stringify(name)).join(', ')}. Map one: {"${cells[0] ?? 'column'}": "name"}.`,
  )
}
