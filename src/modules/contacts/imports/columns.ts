import { duplicateColumn, type LeftOutCounter } from '../../../kernel/left-out.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { CsvRecord } from '../../../sandbox/csv.ts'
import type { RawRecord } from './drafts.ts'
import { splitCell, unescapeFormula } from '../../../kernel/text/csv.ts'
import { nameKey } from '../contacts/names.ts'

const singleFields = [
  'name',
  'first_name',
  'middle_name',
  'last_name',
  'title',
  'company',
  'domain',
  'note',
] as const
const listFields = ['emails', 'phones', 'labels'] as const
export const importFields = [...singleFields, ...listFields] as const
type Single = (typeof singleFields)[number]
type List = (typeof listFields)[number]

/** The field of each column: one of the above, or `custom_fields.<name>`; a column with undefined is not imported. */
export type Columns = (string | undefined)[]

/** Usual column names, in lower case and without accents and numbers (`E-mail 2 - Value`). */
const columnPatterns: [RegExp, Single | List][] = [
  [/^(first|given) ?name$|^vorname$|^prenom$|^nombre$/, 'first_name'],
  [/^(middle|additional) ?names?$|^zweiter vorname$/, 'middle_name'],
  [
    /^(last|family|sur) ?name$|^nachname$|^familienname$|^nom( de famille)?$|^apellidos?$/,
    'last_name',
  ],
  [
    /^(full |display |contact )?name$|^contact$|^person$|^kontakt(name)?$|^ansprechpartner(in)?$|^nom complet$|^nombre completo$|^file as$/,
    'name',
  ],
  [
    /^(primary |main |work |home |other |business |personal )?(e ?mail)s?( address)?(es)?( value)?$|^mail$|^e ?mail adresse$|^courriel$|^correo( electronico)?$|^adresse e ?mail$/,
    'emails',
  ],
  [
    /^(primary |main |work |home |other |business |personal |mobile |cell )?(tele)?(phone|fon|mobile|cell)( number| nummer)?s?( value)?$|^mobil(telefon|nummer|e)?$|^handy$|^tel$|^rufnummer$|^telefonnummer$|^telefono$/,
    'phones',
  ],
  [/^(job ?title|title|position|role|funktion|beruf|poste|cargo|organi[sz]ation title)$/, 'title'],
  [
    /^(company|company name|organi[sz]ation|organi[sz]ation name|org|firma|firmenname|unternehmen|account|account name|employer|societe|entreprise|empresa)$/,
    'company',
  ],
  [
    /^(domain|company domain|web ?site|web ?page|url|company url|homepage|webseite)( value)?$/,
    'domain',
  ],
  [/^(notes?|comments?|description|notizen?|bemerkung(en)?|kommentar|remarques?|notas?)$/, 'note'],
  [/^(labels?|tags?|categories|groups?|group membership|kategorien?|etiquetas?)$/, 'labels'],
]

/**
 * Maps columns to fields: by the mapping (column names in any case), otherwise by the usual column names.
 * A column mapped to null is not imported.
 * @throws Refusal if the mapping has an unknown column or field
 */
export function contactColumns(
  header: readonly string[],
  mapping: Readonly<Record<string, string | null>>,
): Columns {
  const names = header.map(nameKey)
  const fieldByColumn = new Map(
    Object.entries(mapping).map(([column, field]) => [nameKey(column), field]),
  )
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.includes(nameKey(column)))
      throw invalid(
        'mapping',
        `no column is named ${JSON.stringify(column)}.`,
        `The columns are ${header.map((name) => JSON.stringify(name)).join(', ')}.`,
      )
    if (field !== null && !isField(field))
      throw invalid(
        'mapping',
        `${JSON.stringify(field)} is not a field.`,
        `Fields are ${importFields.join(', ')}, and custom_fields.<name>.`,
      )
  }
  return columnFieldsOf(header, fieldByColumn)
}

type Mapping = ReadonlyMap<string, string | null>

function columnFieldsOf(header: readonly string[], mapping: Mapping): Columns {
  return header.map((column) => {
    const name = nameKey(column)
    if (mapping.has(name)) return mapping.get(name) ?? undefined
    return isCustomField(column.trim()) ? column.trim() : defaultField(name)
  })
}

/** Number of cells that are known column names; 0 if none of them identifies people. */
export function contactHeaderScore(
  mapping: Readonly<Record<string, string | null>>,
): (cells: readonly string[]) => number {
  const byKey = new Map(Object.entries(mapping).map(([column, field]) => [nameKey(column), field]))
  return (cells) => {
    const columns = columnFieldsOf(cells, byKey)
    return hasIdentity(columns) ? columns.filter((field) => field !== undefined).length : 0
  }
}

/** Whether one of the columns has a name, an email address or a company. */
export function hasIdentity(columns: Columns): boolean {
  return columns.some(
    (field) => field !== undefined && /^(name|first_name|last_name|emails|company)$/.test(field),
  )
}

function isField(text: string): boolean {
  return (importFields as readonly string[]).includes(text) || isCustomField(text)
}

function isCustomField(text: string): boolean {
  return /^custom_fields\.\S.{0,99}$/.test(text)
}

function defaultField(column: string): string | undefined {
  const name = column
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ ?\d+( |$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return columnPatterns.find(([pattern]) => pattern.test(name))?.[1]
}

/**
 * Reads the records after the header. Cells whose field is already filled by another column are counted in
 * `leftOut`.
 */
export function rawRecordsOf(
  records: readonly CsvRecord[],
  header: readonly string[],
  columns: Columns,
  leftOut: LeftOutCounter,
): RawRecord[] {
  return records.map(({ line, cells }) => {
    const raw: RawRecord = { line, emails: [], phones: [], labels: [], custom_fields: {} }
    const filled = new Map<string, ColumnCell>()
    for (const [i, field] of columns.entries()) {
      const cell = unescapeFormula(cells[i]?.trim() ?? '')
      if (field === undefined || !cell) continue
      const before = filled.get(field)
      const next = { column: header[i] ?? '', cell }
      if (before && !isListField(field)) addSecondValue(raw, field, { before, next }, leftOut)
      else setRawField(raw, field, cell)
      filled.set(field, before ?? next)
    }
    return raw
  })
}

/** A column that fills a field, and its cell. */
interface ColumnCell {
  column: string
  cell: string
}

/** Adds the value of a second column for the same field: texts are joined; for other fields only the first counts. */
function addSecondValue(
  raw: RawRecord,
  field: string,
  { before, next }: Record<'before' | 'next', ColumnCell>,
  leftOut: LeftOutCounter,
): void {
  if (before.cell === next.cell) return
  if (isTextField(field))
    setRawField(raw, field, `${rawFieldText(raw, field)}\n\n${next.column}: ${next.cell}`)
  else leftOut.add(duplicateColumn(next.column, before.column, field), raw.line)
}

function isListField(field: string): field is List {
  return (listFields as readonly string[]).includes(field)
}

function isTextField(field: string): boolean {
  return field === 'note' || field.startsWith('custom_fields.')
}

function rawFieldText(raw: RawRecord, field: string): string {
  return (field === 'note' ? raw.note : raw.custom_fields[customName(field)]) ?? ''
}

function customName(field: string): string {
  return field.slice('custom_fields.'.length).trim()
}

function setRawField(raw: RawRecord, field: string, cell: string): void {
  if (field.startsWith('custom_fields.')) raw.custom_fields[customName(field)] = cell
  else if (isListField(field)) raw[field].push(...listValuesOf(field, cell))
  else raw[field as Single] = cell
}

/** Splits a cell that holds several values. */
function listValuesOf(field: List, cell: string): string[] {
  const values = splitCell(
    cell,
    field === 'phones' ? /;(?!ext=)|:::|\n|\||,(?=\s*[+(\d]{2})/ : /;|:::|,|\n|\|/,
  )
  return values.filter((value) => !(field === 'labels' && /^\*/.test(value)))
}
