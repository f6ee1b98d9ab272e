import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { itemLinks } from '../../knowledge/shapes.ts'
import { taskRef } from '../../tasks/shapes.ts'
import { incident } from '../access.ts'
import { followUps, maxFollowUps } from './follow-ups.ts'
import { postmortemOf } from '../postmortems/presenter.ts'
import { runbooksOf } from '../runbooks/progress.ts'
import { presentIncidents, type IncidentShape } from '../shapes.ts'
import { maxIncidentUpdates, updatesOf } from '../status-page/presenter.ts'
import { lastEntries } from './timeline.ts'

export const parts = ['timeline', 'links', 'updates', 'postmortem', 'tasks'] as const
export type IncidentPart = (typeof parts)[number]

const maxEntries = 100
const maxLinks = 50

/** One incident with the requested parts, from its current row. */
export async function presentIncident(
  ctx: ReadContext,
  row: Row<'incidents'>,
  include: readonly IncidentPart[] = [],
): Promise<IncidentShape> {
  const [listed] = await presentIncidents(ctx, [row])
  const shape: IncidentShape = listed!
  const runbooks = await runbooksOf(ctx, row)
  if (runbooks.length > 0) shape.runbooks = runbooks
  const cuts = new SectionCuts()
  if (include.includes('updates'))
    shape.status_updates = cuts.take(
      'status_updates',
      await updatesOf(ctx, row),
      maxIncidentUpdates,
      'search_workspace with types ["status_update"]',
    )
  if (include.includes('postmortem')) shape.postmortem = (await postmortemOf(ctx, row)) ?? null
  if (include.includes('tasks'))
    shape.follow_up_tasks = cuts
      .take(
        'follow_up_tasks',
        await followUps(ctx, row.id, maxFollowUps + 1),
        maxFollowUps,
        'find_related_items with relations ["derived_from"]',
      )
      .map(taskRef)
  if (include.includes('links'))
    shape.links = cuts.take(
      'links',
      await itemLinks(ctx, row.id, maxLinks + 1),
      maxLinks,
      'find_related_items with relations ["linked"]',
    )
  if (!include.includes('timeline')) return { ...shape, ...cuts.report() }
  const { entries, hasMore } = await lastEntries(ctx, row, maxEntries)
  cuts.note('timeline', hasMore, 'list_incident_timeline')
  return { ...shape, timeline: entries, ...cuts.report() }
}

/** One incident, read again to include this call's changes. */
export async function presentCurrent(
  ctx: ReadContext,
  id: Id<'incidents'>,
): Promise<IncidentShape> {
  const row = (await incident.among(ctx, [id])).get(id)
  if (!row) throw notFound('incident')
  return presentIncident(ctx, row)
}
