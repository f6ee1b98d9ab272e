import { omitNullish } from '../../../kernel/present.ts'
import ICAL from 'ical.js'
import type { LeftOutCounter } from '../../../kernel/left-out.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { RawRecord } from './drafts.ts'

/** A property in jCard format (RFC 7095): name, parameters, type, values. */
type Property = [
  name: string,
  parameters: Record<string, string | string[]>,
  type: string,
  ...values: unknown[],
]

const maxCardLength = 2_000_000

/**
 * Reads the cards of a vCard file (2.1, 3.0, 4.0). Properties that contacts do not have are counted in `leftOut`. A
 * card that cannot be read is refused; the others are imported.
 */
export function parseVcards(
  text: string,
  leftOut: LeftOutCounter,
  maxCards = 50_000,
): { raws: RawRecord[]; refused: { line: number; reason: string }[] } {
  const raws: RawRecord[] = []
  const refused: { line: number; reason: string }[] = []
  for (const { line, card } of splitCards(text, maxCards)) {
    const raw = card === undefined ? 'END:VCARD is missing.' : readCard(line, card, leftOut)
    if (typeof raw === 'string') refused.push({ line, reason: raw })
    else raws.push(raw)
  }
  return { raws, refused }
}

/** The cards of a file with their first lines; `card` is undefined if END:VCARD is missing. */
function splitCards(text: string, maxCards: number): { line: number; card: string | undefined }[] {
  const cards: { line: number; card: string | undefined }[] = []
  let current: { line: number; lines: string[] } | undefined
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) {
      if (current) cards.push({ line: current.line, card: undefined })
      current = { line: i + 1, lines: [] }
    }
    current?.lines.push(line)
    if (cards.length > maxCards)
      throw new Refusal(
        'too_large',
        `The file has more than ${maxCards} vCards, the maximum per import.`,
        { field: 'content', hint: 'Import it in parts.' },
      )
    if (current && /^END:VCARD\s*$/i.test(line)) {
      cards.push({ line: current.line, card: current.lines.join('\r\n') })
      current = undefined
    }
  }
  if (current) cards.push({ line: current.line, card: undefined })
  return cards
}

function readCard(line: number, card: string, leftOut: LeftOutCounter): RawRecord | string {
  if (card.length > maxCardLength) return 'The vCard is too large.'
  try {
    const [, properties] = ICAL.parse(normalizeCard(card)) as [string, Property[]]
    const kind = vcardKindOf(properties)
    if (kind !== 'person' && kind !== 'company') return kind.reason
    const raw = rawRecordOf(line, properties, kind)
    for (const what of unhandledParts(card, properties))
      if (kind === 'person' || !/^property URL /.test(what)) leftOut.add(what, line)
    return raw
  } catch (error) {
    return `The vCard cannot be read: ${(error as Error).message.slice(0, 200)}`
  }
}

const otherKinds: Record<string, string> = {
  location: 'a place',
  group: 'a group',
  device: 'a device',
  application: 'a program',
  thing: 'a thing',
}

/** Whether a card describes a person or a company, by KIND (RFC 6350) or Apple's extensions; else why it is skipped. */
function vcardKindOf(properties: readonly Property[]): 'person' | 'company' | { reason: string } {
  const textOf = (name: string) => {
    const value = properties.find((property) => property[0] === name)?.[3]
    return typeof value === 'string' ? value.trim().toLowerCase() : undefined
  }
  const kind = textOf('kind') ?? textOf('x-addressbookserver-kind') ?? ''
  if (Object.hasOwn(otherKinds, kind))
    return { reason: `It is ${otherKinds[kind]} (KIND:${kind}), not a person or a company.` }
  return /^org(anization)?$/.test(kind) || textOf('x-abshowas') === 'company' ? 'company' : 'person'
}

/** Properties that are stored in a field, or do not describe the person. */
const handledProperties =
  /^(begin|end|version|kind|n|fn|org|title|email|tel|note|categories|prodid|uid|rev|sort-string|source|name|profile|mailer|class|lang|clientpidmap|x-abshowas|x-ablabel|x-abuid|x-ms-ol-.*|x-phonetic-.*)$/

/** Descriptions of the parts of a card that are not imported. */
function unhandledParts(card: string, properties: readonly Property[]): string[] {
  const names = properties.map(([name]) => name)
  const media = unfoldLines(card).flatMap((line) => mediaLine.exec(line)?.[2]?.toLowerCase() ?? [])
  const repeated = ['title', 'org'].filter(
    (name) => names.filter((other) => other === name).length > 1,
  )
  const parts = properties.find(([name]) => name === 'org')?.[3]
  return [
    ...[...new Set([...names, ...media])]
      .filter((name) => !handledProperties.test(name))
      .map((name) => `property ${name.toUpperCase()} of vCards`),
    ...repeated.map((name) => `second ${name.toUpperCase()} of a vCard`),
    ...(Array.isArray(parts) && parts.slice(1).some(Boolean)
      ? ['department in ORG of vCards']
      : []),
  ]
}

const mediaLine = /^([\w-]+\.)?(PHOTO|LOGO|SOUND|KEY|AGENT)[;:]/i

/** Removes lines that the parser does not need, and converts vCard 2.1 syntax to that of later versions. */
function normalizeCard(card: string): string {
  return unfoldLines(card)
    .filter((name) => name.trim() !== '' && !mediaLine.test(name))
    .filter((name) => /^[\w.-]+[;:]/.test(name))
    .map(normalizeLine)
    .join('\r\n')
}

/** Joins folded lines into one line per property; quoted-printable ones continue after a final `=`. Runs in linear time. */
function unfoldLines(card: string): string[] {
  const unfoldedLines: { parts: string[]; isQuotedPrintable: boolean }[] = []
  for (const line of card.split('\r\n')) {
    const last = unfoldedLines.at(-1)
    const before = last?.parts.at(-1)
    if (last?.isQuotedPrintable && before!.endsWith('='))
      last.parts.splice(-1, 1, before!.slice(0, -1), line)
    else if (last && /^[ \t]/.test(line)) last.parts.push(line.slice(1))
    else
      unfoldedLines.push({
        parts: [line],
        isQuotedPrintable: /QUOTED-PRINTABLE/i.test(line.slice(0, Math.max(0, line.indexOf(':')))),
      })
  }
  return unfoldedLines.map((item) => item.parts.join(''))
}

function normalizeLine(line: string): string {
  const [, name = '', parameters = '', value = ''] =
    /^([\w.-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(line) ?? []
  if (name === '') return line
  const parameterList = (parameters.match(/(?:[^;"]|"[^"]*")+/g) ?? []).map((item) =>
    item.includes('=') ? item : namedParameter(item),
  )
  const isQuotedPrintable = parameterList.some((item) => /^ENCODING=QUOTED-PRINTABLE$/i.test(item))
  const charset = parameterList.map((item) => /^CHARSET=(.+)$/i.exec(item)?.[1]).find(Boolean)
  const remainingParameters = parameterList.filter((item) => !/^(ENCODING|CHARSET)=/i.test(item))
  return `${[name, ...remainingParameters].join(';')}:${isQuotedPrintable ? decodeQuotedPrintable(value, charset) : value}`
}

/** Adds the parameter names that vCard 2.1 omits: `TEL;CELL;QUOTED-PRINTABLE:`. */
function namedParameter(value: string): string {
  return /^(QUOTED-PRINTABLE|BASE64|8BIT|7BIT)$/i.test(value)
    ? `ENCODING=${value}`
    : `TYPE=${value}`
}

function decodeQuotedPrintable(value: string, charset = 'utf-8'): string {
  const bytes = Buffer.from(
    value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )
  return new TextDecoder(/^[\w-]{1,40}$/.test(charset) ? supportedEncoding(charset) : 'utf-8')
    .decode(bytes)
    .replace(/\r?\n/g, '\\n')
}

function supportedEncoding(charset: string): string {
  try {
    return new TextDecoder(charset).encoding
  } catch {
    return 'utf-8'
  }
}

function rawRecordOf(
  line: number,
  properties: readonly Property[],
  kind: 'person' | 'company',
): RawRecord {
  const all = (name: string) => properties.filter((property) => property[0] === name)
  const texts = (name: string) =>
    byPreference(all(name)).flatMap((property) =>
      property
        .slice(3)
        .flat()
        .filter((value) => typeof value === 'string'),
    )
  const [last, first, middle] = (all('n')[0]?.[3] ?? []) as (string | string[])[]
  const [company] = [all('org')[0]?.[3] ?? []].flat() as string[]
  const part = (item: string | string[] | undefined) => [item ?? []].flat().join(' ')
  const raw = omitNullish({
    line,
    name: texts('fn')[0] ?? '',
    first_name: part(first),
    middle_name: part(middle),
    last_name: part(last),
    emails: texts('email'),
    phones: texts('tel').map((text) => text.replace(/^tel:/i, '')),
    title: texts('title')[0],
    company,
    note: texts('note').join('\n\n'),
    labels: texts('categories'),
    custom_fields: {},
  })
  return kind === 'person' ? raw : companyRecord(raw, texts('url')[0])
}

/** The record of a company's card; a person named in it is stored in the custom field `contact`. */
function companyRecord(raw: RawRecord, url: string | undefined): RawRecord {
  const name = raw.company?.trim() || raw.name
  const person = [raw.first_name, raw.middle_name, raw.last_name]
    .filter((part) => part?.trim())
    .join(' ')
  const hasContactPerson = person !== '' && person !== name
  const custom_fields = omitNullish({
    contact: hasContactPerson ? person : undefined,
    role: raw.title,
  })
  return omitNullish({
    ...raw,
    isCompany: true,
    name,
    title: undefined,
    domain: url,
    custom_fields,
  })
}

/** Sorts preferred properties first: PREF=1 in version 4, TYPE=pref in earlier versions. */
function byPreference(properties: readonly Property[]): Property[] {
  const rank = ([, { pref, type = [] }]: Property) => {
    if (typeof pref === 'string') return Number(pref)
    return [type].flat().some((name) => name.toLowerCase() === 'pref') ? 1 : 101
  }
  return [...properties].sort((a, b) => rank(a) - rank(b))
}
