import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import { maxContainers } from '../../../search/full-text.ts'
import type { Id } from '../../../kernel/ids.ts'
import { equals, applyFilters, filters, since } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { decision, meeting } from '../access.ts'
import { decidedBy } from './access-lists.ts'
import { Decision } from '../shapes.ts'
import { presentDecisions } from './presenter.ts'
import { requireEveryWord } from '../transcripts/words.ts'

export const recordDecision = operation({
  name: 'record_decision',
  searchHint: 'we agreed, decided, write down a decision, ADR, resolution',
  kind: 'write',
  rest: 'POST /api/decisions',
  creates: 'item',
  about:
    'Record a decision with reason, options rejected and who decided; goes into the knowledge graph',
  on: {
    meeting: meeting.edit.maybe.describe(
      'its readers can read the decision, unless project_id is sent',
    ),
    project: project.edit.maybe.describe(
      'its members can read the decision; without project or meeting, the whole organization can',
    ),
    deciders: person.see.many.maybe.named('decided_by'),
    supersedes: decision.edit.maybe
      .named('supersedes_id')
      .describe('the decision that this one replaces'),
  },
  input: {
    title: title(),
    decision_markdown: markdown().min(1).describe('what was decided, and why'),
    decided_at: datetime().optional().describe('default: that of the meeting, else now'),
    alternatives: z
      .array(z.string().min(1).max(2000))
      .max(50)
      .optional()
      .describe('options that were rejected'),
  },
  output: Decision,
  async handle(
    {
      meeting,
      project: projectRow,
      deciders = [],
      supersedes,
      title,
      decision_markdown,
      decided_at,
      alternatives = [],
    },
    ctx,
  ) {
    if (supersedes) await requireNotSuperseded(ctx, supersedes)
    const row = await ctx.add('decisions', {
      scope: scopeOf(projectRow, meeting),
      project_id: projectRow?.id ?? meeting?.project_id ?? null,
      meeting_id: meeting?.id ?? null,
      title: title.trim(),
      decision_markdown,
      alternatives_json: JSON.stringify(alternatives),
      decided_by_json: JSON.stringify(deciders.map((decider) => decider.id)),
      decided_at:
        decided_at === undefined
          ? decidedAtOf(meeting, ctx.now)
          : parseInstant(decided_at, ctx.actor.timezone, 'start', 'decided_at'),
    })
    if (supersedes) await ctx.change('decisions', supersedes, { superseded_by_id: row.id })
    ctx.event('decision.recorded', 'decisions', row)
    ctx.notify(
      'mention',
      deciders.map((decider) => decider.id),
      'decisions',
      row,
      `${ctx.actor.display_name} recorded a decision of yours`,
    )
    return presentDecision(ctx, row)
  },
})

/** Default time of a decision: the time of its meeting, or now if the meeting is in the future. */
function decidedAtOf(meeting: Row<'meetings'> | undefined, now: number): number {
  return meeting ? Math.min(meeting.takes_place_at, now) : now
}

/** A decision can be superseded only once; a further one has to supersede the decision in force. */
async function requireNotSuperseded(ctx: WriteContext, earlier: Row<'decisions'>): Promise<void> {
  if (earlier.superseded_by_id === null) return
  const last = await lastInChain(ctx, earlier)
  throw new Refusal('conflict', 'supersedes_id: this decision has already been replaced.', {
    field: 'supersedes_id',
    ...(last
      ? {
          hint: 'Supersede the current decision instead.',
          context: { superseded_by: { id: last.id, title: last.title } },
        }
      : {}),
  })
}

/** The last visible decision in the chain of those that superseded an earlier one; undefined if none is visible. */
async function lastInChain(
  ctx: ReadContext,
  earlier: Row<'decisions'>,
): Promise<Row<'decisions'> | undefined> {
  let last: Row<'decisions'> | undefined
  for (let next = earlier.superseded_by_id; next !== null; next = last.superseded_by_id) {
    const successor = await decision.find(ctx, next)
    if (!successor) return last
    last = successor
  }
  return last
}

const decisionFilters = filters('decisions', {
  project: equals('decisions.project_id', project.see.maybe),
  meeting: equals('decisions.meeting_id', meeting.see.maybe),
  person: {
    input: person.see.maybe.describe('who decided'),
    where: (query, id) => query.where(decidedBy(id)),
  },
  after: since('decisions.decided_at', 'decided since'),
})

export const listDecisions = operation({
  name: 'list_decisions',
  searchHint: 'what was decided, agreements, why did we choose, decision log, what did we agree',
  kind: 'read',
  rest: 'GET /api/decisions',
  about: 'Decisions by project, topic, person or period; replaced ones on request',
  on: decisionFilters.on,
  input: {
    query: shortText(500).optional().describe('words of the title, the text or the options'),
    ...decisionFilters.input,
    include_superseded: z.boolean().default(false).describe('also replaced decisions'),
    ...paging,
  },
  output: pageOf(Decision),
  async handle({ query, include_superseded, limit, cursor, ...filter }, ctx) {
    const filtered = await applyFilters(ctx, decision.visibleTo(ctx), decisionFilters, filter)
    let decisionQuery = filtered.selectAll('decisions')
    if (!include_superseded)
      decisionQuery = decisionQuery.where('decisions.superseded_by_id', 'is', null)
    if (query?.trim()) {
      const ids = await idsMatching(ctx, query)
      decisionQuery = decisionQuery.where((eb) =>
        eb.or([containsText(['decisions.title'], query.trim()), eb('decisions.id', 'in', ids)]),
      )
    }
    const page = await paged(
      decisionQuery,
      [
        { by: 'decisions.decided_at', as: 'decided_at', dir: 'desc' },
        { by: 'decisions.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentDecisions(ctx, page.items))
  },
})

async function idsMatching(ctx: ReadContext, query: string): Promise<Id<'decisions'>[]> {
  const words = requireEveryWord(query)
  if (words === undefined) return []
  return (
    await itemsWithWords(ctx, words, {
      resource: decision,
      containers: await searchContainers(ctx),
    })
  ).map((match) => match.id as Id<'decisions'>)
}

/** Search containers of visible decisions: organization, projects and meetings; undefined if too many. */
async function searchContainers(ctx: ReadContext): Promise<string[] | undefined> {
  const projects = await project
    .visibleTo(ctx)
    .select('projects.id')
    .limit(maxContainers + 1)
    .execute()
  const meetingIds = await decision
    .visibleTo(ctx)
    .where('decisions.scope', '=', 'meeting')
    .select('decisions.meeting_id')
    .distinct()
    .limit(maxContainers + 1)
    .execute()
  const containers = [
    ctx.actor.org_id,
    ...projects.map((row) => row.id),
    ...meetingIds.flatMap((row) => row.meeting_id ?? []),
  ]
  return containers.length > maxContainers ? undefined : containers
}

async function presentDecision(ctx: ReadContext, row: Row<'decisions'>) {
  return (await presentDecisions(ctx, [row]))[0]!
}

function scopeOf(
  project: Row<'projects'> | undefined,
  meeting: Row<'meetings'> | undefined,
): Row<'decisions'>['scope'] {
  if (project) return 'project'
  return meeting ? 'meeting' : 'organization'
}
