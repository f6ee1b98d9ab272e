import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { dayLength, iso } from '../../kernel/time/times.ts'
import type { ReadContext } from '../../operations/context.ts'
import { operation } from '../../operations/operation.ts'
import { mayCall } from '../../operations/prompts.ts'
import { trust, type Address, type Ref } from '../../records/shapes.ts'
import { approvalsWaiting } from './access-digest.ts'

const kinds = ['mail', 'mentions', 'invitations', 'blocking_tasks', 'approvals'] as const
type Kind = (typeof kinds)[number]

/** Invitations to events within this many days are listed. */
const invitationDays = 365

const WaitingItem = shape('WaitingItem', {
  id: z.string(),
  key: z.string().optional(),
  title: z.string(),
  waiting: z.array(z.string()).describe('people who wait, or the tasks that do'),
  since: datetimeString().optional(),
  url: z.string().optional(),
  trust,
})
type WaitingItemShape = z.infer<typeof WaitingItem>

const WaitingSection = shape('WaitingSection', {
  kind: z.enum(kinds),
  items: z.array(WaitingItem),
  has_more: z.boolean(),
  more: z
    .strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
    .optional()
    .describe('the call that lists all of them'),
})
type Section = z.infer<typeof WaitingSection>

export const getWaitingForMe = operation({
  name: 'get_waiting_for_me',
  searchHint:
    'who is waiting for me, what do people need from me, what do I owe, open requests to me, ' +
    'whom do I have to answer, what am I holding up',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/me/waiting',
  about:
    'Who waits for me: mail that asks for my answer, unread mentions, open invitations, my tasks that others wait for, approvals',
  input: {
    kinds: z.array(z.enum(kinds)).min(1).max(kinds.length).optional(),
    limit: z.int().min(1).max(50).default(10).describe('of each kind'),
  },
  output: z.strictObject({
    sections: z.array(WaitingSection).describe('kinds in which somebody waits'),
    none: z.array(z.enum(kinds)).describe('kinds in which nobody waits'),
  }),
  async handle({ kinds: wanted = [...kinds], limit }, ctx) {
    const sections: Section[] = []
    const none: Kind[] = []
    for (const kind of kinds.filter((item) => wanted.includes(item))) {
      const section = await waitingSectionOf(ctx, kind, limit)
      if (section && section.items.length > 0) sections.push(section)
      else if (section) none.push(kind)
    }
    return { sections, none }
  },
})

/** Undefined if the key may not read this kind. */
async function waitingSectionOf(
  ctx: ReadContext,
  kind: Kind,
  limit: number,
): Promise<Section | undefined> {
  if (kind === 'approvals') return approvals(ctx, limit)
  const list = lists[kind]
  if (!mayCall(ctx, list.tool)) return undefined
  const args = list.arguments(ctx)
  const page = await ctx.call<Page>(list.tool, { ...args, limit })
  return {
    kind,
    items: list.items(page.items, ctx),
    has_more: page.has_more,
    ...(page.has_more ? { more: { tool: list.tool, arguments: args } } : {}),
  }
}

interface Page {
  items: ListedItem[]
  has_more: boolean
}

/** An item of any list: some fields are common, the others specific to one or two lists. */
interface ListedItem {
  id: string
  key?: string
  title?: string
  subject?: string
  text?: string
  url?: string
  trust?: 'external'
  participants?: z.infer<typeof Address>[]
  waiting_since?: string
  last_message_at?: string
  shown_at?: string
  created_at?: string
  item?: Ref & { type: string }
  actor?: Ref
  organizer?: z.infer<typeof Address>
  series_id?: string
  blocks?: Ref[]
}

interface WaitingList {
  tool: string
  arguments(ctx: ReadContext): Record<string, unknown>
  items(items: readonly ListedItem[], ctx: ReadContext): WaitingItemShape[]
}

const lists: Record<Exclude<Kind, 'approvals'>, WaitingList> = {
  mail: {
    tool: 'list_email_threads',
    arguments: () => ({ awaiting: 'me' }),
    items: (threads, ctx) =>
      threads.map(
        ({ id, subject, participants = [], waiting_since, last_message_at, url, trust }) =>
          omitNullish({
            id,
            title: subject || '(no subject)',
            waiting: participants.flatMap((person) => othersName(person, ctx)),
            since: waiting_since ?? last_message_at,
            url,
            trust,
          }),
      ),
  },
  mentions: {
    tool: 'list_notifications',
    arguments: () => ({ unread: true, kind: ['mention'] }),
    items: (notifications) =>
      notifications.flatMap(({ item, actor, text, shown_at, url, trust }) =>
        item
          ? omitNullish({
              id: item.id,
              key: item.key,
              title: item.title ?? text ?? '',
              waiting: actor ? [actor.title] : [],
              since: shown_at,
              url,
              trust: trust ?? item.trust,
            })
          : [],
      ),
  },
  invitations: {
    tool: 'list_events',
    arguments: ({ now }) => ({
      from: iso(now),
      to: iso(now + invitationDays * dayLength),
      response: 'needs_action',
    }),
    items: (events, ctx) =>
      events
        .filter(({ series_id }, at) => isFirstOfSeries(events, series_id, at))
        .map(({ id, title = '', organizer, created_at, url, trust }) =>
          omitNullish({
            id,
            title,
            waiting: organizer ? othersName(organizer, ctx) : [],
            since: created_at,
            url,
            trust,
          }),
        ),
  },
  blocking_tasks: {
    tool: 'list_tasks',
    arguments: () => ({ assignee: 'me', blocking: true }),
    items: (tasks) =>
      tasks.map(({ id, key, title = '', blocks = [], url, trust }) =>
        omitNullish({
          id,
          key,
          title,
          waiting: blocks.map((task) => `${task.key} ${task.title}`),
          url,
          trust,
        }),
      ),
  },
}

/** An answer to one event of a series covers all of them, so only the first is listed. */
function isFirstOfSeries(
  events: readonly ListedItem[],
  series: string | undefined,
  index: number,
): boolean {
  return series === undefined || events.findIndex((event) => event.series_id === series) === index
}

/** A person's name or address; empty for the caller. */
function othersName(person: z.infer<typeof Address>, { actor }: ReadContext): string[] {
  const { name, email } = person
  return email === actor.email ? [] : [name ?? email ?? ''].filter((text) => text !== '')
}

/** Held calls are decided by the person in the web app; no list of them is open to a key. */
async function approvals(ctx: ReadContext, limit: number): Promise<Section> {
  const { count, newest } = await approvalsWaiting(ctx, limit)
  return {
    kind: 'approvals',
    items: newest.map(({ id, tool, created_at }) => ({
      id,
      title: tool,
      waiting: ['an assistant of yours'],
      since: iso(created_at),
      url: `${ctx.baseUrl}/approvals`,
    })),
    has_more: count > newest.length,
  }
}
