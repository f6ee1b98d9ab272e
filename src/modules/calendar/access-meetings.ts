import { meeting } from '../meetings/access.ts'
import type { Row } from '../../core/resource.ts'
import type { Seer } from '../../core/sight.ts'

/** The meetings that the caller sees of events or occurrences, by the id of what they belong to. */
export async function meetingsOf(from: Seer, ids: readonly string[]): Promise<Map<string, Pick<Row<'meetings'>, 'id' | 'title'>>> {
  const wanted = [...new Set(ids.flatMap(id => [id, id.slice(0, 30)]))]
  if (wanted.length === 0) return new Map()
  const rows = await meeting.seen(from).select(['meetings.id', 'meetings.title', 'meetings.event_id']).where('meetings.event_id', 'in', wanted).orderBy('meetings.id').execute()
  return new Map(rows.map(row => [row.event_id!, row]))
}
