import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { date, datetime, pageOf, paging, secret, shortText } from '../../../kernel/fields.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { operation } from '../../../operations/operation.ts'
import { cut, readPlace, pageWithItems, writePlace } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso, parseInstant, instantOfMinute } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { company, contact, deal, interaction } from '../access.ts'
import {
  findInteractions,
  interactionSources,
  newestFirst,
  type FoundInteraction,
} from './access.ts'
import { advanceLastContact } from './access-last-contact.ts'
import { requireNotGuest } from '../contacts/fields.ts'
import { Interaction, interactionKinds } from './interaction.ts'
import { presentLoggedInteractions } from './shapes.ts'
import type { InteractionShape } from './interaction.ts'

const maxContacts = 50
/** Tolerance for the caller's clock: an interaction may be dated this far in the future. */
const clockTolerance = 5 * 60_000

export const listInteractions = operation({
  name: 'list_interactions',
  searchHint:
    'when did we last talk, call log, history with a client, past calls, not heard from, ' +
    'no contact lately',
  kind: 'read',
  rest: 'GET /api/interactions',
  about: 'Calls, notes, meetings and your emails with a contact or company, newest first',
  on: {
    contact: contact.see.maybe,
    company: company.see.maybe,
    deal: deal.see.maybe.describe('only those logged with it'),
  },
  input: {
    kind: z.array(z.enum(interactionKinds)).min(1).max(6).optional(),
    after: datetime().optional(),
    before: datetime().optional(),
    ...paging,
  },
  output: pageOf(Interaction),
  async handle(
    { contact: contactRow, company, deal: dealRow, kind, after, before, limit, cursor },
    ctx,
  ) {
    const filter = {
      contact: contactRow,
      company,
      deal: dealRow,
      kinds: kind,
      after:
        after === undefined ? undefined : parseInstant(after, ctx.actor.timezone, 'start', 'after'),
      before:
        before === undefined
          ? undefined
          : parseInstant(before, ctx.actor.timezone, 'start', 'before'),
    }
    const place = cursor === undefined ? undefined : readPlace(newestFirst, cursor)
    const interactions = await findInteractions(ctx, filter, limit + 1, place)
    const page = cut(interactions, limit, ({ occurred_at, id }) =>
      writePlace(newestFirst, { occurred_at, id }),
    )
    return pageWithItems(page, await presentInteractions(ctx, page.items))
  },
})

async function presentInteractions(
  ctx: ReadContext,
  interactions: readonly FoundInteraction[],
): Promise<InteractionShape[]> {
  const idsIn = (table: FoundInteraction['source']) =>
    interactions
      .filter((foundInteraction) => foundInteraction.source === table)
      .map((foundInteraction) => foundInteraction.id)
  const logged = await presentLoggedInteractions(ctx, [
    ...(await interaction.among(ctx, idsIn('interactions'))).values(),
  ])
  const all = new Map(logged.map((item) => [item.id, item]))
  for (const { source, present } of interactionSources.entries)
    for (const item of await present(ctx, idsIn(source))) all.set(item.id, item)
  return interactions.flatMap((foundInteraction) => all.get(foundInteraction.id) ?? [])
}

const LoggedInteraction = Interaction.extend({
  reminder_at: z.iso.datetime().optional().describe('when you get a reminder of the next step'),
})

export const logInteraction = operation({
  name: 'log_interaction',
  searchHint: 'log a call, I called a client, note a visit, spoke with, met a customer',
  kind: 'write',
  rest: 'POST /api/interactions',
  creates: 'item',
  about: 'Record a call, note or visit with contacts',
  on: { contacts: contact.see.many, deal: deal.see.maybe },
  input: {
    kind: z.enum(['meeting', 'call', 'note', 'other']),
    summary_markdown: secret(z.string().min(1).max(50_000).regex(/\S/, 'must not be blank')),
    occurred_at: datetime().optional().describe('default: now; a date means the start of that day'),
    next_step: secret(shortText(500).regex(/\S/, 'must not be blank'))
      .optional()
      .describe('next step'),
    next_step_due: date()
      .optional()
      .describe(
        'you get a reminder on that day; to create a task, use create_task_from_source with the interaction id',
      ),
  },
  output: LoggedInteraction,
  async handle(
    { contacts, deal: dealRow, kind, summary_markdown, occurred_at, next_step, next_step_due },
    ctx,
  ) {
    requireNotGuest(ctx)
    if (contacts.length === 0) throw invalid('contact_ids', 'at least one contact is required.')
    if (contacts.length > maxContacts)
      throw invalid('contact_ids', `at most ${maxContacts} contacts are possible.`)
    if (next_step_due !== undefined && next_step === undefined)
      throw invalid('next_step_due', 'a due date requires a next step.', 'Also send next_step.')
    const at = occurredAtOf(ctx, occurred_at)
    const company_id = dealRow?.company_id ?? commonCompany(contacts)
    const row = await ctx.add('interactions', {
      kind,
      occurred_at: at,
      summary_markdown,
      company_id,
      deal_id: dealRow?.id ?? null,
      next_step: next_step?.trim() ?? null,
      next_step_due_on: next_step_due ?? null,
    })
    for (const item of contacts)
      await ctx.add('interaction_contacts', {
        interaction_id: row.id,
        contact_id: item.id,
        occurred_at: at,
      })
    await advanceLastContact(
      ctx,
      contacts.map((item) => item.id),
      company_id,
      at,
    )
    ctx.event('interaction.logged', 'interactions', row)
    await notifyInteraction(ctx, row, dealRow)
    const reminder_at = await createReminder(ctx, row, dealRow ?? contacts[0]!)
    return omitNullish({
      ...(await presentLoggedInteractions(ctx, [row]))[0]!,
      ...unresolvedMentions(ctx),
      reminder_at,
    })
  },
})

/** @throws Refusal if the time is in the future */
function occurredAtOf(ctx: ReadContext, text: string | undefined): number {
  if (text === undefined) return ctx.now
  const at = parseInstant(text, ctx.actor.timezone, 'start', 'occurred_at')
  if (at > ctx.now + clockTolerance)
    throw invalid(
      'occurred_at',
      `${iso(at)} is in the future.`,
      'Log only past interactions; use meetings and reminders for future ones.',
    )
  return Math.min(at, ctx.now)
}

function commonCompany(contacts: readonly Row<'contacts'>[]): Row<'contacts'>['company_id'] {
  const companyIds = new Set(contacts.map((row) => row.company_id))
  return companyIds.size === 1 ? [...companyIds][0]! : null
}

/** Notifies mentioned people, and the owner of the deal. */
async function notifyInteraction(
  ctx: WriteContext,
  row: Row<'interactions'>,
  dealRow: Row<'deals'> | undefined,
): Promise<void> {
  if (row.summary_markdown.includes('@')) {
    const people = await person
      .visibleTo(ctx)
      .select(['users.id', 'users.email', 'users.display_name'])
      .where('users.status', '=', 'active')
      .where('users.role', '<>', 'guest')
      .execute()
    ctx.notify(
      'mention',
      newMentions(ctx, row.summary_markdown, people),
      'interactions',
      row,
      `${ctx.actor.display_name} mentioned you in a ${row.kind === 'other' ? 'conversation' : row.kind} with a contact`,
    )
  }
  if (dealRow)
    ctx.notify(
      'comment',
      [dealRow.owner_id],
      'deals',
      dealRow,
      `${ctx.actor.display_name} logged a ${row.kind === 'other' ? 'conversation' : row.kind} on your deal`,
    )
}

/** Hours at which a reminder is sent on the due day; the first that has not passed is used. */
const reminderHours = [9, 13, 17, 21]

/** Creates a reminder of the next step for the actor, unless the key may not create reminders. */
async function createReminder(
  ctx: WriteContext,
  { next_step, next_step_due_on }: Row<'interactions'>,
  item: { id: string },
): Promise<string | undefined> {
  const entry = ctx.catalogue.find('create_reminder')
  if (next_step === null || next_step_due_on === null || !entry || ctx.refusalFor(entry))
    return undefined
  const at = reminderHours
    .map((hour) => instantOfMinute(next_step_due_on, hour * 60, ctx.actor.timezone))
    .find((value) => value > ctx.now)
  if (at === undefined) return undefined
  await ctx.call('create_reminder', { remind_at: iso(at), text: next_step, item_id: item.id })
  return iso(at)
}
