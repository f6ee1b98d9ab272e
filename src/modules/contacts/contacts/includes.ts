import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { task } from '../../tasks/access.ts'
import { meetingsWith, tasksOfContact } from './access-includes.ts'
import { contactRef, type Contact, dealsOf, type Interaction, presentContact } from '../shapes.ts'

export const includes = ['interactions', 'deals', 'tasks', 'meetings'] as const
export type Include = (typeof includes)[number]

/** Maximum number of related items of each kind. */
const maxRelated = 20

/** A contact with the requested related items, as far as the reader can see them. */
export async function presentContactWith(
  ctx: ReadContext,
  row: Row<'contacts'>,
  wanted: ReadonlySet<Include>,
): Promise<z.infer<typeof Contact>> {
  const listed = await presentContact(ctx, row)
  const cuts = new SectionCuts()
  const deals = wanted.has('deals') ? { deals: await dealDetails(ctx, row) } : {}
  const interactions = wanted.has('interactions')
    ? { interactions: await lastInteractions(ctx, row, cuts) }
    : {}
  const tasks = wanted.has('tasks')
    ? { tasks: await presentTasksOfContact(ctx, row, listed.emails, cuts) }
    : {}
  const meetings = wanted.has('meetings')
    ? { meetings: await latestMeetings(ctx, listed.emails, cuts) }
    : {}
  return { ...listed, ...deals, ...interactions, ...tasks, ...meetings, ...cuts.report() }
}

async function latestMeetings(
  ctx: ReadContext,
  emails: readonly string[],
  cuts: SectionCuts,
): Promise<NonNullable<z.infer<typeof Contact>['meetings']>> {
  const rows = await meetingsWith(ctx, emails, maxRelated + 1)
  return cuts.take('meetings', rows, maxRelated, 'list_meetings').map((meeting) => ({
    id: meeting.id,
    title: meeting.title,
    at: iso(meeting.takes_place_at),
  }))
}

async function lastInteractions(
  ctx: ReadContext,
  row: Row<'contacts'>,
  cuts: SectionCuts,
): Promise<z.infer<typeof Interaction>[]> {
  const { items, has_more } = await ctx.call<{
    items: z.infer<typeof Interaction>[]
    has_more: boolean
  }>('list_interactions', { contact_id: row.id, limit: maxRelated })
  cuts.note('interactions', has_more, 'list_interactions')
  return items
}

async function dealDetails(
  ctx: ReadContext,
  row: Row<'contacts'>,
): Promise<z.infer<typeof Contact>['deals']> {
  const deals = (await dealsOf(ctx, [row.id])).get(row.id) ?? []
  return deals.map((deal) => ({
    ...contactRef(deal),
    stage: deal.stage,
    status: deal.status,
    currency: deal.currency,
    ...(deal.amount === null ? {} : { amount: deal.amount }),
    ...(deal.expected_close_on === null ? {} : { expected_close_on: deal.expected_close_on }),
  }))
}

async function presentTasksOfContact(
  ctx: ReadContext,
  row: Row<'contacts'>,
  emails: readonly string[],
  cuts: SectionCuts,
): Promise<NonNullable<z.infer<typeof Contact>['tasks']>> {
  const rows = await tasksOfContact(ctx, row.id, emails, maxRelated + 1)
  return cuts.take('tasks', rows, maxRelated, 'search_tasks').map((item) => ({
    id: item.id,
    title: item.title,
    key: item.key,
    url: task.url(item as Row<'tasks'>, ctx.baseUrl),
    status: item.status_category,
  }))
}
