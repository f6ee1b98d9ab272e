import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { secret, shortText } from '../../../kernel/fields.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { organization } from '../../directory/access.ts'
import { parseEmail } from './emails.ts'
import { countryOf, parsePhone } from './phones.ts'
import type { CustomFields } from '../shapes.ts'

export const maxAddresses = 20
const maxFields = 50
const maxFieldBytes = 32 * 1024

/** Not in the call log: it is the person's own affair what is written of them. */
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

/** Additional fields that an organization defines. */
export const customFieldsInput = () =>
  secret(z.record(fieldName, fieldValue.nullable())).describe(
    '{name: text, number, true, false or list of texts}; null removes a field, others stay',
  )

/** The custom fields of a row with a change applied to them; what is over the limits, by a merge, can be made less. @throws Refusal too many, or too large */
export function patchCustomFields(
  before: CustomFields,
  patch: Readonly<Record<string, CustomFields[string] | null>>,
): CustomFields {
  const after = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === '') after.delete(name.trim())
    else after.set(name.trim(), value)
  }
  const fields = Object.fromEntries([...after].sort(([a], [b]) => (a < b ? -1 : 1)))
  const bytes = (fields: object) => Buffer.byteLength(JSON.stringify(fields))
  if (after.size > Math.max(maxFields, Object.keys(before).length))
    throw invalid(
      'custom_fields',
      `this would be ${after.size} custom fields; the maximum is ${maxFields}.`,
    )
  if (bytes(fields) > maxFieldBytes && bytes(fields) > bytes(before))
    throw invalid(
      'custom_fields',
      `the custom fields exceed ${maxFieldBytes / 1024} KiB in total.`,
      'Put long text in the note or on a page.',
    )
  return fields
}

/** Addresses as they are stored, each once. @throws Refusal where one is none */
export function parseEmails(texts: readonly string[], field = 'emails'): string[] {
  const read = texts.map((text, i) => {
    const email = parseEmail(text)
    if (email === undefined)
      throw invalid(
        `${field}[${i}]`,
        `${JSON.stringify(text.slice(0, 100))} is not an email address.`,
      )
    return email
  })
  return [...new Set(read)]
}

/** Numbers as they are stored, each once. @throws Refusal where there are no digits in one */
export async function parsePhones(
  ctx: ReadContext,
  texts: readonly string[],
  field = 'phones',
): Promise<string[]> {
  if (texts.length === 0) return []
  const country = await homeCountry(ctx)
  const read = texts.map((text, i) => {
    const phone = parsePhone(text, country)
    if (phone === undefined)
      throw invalid(
        `${field}[${i}]`,
        `${JSON.stringify(text.slice(0, 100))} is not a phone number.`,
      )
    return phone
  })
  return [...new Set(read)]
}

/** The country that numbers without one are of: that of the organization's time zone. */
export async function homeCountry(ctx: ReadContext) {
  const { default_timezone } = await organization
    .visibleTo(ctx)
    .select('orgs.default_timezone')
    .executeTakeFirstOrThrow()
  return countryOf(default_timezone)
}

/** @throws Refusal permission_denied: guests see nothing of the directory, so that they put nothing in either */
export function requireNoGuest(ctx: ReadContext): void {
  if (ctx.actor.role === 'guest')
    throw denied('Guests have no access to contacts.', 'Ask a member of the organization.')
}

/** Whether someone can own contacts, companies or deals. @throws Refusal where they cannot */
export function requireOwner(owner: Row<'users'>, field = 'owner_id'): void {
  if (owner.status === 'deactivated') throw invalid(field, `${owner.display_name} is deactivated.`)
  if (owner.role === 'guest')
    throw invalid(field, `${owner.display_name} is a guest and has no access to contacts.`)
}
