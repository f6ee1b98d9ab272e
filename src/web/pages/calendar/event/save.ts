import type { ApiError } from '../../../api/problem.ts'
import { randomId, write, type RowChange } from '../../../store/index.ts'
import { rowTimes, type EventRow } from '../data/events.ts'
import { calendarTexts as t } from '../texts.ts'
import { seriesChanges, laneOf, scopeOf } from './actions.ts'
import { askScope, seriesScopes, type Scope } from './scope.ts'
import { patchOf, timeOfValues, type EventPatch, type EventValues } from './values.ts'
import { eventTitleOf } from './words.ts'

/** An edited event: old and new values, and the names added and removed. */
interface Edited {
  row: EventRow
  before: EventValues
  after: EventValues
  guests: { added: string[]; removed: string[] }
}

/** Result of saving: refused with the server's error, or kept because the person cancelled. */
export type Saved = { state: 'saved' | 'kept' } | { state: 'refused'; error: ApiError }

interface Change {
  row: EventRow
  text: string
  group: string
  scope: Scope
}

/** Saves the changes of an event form. Asks for the scope in a series. */
export async function saveEvent(edited: Edited): Promise<Saved> {
  const { row, before, after, guests } = edited
  const patch = patchOf(before, after)
  const isPatched = Object.keys(patch).length > 0
  if (!isPatched && guests.added.length + guests.removed.length === 0) return { state: 'saved' }
  const scope = await askScope(row, { choices: choicesFor(patch) })
  if (scope === undefined) return { state: 'kept' }
  const change = {
    row,
    scope,
    text: t.calendar.said.changed(eventTitleOf(after)),
    group: randomId(),
  }
  const target = { id: row.id, ...scopeOf(row, scope) }
  if (!isPatched) return savedOf(guestWrites(target, edited, change))
  const { text, group } = change
  const written = write(
    'update_event',
    { event_id: row.id, ...scopeOf(row, scope), ...patch },
    { rows: shownChanges(edited, scope), text, group, lane: laneOf(row) },
  )
  if (scope !== 'following') return savedOf([written, ...guestWrites(target, edited, change)])
  // The following events become a separate series with its own guests.
  const result = await written
  if (result.state !== 'done' || !result.value) return savedOf([written])
  return savedOf(guestWrites({ id: result.value.id, scope: 'all' }, edited, change))
}

/** A calendar applies to all events of a series, a rule at least to all following ones. */
function choicesFor(patch: EventPatch): readonly Scope[] {
  if (patch.calendar_id !== undefined) return ['all']
  return patch.rrule === undefined ? seriesScopes : ['following', 'all']
}

type Written = Promise<{ state: string; error?: ApiError }>

async function savedOf(writes: readonly Written[]): Promise<Saved> {
  const results = await Promise.all(writes)
  const error = results.find(({ state }) => state === 'refused')?.error
  return error ? { state: 'refused', error } : { state: 'saved' }
}

function guestWrites(
  target: { id: string; scope?: Scope },
  { guests: { added, removed } }: Edited,
  { row, text, group }: Change,
): Written[] {
  const how = { text, group, lane: laneOf(row), noticeSeconds: 0 }
  const scope = target.scope === undefined ? {} : { scope: target.scope }
  const adding = { event_id: target.id, attendees: added, ...scope }
  return [
    ...(added.length === 0 ? [] : [write('add_event_attendees', adding, how)]),
    ...removed.map((email) =>
      write('remove_event_attendee', { event_id: target.id, email, ...scope }, how),
    ),
  ]
}

/** Optimistic changes of an edit: of a series, the time belongs to the event whose form it was. */
function shownChanges({ row, before, after }: Edited, scope: Scope): RowChange[] {
  const [was, is] = [timeOfValues(before), timeOfValues(after)]
  const isMoved = JSON.stringify(was) !== JSON.stringify(is)
  const isOwnZone = after.allDay || after.zone === row.timezone
  const times = isMoved && isOwnZone ? rowTimes(is, row.timezone) : {}
  return seriesChanges(row, scope, (eventRow) => ({
    title: after.title.trim(),
    location: after.place.trim() || undefined,
    ...(eventRow.id === row.id ? times : {}),
  }))
}
