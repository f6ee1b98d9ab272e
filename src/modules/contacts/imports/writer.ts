import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { company } from '../access.ts'
import {
  companiesByName,
  companyOfEmails,
  contactsByEmails,
  contactIdsByEmail,
} from '../duplicates/access-matches.ts'
import { recountLastContact } from '../interactions/access-last-contact.ts'
import { maxAddresses, patchCustomFields } from '../contacts/fields.ts'
import { fieldText } from '../contacts/custom-fields.ts'
import type { ContactDraft } from './drafts.ts'
import { label } from '../../labels/access.ts'
import { setLabels } from '../contacts/labels.ts'
import { nameKey } from '../contacts/names.ts'
import type { CustomFields } from '../shapes.ts'

export type OnMatch = 'update' | 'skip'

/** Result of importing a record, or its preview. */
export interface ContactImportOutcome {
  line: number
  name: string
  action: 'created' | 'updated' | 'unchanged' | 'skipped'
  reason?: string
  row?: Row<'contacts'>
  /** Company that the record describes, if it is one. */
  company?: Row<'companies'>
}

/** Lookups shared by the records of an import. */
export class ContactImporter {
  readonly #ctx: WriteContext
  readonly #onMatch: OnMatch
  readonly #writes: boolean
  readonly #companies = new Map<string, Id<'companies'> | undefined>()
  readonly #labels = new Map<string, Row<'labels'>>()
  /** Addresses and company names of earlier records, for dry runs, which write nothing to look up. */
  readonly #ahead = new Set<string>()

  /** `writes: false` only determines the outcome of each record. */
  constructor(ctx: WriteContext, onMatch: OnMatch, writes: boolean) {
    this.#ctx = ctx
    this.#onMatch = onMatch
    this.#writes = writes
  }

  /** Imports some records: creates contacts, or updates those with one of the addresses. */
  async importDrafts(drafts: readonly ContactDraft[]): Promise<ContactImportOutcome[]> {
    const outcomes: ContactImportOutcome[] = []
    const contactByEmail = await contactIdsByEmail(
      this.#ctx,
      drafts.flatMap((draft) => draft.emails),
    )
    for (const draft of drafts) {
      const outcome = draft.isCompany
        ? await this.#takeCompany(draft)
        : await this.#importRow(draft, contactByEmail)
      if (this.#writes && outcome.row)
        for (const email of draft.emails) contactByEmail.set(email, outcome.row.id)
      outcomes.push(outcome)
    }
    if (this.#writes)
      await recountLastContact(
        this.#ctx,
        outcomes.flatMap((outcome) =>
          outcome.row && outcome.action !== 'skipped' && outcome.action !== 'unchanged'
            ? outcome.row.id
            : [],
        ),
      )
    return outcomes
  }

  async #importRow(
    draft: ContactDraft,
    contactIdByEmail: ReadonlyMap<string, string>,
  ): Promise<ContactImportOutcome> {
    const { line, name, emails } = draft
    const matchingIds = new Set(emails.flatMap((email) => contactIdByEmail.get(email) ?? []))
    if (matchingIds.size > 1)
      return {
        line,
        name,
        action: 'skipped',
        reason: `Its addresses belong to ${matchingIds.size} contacts; merge them first if they are the same person.`,
      }
    const isRepeated = emails.some((email) => this.#ahead.has(email))
    if (!this.#writes) for (const email of emails) this.#ahead.add(email)
    const refusalOfFields = (row?: Row<'contacts'>) => outcomeIfFieldsInvalid(draft, row)
    if (matchingIds.size === 0 && !isRepeated)
      return (
        refusalOfFields() ??
        omitNullish({
          line,
          name,
          action: 'created',
          row: this.#writes ? await this.#create(draft) : undefined,
        })
      )
    const [existing] = matchingIds.size === 0 ? [] : await contactsByEmails(this.#ctx, emails)
    const row = existing ? { row: existing } : {}
    if (this.#onMatch === 'skip')
      return {
        line,
        name,
        action: 'skipped',
        reason: 'A contact with this address already exists.',
        ...row,
      }
    if (!existing) return { line, name, action: 'updated' }
    return refusalOfFields(existing) ?? this.#update(draft, existing)
  }

  async #create(draft: ContactDraft): Promise<Row<'contacts'>> {
    const { name, emails, phones, title, note, custom_fields } = draft
    const labels = await this.#labelsOf(draft) // first, since undo runs backwards and keeps items in use
    const row = await this.#ctx.add('contacts', {
      ...{ name, title: title ?? null, note: note ?? null, owner_id: null },
      name_key: nameKey(name),
      emails_json: JSON.stringify(emails),
      phones_json: JSON.stringify(phones),
      company_id: (await this.#companyOf(draft)) ?? null,
      custom_fields_json: JSON.stringify(patchCustomFields({}, custom_fields)),
    })
    await setLabels(this.#ctx, row, labels, [])
    return row
  }

  /**
   * Updates a contact: values of the file replace existing ones; addresses, numbers and labels are added, and
   * anything absent from the file stays.
   */
  async #update(draft: ContactDraft, row: Row<'contacts'>): Promise<ContactImportOutcome> {
    const { line, name, title, note, custom_fields } = draft
    const before = JSON.parse(row.custom_fields_json) as CustomFields
    const withValues = (column: string, values: readonly string[]) =>
      JSON.stringify(
        [...new Set([...(JSON.parse(column) as string[]), ...values])].slice(0, maxAddresses),
      )
    const patch = omitUndefined({
      ...{ name, name_key: nameKey(name) },
      emails_json: withValues(row.emails_json, draft.emails),
      phones_json: withValues(row.phones_json, draft.phones),
      title,
      note,
      company_id:
        draft.company === undefined && draft.domain === undefined
          ? undefined
          : ((await this.#companyOf(draft)) ?? row.company_id),
      custom_fields_json: JSON.stringify(
        patchCustomFields(before, changedFields(before, custom_fields)),
      ),
    })
    const differs = Object.entries(patch).some(
      ([column, value]) => row[column as keyof typeof row] !== value,
    )
    if (!this.#writes)
      return {
        line,
        name,
        action: differs || draft.labels.length > 0 ? 'updated' : 'unchanged',
        row,
      }
    const changed = await this.#ctx.change('contacts', row, patch)
    const labelsChanged = await setLabels(this.#ctx, changed, await this.#labelsOf(draft), [])
    return { line, name, action: differs || labelsChanged ? 'updated' : 'unchanged', row: changed }
  }

  async #takeCompany(draft: ContactDraft): Promise<ContactImportOutcome> {
    const { line, name } = draft
    const key = nameKey(name)
    const isRepeated = this.#ahead.has(key)
    this.#ahead.add(key)
    const existing = await this.#knownCompany(draft)
    if (!existing && isRepeated) return { line, name, action: 'unchanged' }
    if (existing && this.#onMatch === 'skip')
      return {
        line,
        name,
        action: 'skipped',
        reason: 'A company of this name or domain already exists.',
      }
    const patch = await this.#companyPatch(draft, existing)
    if (existing && Object.keys(patch).length === 0)
      return omitNullish({
        line,
        name,
        action: 'unchanged',
        company: this.#writes ? existing : undefined,
      })
    const action = existing ? 'updated' : 'created'
    if (!this.#writes) return { line, name, action }
    const { id } = existing
      ? await this.#ctx.call<{ id: Id<'companies'> }>('update_company', {
          company_id: existing.id,
          ...patch,
        })
      : await this.#ctx.call<{ id: Id<'companies'> }>('create_company', { name, ...patch })
    this.#companies.set(key, id)
    return { line, name, action, company: await company.demand(this.#ctx, id, 'see', 'company_id') }
  }

  /** Fields that a record adds to its company; existing values stay. */
  async #companyPatch(
    { domain, note, custom_fields }: ContactDraft,
    existingCompany: Row<'companies'> | undefined,
  ) {
    const before = existingCompany
      ? (JSON.parse(existingCompany.custom_fields_json) as CustomFields)
      : {}
    const fields = Object.entries(custom_fields).filter(([field]) => !Object.hasOwn(before, field))
    const isFree = domain !== undefined && !(await company.find(this.#ctx, domain))
    return omitNullish({
      domain: isFree && !existingCompany?.domain ? domain : undefined,
      note: existingCompany?.note ? undefined : note,
      custom_fields: fields.length > 0 ? Object.fromEntries(fields) : undefined,
    })
  }

  async #labelsOf({ labels }: ContactDraft): Promise<Row<'labels'>[]> {
    const rows: Row<'labels'>[] = []
    for (const name of labels) rows.push(await this.#labelCalled(name.slice(0, 200).toWellFormed()))
    return rows
  }

  async #labelCalled(name: string): Promise<Row<'labels'>> {
    const existing = this.#labels.get(nameKey(name))
    if (existing) return existing
    const createdLabel = await this.#ctx.call<{ id: string }>('create_label', { name })
    const row = await label.demand(this.#ctx, createdLabel.id, 'see', 'labels')
    this.#labels.set(nameKey(name), row)
    return row
  }

  /** The company named in the record, created if necessary; otherwise that of its email domain. */
  async #companyOf(draft: ContactDraft): Promise<Id<'companies'> | undefined> {
    const key = draft.company === undefined ? draft.domain : nameKey(draft.company)
    if (key === undefined) return companyOfEmails(this.#ctx, draft.emails)
    if (!this.#companies.has(key)) this.#companies.set(key, await this.#findCompany(draft))
    return this.#companies.get(key)
  }

  async #findCompany(draft: ContactDraft): Promise<Id<'companies'> | undefined> {
    const { company: name, domain } = draft
    const existing = await this.#knownCompany(draft)
    if (existing || name === undefined || !this.#writes) return existing?.id
    return (
      await this.#ctx.call<{ id: Id<'companies'> }>('create_company', omitNullish({ name, domain }))
    ).id
  }

  /** The company with the record's company name, otherwise the one with its domain. */
  async #knownCompany({
    company: name,
    domain,
  }: ContactDraft): Promise<Row<'companies'> | undefined> {
    const byDomain = domain === undefined ? undefined : await company.find(this.#ctx, domain)
    const hasName = name !== undefined && byDomain?.name_key !== nameKey(name)
    const byName = hasName ? (await companiesByName(this.#ctx, nameKey(name)))[0] : undefined
    return byName ?? byDomain
  }
}

/**
 * Returns the outcome `skipped` for a record whose custom fields, with those of its contact, are too many or too large;
 * undefined if they are allowed.
 */
function outcomeIfFieldsInvalid(
  { line, name, custom_fields }: ContactDraft,
  row?: Row<'contacts'>,
): ContactImportOutcome | undefined {
  try {
    patchCustomFields(
      row ? (JSON.parse(row.custom_fields_json) as CustomFields) : {},
      custom_fields,
    )
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return omitNullish({ line, name, action: 'skipped', reason: error.message, row })
  }
}

/** The fields whose text differs, so that unchanged numbers and lists keep their type. */
function changedFields(
  before: CustomFields,
  fields: Record<string, string>,
): Record<string, string> {
  const isSame = (name: string, text: string) =>
    Object.hasOwn(before, name) && fieldText(before[name]!) === text
  return Object.fromEntries(Object.entries(fields).filter(([name, text]) => !isSame(name, text)))
}
