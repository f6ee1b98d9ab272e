import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { secret, shortText } from '../../../kernel/fields.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { organization } from '../../directory/access.ts'
import { parseEmail } from './emails.ts'
import { countryOfTimezone, parsePhone } from './phones.ts'
import type { CustomFields } from '../shapes.ts'

export const maxAddresses = 20
const maxFields = 50
const maxFieldBytes = 32 * 1024

/** Kept out of the call log, since notes may contain private information about the person. */
export const noteInput = () => secret(shortText(20_000))

export const addressesInput = (about: string) =>
  z.array(z.string().min(1).max(400)).max(maxAddresses).describe(about)

const fieldName = z.string().max(100).regex(/\S/, 'must not be blank')
const fieldValue = z.union([
  z.string().max(5000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(500)).max(50),
])

/** Additional fields with names that the organization chooses. */
export const customFieldsInput = () =>
  secret(z.record(fieldName, fieldValue.nullable())).describe(
    '{name: text, number, true, false or list of texts}; null removes a field, others stay',
  )

/** Applies changes to custom fields; fields over the limits after a merge can still be reduced. @throws Refusal if over the limits */
export function patchCustomFields(
  before: CustomFields,
  patch: Readonly<Record<string, CustomFields[string] | null>>,
): CustomFields {
  const after = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === '') after.delete(name.trim())
    else after.set(name.trim(), value)
  }
  const sorted = Object.fromEntries([...after].sort(([a], [b]) => (a < b ? -1 : 1)))
  const bytes = (fields: object) => Buffer.byteLength(JSON.stringify(fields))
  if (after.size > Math.max(maxFields, Object.keys(before).length))
    throw invalid(
      'custom_fields',
      `this would be ${after.size} custom fields; the maximum is ${maxFields}.`,
    )
  if (bytes(sorted) > maxFieldBytes && bytes(sorted) > bytes(before))
    throw invalid(
      'custom_fields',
      `the custom fields exceed ${maxFieldBytes / 1024} KiB in total.`,
      'Put long text in the note or on a page.',
    )
  return sorted
}

/** Email addresses in stored form, without duplicates. @throws Refusal if one is invalid */
export function parseEmails(texts: readonly string[], field = 'emails'): string[] {
  const emails = texts.map((text, i) => {
    const email = parseEmail(text)
    if (email === undefined)
      throw invalid(
        `${field}[${i}]`,
        `${JSON.stringify(text.slice(0, 100))} is not an email address.`,
      )
    return email
  })
  return [...new Set(emails)]
}

/** Phone numbers in stored form, without duplicates. @throws Refusal if one has too few digits */
export async function parsePhones(
  ctx: ReadContext,
  texts: readonly string[],
  field = 'phones',
): Promise<string[]> {
  if (texts.length === 0) return []
  const country = await defaultCountry(ctx)
  const phones = texts.map((text, i) => {
    const phone = parsePhone(text, country)
    if (phone === undefined)
      throw invalid(
        `${field}[${i}]`,
        `${JSON.stringify(text.slice(0, 100))} is not a phone number.`,
      )
    return phone
  })
  return [...new Set(phones)]
}

/** The country assumed for phone numbers without a country code: that of the organization's time zone. */
export async function defaultCountry(ctx: ReadContext) {
  const { default_timezone } = await organization
    .visibleTo(ctx)
    .select('orgs.default_timezone')
    .executeTakeFirstOrThrow()
  return countryOfTimezone(default_timezone)
}

/** @throws Refusal permission_denied for guests, who cannot see the directory and so cannot add to it */
export function requireNotGuest(ctx: ReadContext): void {
  if (ctx.actor.role === 'guest')
    throw denied('Guests have no access to contacts.', 'Ask a member of the organization.')
}

/** @throws Refusal if this person cannot own contacts, companies or deals */
export function requireOwner(owner: Row<'users'>, field = 'owner_id'): void {
  if (owner.status === 'deactivated') throw invalid(field, `${owner.display_name} is deactivated.`)
  if (owner.role === 'guest')
    throw invalid(field, `${owner.display_name} is a guest and has no access to contacts.`)
}
