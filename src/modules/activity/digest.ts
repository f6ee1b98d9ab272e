import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, datetimeString } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { mayCall } from '../../operations/prompts.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { ItemRef } from '../../records/resource.ts'
import { dayLength, parseInstant, iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import {
  approvalsWaiting,
  digestChanges,
  digestItemRefs,
  lastActiveAt,
  type DigestChange,
} from './access-digest.ts'
import {
  digestKinds as kinds,
  digestSources,
  Section,
  shortTitle,
  withoutZeros,
  type EntryShape,
  type DigestKind,
  type SectionShape,
} from './digest-shapes.ts'
import { verbOf, viaGroup } from './changes/verbs.ts'

/** Kinds of a digest based on changes: their item types, and the tool that shows more. */
const changeKinds = {
  tasks: { types: ['task'], tool: 'list_tasks' },
  meetings: { types: ['meeting', 'decision'], tool: 'list_meetings' },
  incidents: { types: ['incident'], tool: 'list_incidents' },
  pages: { types: ['page'], tool: 'list_pages' },
  goals: { types: ['goal'], tool: 'list_goals' },
} as const
/** Items named per kind: fewer if the answer has many kinds. */
const maxNamedFor = (kinds: number) => (kinds > 2 ? 3 : 8)
const maxPeriodMs = 90 * dayLength

/** Order of verbs in a digest: higher weights come first, unlisted ones last. */
const weights: Record<string, number> = {
  opened: 9,
  created: 3,
  resolved: 8,
  severity_changed: 8,
  assigned: 8,
  completed: 7,
  reopened: 7,
  recorded: 7,
  ended: 6,
  commented: 6,
  checked_in: 6,
  deleted: 5,
  overdue: 5,
  unblocked: 5,
}

const Digest = shape('Digest', {
  since: datetimeString(),
  until: datetimeString(),
  since_is: z
    .enum(['given', 'last_here', 'yesterday'])
    .describe('last_here: your last call before a four-hour pause; yesterday: no such call'),
  sections: z.array(Section).describe('kinds with news'),
  quiet: z.array(z.enum(kinds)).describe('kinds without news'),
  cut: z
    .boolean()
    .describe(
      'true: counts cover only the newest changes of a long period; sections that name fewer items than there are have more',
    ),
})
type DigestShape = z.infer<typeof Digest>

export const getDigest = operation({
  name: 'get_digest',
  searchHint:
    'catch me up, summary of yesterday, what did I miss, ' +
    'since I was last here, recap, daily summary, while I was on holiday',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/me/digest',
  about:
    'What happened while I was away, by kind: counts, the most important items, who did what, what needs my answer',
  input: {
    since: datetime().optional().describe('default: your last call before a four-hour pause'),
    until: datetime().optional().describe('default: now'),
    kinds: z.array(z.enum(kinds)).min(1).max(kinds.length).optional(),
  },
  output: Digest,
  async handle({ since, until, kinds: wanted = [...kinds] }, ctx) {
    const period = await periodOf(ctx, since, until)
    const readable = kinds.filter((kind) => wanted.includes(kind) && mayReadKind(ctx, kind))
    const maxNamed = maxNamedFor(readable.length)
    const news = await changedSections(ctx, readable, period, maxNamed)
    const sections = [...news.sections]
    for (const source of digestSources.entries)
      if (readable.includes(source.kind))
        sections.push(await source.section(ctx, { ...period, maxItems: maxNamed }))
    if (readable.includes('approvals')) sections.push(await approvalsSection(ctx, maxNamed))
    const withNews = sections.filter((section) => Object.keys(section.counts).length > 0)
    return {
      since: iso(period.since),
      until: iso(period.until),
      since_is: period.since_is,
      sections: kinds.flatMap((kind) => withNews.filter((section) => section.kind === kind)),
      quiet: readable.filter((kind) => !withNews.some((section) => section.kind === kind)),
      cut: news.isCut,
    }
  },
})

interface Period {
  since: number
  until: number
  since_is: DigestShape['since_is']
}

/** @throws Refusal invalid_argument for an invalid or too long period */
async function periodOf(
  ctx: ReadContext,
  since: string | undefined,
  until: string | undefined,
): Promise<Period> {
  const zone = ctx.actor.timezone
  const end =
    until === undefined ? ctx.now : Math.min(ctx.now, parseInstant(until, zone, 'end', 'until'))
  const last = since === undefined ? await lastActiveAt(ctx) : undefined
  const start =
    since === undefined ? (last ?? end - dayLength) : parseInstant(since, zone, 'start', 'since')
  if (start >= end) throw invalid('since', 'must be in the past and before until.')
  if (end - start > maxPeriodMs) {
    throw invalid(
      'since',
      'a digest covers at most 90 days.',
      'Use list_changes for longer periods.',
    )
  }
  if (since !== undefined) return { since: start, until: end, since_is: 'given' }
  return { since: start, until: end, since_is: last === undefined ? 'yesterday' : 'last_here' }
}

/** Whether the key may read this kind elsewhere; approvals are the person's own. */
function mayReadKind(ctx: ReadContext, kind: DigestKind): boolean {
  const source = digestSources.entries.find((entry) => entry.kind === kind)
  const tool =
    kind in changeKinds ? changeKinds[kind as keyof typeof changeKinds].tool : source?.tool
  return tool === undefined || mayCall(ctx, tool)
}

async function changedSections(
  ctx: ReadContext,
  readable: readonly DigestKind[],
  { since, until }: Period,
  maxItems: number,
): Promise<{ sections: SectionShape[]; isCut: boolean }> {
  const wanted = readable.filter((kind) => kind in changeKinds) as (keyof typeof changeKinds)[]
  const types = wanted.flatMap((kind) => [...changeKinds[kind].types])
  if (types.length === 0) return { sections: [], isCut: false }
  const changes = await digestChanges(ctx, { types, since, until })
  const items = await digestItemRefs(ctx, changes.rows, ctx.baseUrl)
  const visible = changes.rows.filter((row) => items.refs.has(row.item_id))
  const people = await peopleRefs(
    ctx,
    visible.map((row) => row.actor_id),
  )
  const nameOf = (row: DigestChange) =>
    displayActor(people.get(row.actor_id)?.title ?? '?', row.via)
  const sections = wanted.map((kind) => {
    const sectionTypes: readonly string[] = changeKinds[kind].types
    const rows = visible.filter((row) => sectionTypes.includes(row.item_type))
    return digestSectionOf(kind, rows, items.refs, nameOf, maxItems)
  })
  return { sections, isCut: changes.isCut || items.isCut }
}

function displayActor(name: string, via: string): string {
  if (via === 'web' || via === 'cli') return name
  return `${name} (${viaGroup(via) === 'automation' ? 'automation' : 'assistant'})`
}

function digestSectionOf(
  kind: keyof typeof changeKinds,
  rows: readonly DigestChange[],
  refs: ReadonlyMap<string, ItemRef>,
  nameOf: (row: DigestChange) => string,
  maxItems: number,
): SectionShape {
  const counts: Record<string, number> = {}
  const entries = [...Map.groupBy(rows, (row) => row.item_id)].map(([id, rowsOfItem]) => {
    const what = [...new Set(rowsOfItem.map(verbIn))]
    for (const verb of what) counts[verb] = (counts[verb] ?? 0) + 1
    const { key, title, trust } = refs.get(id)!
    const entry: EntryShape = omitNullish({
      id,
      key,
      title: shortTitle(title),
      what: what.slice(0, 4),
      by: [...new Set(rowsOfItem.map(nameOf))].slice(0, 3),
      at: iso(rowsOfItem[0]!.at),
      trust,
    })
    return { entry, weight: Math.max(...what.map((verb) => weights[verb] ?? 1)) }
  })
  const ranked = entries.toSorted(
    (a, b) => b.weight - a.weight || (a.entry.at < b.entry.at ? 1 : -1),
  )
  const items = ranked.slice(0, maxItems).map(({ entry }) => entry)
  const more = entries.length > maxItems ? { more: changeKinds[kind].tool } : {}
  return { kind, counts, items, ...more }
}

function verbIn({ op, events_json }: DigestChange): string {
  return verbOf(op, JSON.parse(events_json) as string[])
}

async function approvalsSection(ctx: ReadContext, maxItems: number): Promise<SectionShape> {
  const { count, newest } = await approvalsWaiting(ctx, maxItems)
  const items = newest.map(({ id, tool, created_at }) => ({
    id,
    title: tool,
    what: ['awaits your approval'],
    by: [],
    at: iso(created_at),
  }))
  const more = count > maxItems ? { more: 'list_approvals' } : {}
  return {
    kind: 'approvals',
    counts: withoutZeros({ waiting: count }),
    items,
    ...more,
    standing: true,
  }
}
