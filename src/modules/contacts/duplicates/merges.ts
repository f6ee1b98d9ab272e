import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { Ref } from '../../../records/shapes.ts'
import {
  contact,
  contactLabel,
  contactRedirect,
  dealContact,
  interactionContact,
} from '../access.ts'
import { recountLastContact } from '../interactions/access-last-contact.ts'
import {
  mergedFields,
  mergeInputs,
  type MergedField,
  type Preferred,
  type MergeDecision,
  type MergeInput,
} from './merge-rules.ts'
import { nameKey } from '../contacts/names.ts'
import { contactRef, ListedContact, presentContact, type CustomFields } from '../shapes.ts'

const maxDuplicates = 20

const MergedContact = ListedContact.extend({
  merged: z.array(Ref).describe('their ids now resolve to this contact'),
  fields: z
    .array(
      z.strictObject({
        field: z.enum(mergedFields),
        value: z.unknown(),
        from: Ref.optional().describe('absent: combined from all'),
        lost: z.array(z.strictObject({ contact: Ref, value: z.unknown() })),
      }),
    )
    .describe('the result for each field, and the values lost'),
  moved: z
    .strictObject({ interactions: z.int(), deals: z.int() })
    .describe('moved from the duplicates'),
  dry_run: z.boolean(),
})

export const mergeContacts = operation({
  name: 'merge_contacts',
  searchHint: 'combine duplicates, same customer twice',
  kind: 'destructive',
  rest: 'POST /api/contacts/{contact_id}/merge',
  about: "Merge duplicates into one contact, with a preview of each field's winner",
  on: { contact: contact.own.describe('the contact to keep'), duplicates: contact.own.many },
  input: {
    prefer: z
      .partialRecord(z.enum(mergedFields), z.string().min(1).max(400))
      .optional()
      .describe(
        '{field: contact id}: whose value wins if they differ; default: the kept contact, then the order of duplicate_ids. Lists and notes are combined.',
      ),
  },
  dryRun: true,
  atomicUndo: true,
  output: MergedContact,
  async handle({ contact: survivor, duplicates, prefer = {} }, ctx) {
    requireMergeable(survivor, duplicates)
    const rows = [survivor, ...duplicates]
    const sides = await mergeInputsOf(ctx, rows)
    const { merged, decisions } = mergeInputs(sides, await resolvePreferred(ctx, prefer, rows))
    const labels = await label.among(ctx, merged.labels)
    for (const row of duplicates) await ctx.trash('contacts', row) // first, because an address can belong to only one contact
    const moved = {
      interactions: await moveInteractions(ctx, survivor, duplicates),
      deals: await moveDeals(ctx, survivor, duplicates),
    }
    const changed = await ctx.change('contacts', survivor, mergeableColumns(merged))
    for (const id of merged.labels)
      if (!sides[0]!.labels.includes(id))
        await ctx.add('contact_labels', {
          contact_id: survivor.id,
          label_id: id as Row<'labels'>['id'],
        })
    await redirectIds(ctx, survivor, duplicates)
    await recountLastContact(ctx, [survivor.id])
    ctx.event('contact.merged', 'contacts', changed)
    const mergedContact = await presentContact(ctx, (await contact.find(ctx, survivor.id))!)
    return {
      ...mergedContact,
      merged: duplicates.map(contactRef),
      fields: decisions.map((mergeDecision) =>
        presentDecision(mergeDecision, mergedContact, sides, rows, labels),
      ),
      moved,
      dry_run: ctx.dryRun,
    }
  },
})

function requireMergeable(survivor: Row<'contacts'>, duplicates: readonly Row<'contacts'>[]): void {
  if (duplicates.length === 0) throw invalid('duplicate_ids', 'at least one duplicate is required.')
  if (duplicates.length > maxDuplicates)
    throw invalid(
      'duplicate_ids',
      `you can merge at most ${maxDuplicates} at once; you sent ${duplicates.length}.`,
    )
  if (duplicates.some((duplicate) => duplicate.id === survivor.id))
    throw invalid(
      'duplicate_ids',
      'the contact to keep is one of the duplicates.',
      'If it was already merged, nothing is left to do.',
    )
}

/** Resolves the preferred contacts of fields; they must belong to this merge. */
async function resolvePreferred(
  ctx: ReadContext,
  prefer: Readonly<Record<string, string>>,
  rows: readonly Row<'contacts'>[],
): Promise<Preferred> {
  const preferences: Preferred = {}
  for (const [field, text] of Object.entries(prefer)) {
    const row = await contact.demand(ctx, text, 'see', `prefer.${field}`)
    if (!rows.some((item) => item.id === row.id))
      throw invalid(`prefer.${field}`, 'this contact is not part of the merge.')
    preferences[field as MergedField] = row.id
  }
  return preferences
}

async function mergeInputsOf(
  ctx: ReadContext,
  rows: readonly Row<'contacts'>[],
): Promise<MergeInput[]> {
  const labels = await contactLabel
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('contact_labels')
    .orderBy('contact_labels.added_at')
    .orderBy('contact_labels.label_id')
    .execute()
  return rows.map(
    ({
      id,
      name,
      title,
      company_id,
      owner_id,
      note,
      emails_json,
      phones_json,
      custom_fields_json,
    }) => ({
      ...{ id, name, title, company_id, owner_id, note },
      emails: JSON.parse(emails_json) as string[],
      phones: JSON.parse(phones_json) as string[],
      labels: labels.filter((item) => item.contact_id === id).map((item) => item.label_id),
      custom_fields: JSON.parse(custom_fields_json) as CustomFields,
    }),
  )
}

function mergeableColumns({
  name,
  title,
  company_id,
  owner_id,
  note,
  emails,
  phones,
  custom_fields,
}: MergeInput): Partial<Row<'contacts'>> {
  return {
    ...{ name, name_key: nameKey(name), title, note },
    company_id: company_id as Row<'contacts'>['company_id'],
    owner_id: owner_id as Row<'contacts'>['owner_id'],
    emails_json: JSON.stringify(emails),
    phones_json: JSON.stringify(phones),
    custom_fields_json: JSON.stringify(custom_fields),
  }
}

/** Moves the interactions of the duplicates to the surviving contact. */
async function moveInteractions(
  ctx: WriteContext,
  survivor: Row<'contacts'>,
  duplicates: readonly Row<'contacts'>[],
): Promise<number> {
  const existing = await interactionContact
    .of(ctx, [survivor.id], 'contact_id')
    .select('interaction_contacts.interaction_id')
    .execute()
  const linkedIds = new Set<string>(existing.map((item) => item.interaction_id))
  const links = await interactionContact
    .of(
      ctx,
      duplicates.map((duplicate) => duplicate.id),
      'contact_id',
    )
    .selectAll('interaction_contacts')
    .execute()
  for (const link of links) {
    await ctx.remove('interaction_contacts', link)
    if (!linkedIds.has(link.interaction_id))
      await ctx.add('interaction_contacts', {
        interaction_id: link.interaction_id,
        contact_id: survivor.id,
        occurred_at: link.occurred_at,
      })
    linkedIds.add(link.interaction_id)
  }
  return new Set(links.map((link) => link.interaction_id)).size
}

async function moveDeals(
  ctx: WriteContext,
  survivor: Row<'contacts'>,
  duplicates: readonly Row<'contacts'>[],
): Promise<number> {
  const existing = await dealContact
    .of(ctx, [survivor.id], 'contact_id')
    .select('deal_contacts.deal_id')
    .execute()
  const linkedIds = new Set<string>(existing.map((item) => item.deal_id))
  const links = await dealContact
    .of(
      ctx,
      duplicates.map((duplicate) => duplicate.id),
      'contact_id',
    )
    .selectAll('deal_contacts')
    .execute()
  for (const link of links) {
    await ctx.remove('deal_contacts', link)
    if (!linkedIds.has(link.deal_id))
      await ctx.add('deal_contacts', { deal_id: link.deal_id, contact_id: survivor.id })
    linkedIds.add(link.deal_id)
  }
  return new Set(links.map((link) => link.deal_id)).size
}

/** Redirects the ids of the duplicates, and ids already redirected to them, to the surviving contact. */
async function redirectIds(
  ctx: WriteContext,
  survivor: Row<'contacts'>,
  duplicates: readonly Row<'contacts'>[],
): Promise<void> {
  const earlier = await contactRedirect
    .of(
      ctx,
      duplicates.map((duplicate) => duplicate.id),
    )
    .selectAll('contact_redirects')
    .execute()
  for (const item of earlier)
    await ctx.changePart('contact_redirects', item, { contact_id: survivor.id })
  for (const duplicate of duplicates)
    await ctx.add('contact_redirects', { old_id: duplicate.id, contact_id: survivor.id })
}

function presentDecision(
  { field, winner, losers }: MergeDecision,
  merged: z.infer<typeof ListedContact>,
  sides: readonly MergeInput[],
  rows: readonly Row<'contacts'>[],
  labels: ReadonlyMap<string, Row<'labels'>>,
) {
  const ref = (id: string) => contactRef(rows.find((row) => row.id === id)!)
  const column = field === 'company' || field === 'owner' ? (`${field}_id` as const) : field
  const value = field === 'labels' ? [...labels.values()].map((row) => row.name) : merged[field]
  return {
    field,
    value,
    ...(winner === undefined ? {} : { from: ref(winner) }),
    lost: losers.map((id) => ({
      contact: ref(id),
      value: sides.find((side) => side.id === id)![column],
    })),
  }
}
