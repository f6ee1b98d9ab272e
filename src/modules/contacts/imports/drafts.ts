import type { LeftOut } from '../../../kernel/left-out.ts'
import { omitNullish } from '../../../kernel/present.ts'
import type { CountryCode } from 'libphonenumber-js'
import { maxAddresses } from '../contacts/fields.ts'
import { isMailProvider, parseCompanyAddress } from '../contacts/shared-domains.ts'
import { parseEmail } from '../contacts/emails.ts'
import { nameFromEmail } from '../contacts/names.ts'
import { parsePhone } from '../contacts/phones.ts'

/** A contact as parsed from a file, before it is compared with stored ones. */
export interface ContactDraft {
  /** Line of the file on which the record begins. */
  line: number
  /** Whether it is imported as a company, not as a contact. */
  isCompany?: boolean
  name: string
  emails: string[]
  phones: string[]
  title?: string
  company?: string
  domain?: string
  note?: string
  labels: string[]
  custom_fields: Record<string, string>
}

export interface DraftResult {
  drafts: ContactDraft[]
  refused: { line: number; reason: string }[]
  warnings: string[]
  left_out: LeftOut[]
}

/** Values of a record, by field. */
export interface RawRecord {
  line: number
  isCompany?: boolean
  name?: string
  first_name?: string
  middle_name?: string
  last_name?: string
  emails: string[]
  phones: string[]
  title?: string
  company?: string
  domain?: string
  note?: string
  labels: string[]
  custom_fields: Record<string, string>
}

const maxLengths = { name: 500, title: 300, note: 20_000, custom: 5000 } as const
const maxFields = 50
/** Maximum number of labels imported per record: each new one is created for the whole organization. */
const maxLabels = 20

/** Contacts from raw records. Invalid values are skipped with a warning; a record without name and email address is refused. */
export function draftsOf(
  raws: readonly RawRecord[],
  country: CountryCode | undefined,
): DraftResult {
  const result: DraftResult = { drafts: [], refused: [], warnings: [], left_out: [] }
  for (const raw of raws) {
    const emails = contactValuesOf(raw, 'email', raw.emails, parseEmail, result.warnings)
    const phones = contactValuesOf(
      raw,
      'phone',
      raw.phones,
      (text) => parsePhone(text, country),
      result.warnings,
    )
    const name = contactNameOf(raw, emails)
    if (name === undefined)
      result.refused.push({ line: raw.line, reason: 'It has neither a name nor an email address.' })
    else if (raw.isCompany) result.drafts.push(companyDraft(raw, name, { emails, phones }, result))
    else
      result.drafts.push({
        line: raw.line,
        name,
        emails,
        phones,
        labels: importedLabels(raw, result.warnings),
        ...draftTextsOf(raw),
        ...companyDomainOf(raw, result.warnings),
      })
  }
  return result
}

/** A company from a record; its email addresses and phone numbers become custom fields, and labels are dropped. */
function companyDraft(
  raw: RawRecord,
  name: string,
  { emails, phones }: Pick<ContactDraft, 'emails' | 'phones'>,
  { warnings }: DraftResult,
): ContactDraft {
  if (raw.labels.length > 0)
    warnings.push(`Line ${raw.line}: companies have no labels; those of ${name} were left out.`)
  const fields = omitNullish({
    email: emails.join(', ') || undefined,
    phone: phones.join(', ') || undefined,
  })
  const custom_fields = { ...fields, ...raw.custom_fields }
  const { domain, ...address } = companyDomainOf({ ...raw, company: name, custom_fields }, warnings)
  const optionalFields = omitNullish({
    domain: domain ?? emails.map(domainOfEmail).find((host) => host !== undefined),
    note: draftTextsOf(raw).note,
  })
  const { line } = raw
  return {
    ...{ line, isCompany: true, name, company: name, emails: [], phones: [], labels: [] },
    ...optionalFields,
    ...address,
  }
}

function domainOfEmail(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return isMailProvider(domain) ? undefined : domain
}

function contactValuesOf(
  raw: RawRecord,
  kind: string,
  texts: readonly string[],
  parse: (text: string) => string | undefined,
  warnings: string[],
): string[] {
  const values = new Set<string>()
  for (const text of texts.map((name) => name.trim()).filter(Boolean)) {
    const value = parse(text)
    if (value === undefined)
      warnings.push(
        `Line ${raw.line}: an invalid ${kind === 'email' ? 'email address' : 'phone number'} was skipped.`,
      )
    else values.add(value)
  }
  if (values.size > maxAddresses)
    warnings.push(`Line ${raw.line}: only the first ${maxAddresses} ${kind} entries were imported.`)
  return [...values].slice(0, maxAddresses)
}

function importedLabels({ line, labels }: RawRecord, warnings: string[]): string[] {
  const uniqueLabels = [...new Set(labels.map((label) => label.trim()).filter(Boolean))]
  if (uniqueLabels.length > maxLabels)
    warnings.push(`Line ${line}: only the first ${maxLabels} labels were imported.`)
  return uniqueLabels.slice(0, maxLabels)
}

function contactNameOf(
  { name, first_name, middle_name, last_name, company }: RawRecord,
  [email]: readonly string[],
): string | undefined {
  const fullName = [
    name,
    [first_name, middle_name, last_name].filter((part) => part?.trim()).join(' '),
  ]
    .map((item) => item?.replace(/\s+/g, ' ').trim())
    .find(Boolean)
  return (
    (fullName ?? (email === undefined ? company?.trim() : nameFromEmail(email)))
      ?.slice(0, maxLengths.name)
      .toWellFormed() || undefined
  )
}

/** The company's domain; an address that is not a domain is stored in the custom field "website" instead. */
function companyDomainOf(
  raw: RawRecord,
  warnings: string[],
): Pick<ContactDraft, 'domain' | 'custom_fields'> {
  const text = raw.domain?.trim()
  const address = text ? parseCompanyAddress(text, raw.company) : undefined
  if (!text || address?.isShared === false)
    return omitNullish({ domain: address?.host, custom_fields: customFieldsOf(raw, warnings) })
  warnings.push(
    address
      ? `Line ${raw.line}: ${address.host} is an address of many companies, not the domain of one; the address was kept in the field "website".`
      : `Line ${raw.line}: the company's address is not a domain; it was kept in the field "website".`,
  )
  const custom_fields = { website: text, ...raw.custom_fields }
  return { custom_fields: customFieldsOf({ ...raw, custom_fields }, warnings) }
}

function draftTextsOf({
  title,
  company,
  note,
}: RawRecord): Pick<ContactDraft, 'title' | 'company' | 'note'> {
  return omitNullish({
    title: title?.trim() ? title.trim().slice(0, maxLengths.title).toWellFormed() : undefined,
    company: company?.trim() ? company.trim().slice(0, maxLengths.name).toWellFormed() : undefined,
    note: note?.trim() ? note.trim().slice(0, maxLengths.note).toWellFormed() : undefined,
  })
}

function customFieldsOf(
  { line, custom_fields }: RawRecord,
  warnings: string[],
): Record<string, string> {
  const entries = Object.entries(custom_fields).filter(([, value]) => value.trim() !== '')
  if (entries.length > maxFields)
    warnings.push(`Line ${line}: only the first ${maxFields} custom fields were imported.`)
  return Object.fromEntries(
    entries
      .slice(0, maxFields)
      .map(([name, value]) => [name, value.trim().slice(0, maxLengths.custom).toWellFormed()]),
  )
}
