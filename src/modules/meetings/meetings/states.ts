import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

type Meeting = Row<'meetings'>
type State = Meeting['status']

/**
 * Columns that change with the state of a meeting: planned → live → ended, and ended → live within a day. Times not
 * yet set are set to the time of the change.
 * @throws Refusal conflict for every other transition
 */
export function stateTransition(row: Meeting, to: State, now: number): Partial<Meeting> {
  if (row.status === to) return {}
  if (row.status === 'planned' && to === 'live')
    return { status: to, starts_at: row.starts_at ?? now, takes_place_at: row.starts_at ?? now }
  if (row.status === 'live' && to === 'ended')
    return {
      status: to,
      ended_at: now,
      ends_at: row.ends_at ?? Math.max(now, row.starts_at ?? now),
    }
  if (row.status === 'ended' && to === 'live' && now - row.ended_at! <= dayLength)
    return {
      status: to,
      ended_at: null,
      ends_at: row.ends_at === row.ended_at ? null : row.ends_at,
    }
  throw new Refusal('conflict', `status: this meeting is ${row.status} and cannot become ${to}.`, {
    field: 'status',
    hint: hintFor(row.status, to),
    context: { status: row.status },
  })
}

function hintFor(from: State, to: State): string {
  if (from === 'planned') return 'Set it to live first, then to ended.'
  if (to === 'planned')
    return 'A meeting that has started cannot be planned again; create a new one.'
  return 'It ended more than a day ago; create a new meeting.'
}

/** A meeting with an end in the past is a record: it starts as ended. */
export function stateAtStart(
  endsAt: number | null,
  now: number,
): Pick<Meeting, 'status' | 'ended_at'> {
  return endsAt !== null && endsAt <= now
    ? { status: 'ended', ended_at: endsAt }
    : { status: 'planned', ended_at: null }
}
