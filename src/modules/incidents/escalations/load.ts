import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { pagesIn, type IncidentIds, type EscalationPage } from './access.ts'
import { offsets } from '../on-call/offsets.ts'

export interface Load {
  person_id: Id<'users'>
  pages: number
  /** Pages between 22:00 and 07:00 in the person's time zone. */
  night_pages: number
}

/**
 * Counts pages per person in a period, including its last moment, for incidents that the caller sees, highest first.
 * People who were on call but not paged are left out.
 */
export async function onCallLoad(
  ctx: ReadContext,
  period: { from: number; to: number; incidentIds?: IncidentIds | undefined },
): Promise<Load[]> {
  const byPerson = Map.groupBy(await pagesIn(ctx, period), (page) => page.person_id)
  const loads = [...byPerson].map(([person_id, pages]) => ({
    person_id,
    pages: pages.length,
    night_pages: pages.filter(isAtNight).length,
  }))
  return loads.sort(
    (a, b) =>
      b.pages - a.pages || b.night_pages - a.night_pages || (a.person_id < b.person_id ? -1 : 1),
  )
}

function isAtNight({ paged_at, timezone }: EscalationPage): boolean {
  const [segment] = offsets(timezone, paged_at, paged_at + 1)
  const localHour = new Date(paged_at + segment!.offset).getUTCHours()
  return localHour >= 22 || localHour < 7
}
