import type { ApiError } from '../../../api/problem.ts'
import { randomId, write, type RowChange } from '../../../store/index.ts'
import { rowTimes, type EventRow } from '../data/events.ts'
import { calendarTexts as t } from '../texts.ts'
import { seriesChanges, laneOf, scopeArgs } from './actions.ts'
import { askScope, seriesScopes, type Scope } from './scope.ts'
import { patchOf, timeOfValues, type EventPatch, type EventValues } from './values.ts'
import { eventTitleOf } from './words.ts'

/** An edited event: old and new values, and the names added and removed. */
interface EventEdit {
  row: EventRow
  before: EventValues
  after: EventValues
  guests: { added: string[]; removed: string[] }
}

/** Result of saving: refused with the server's error, or kept because the person cancelled. */
export type SaveResult = { state: 'saved' | 'kept' } | { state: 'refused'; error: ApiError }

interface Change {
  row: EventRow
  text: string
  group: string
  scope: Scope
}

/** Saves the changes of an event form. Asks for the scope in a series. */
export async function saveEvent(edit: EventEdit): Promise<SaveResult> {
  const { row, before, after, guests } = edit
  const patch = patchOf(before, after)
  const isPatched = Object.keys(patch).length > 0
  if (!isPatched && guests.added.length + guests.removed.length === 0) return { state: 'saved' }
  const scope = await askScope(row, { choices: scopesFor(patch) })
  if (scope === undefined) return { state: 'kept' }
  const change = {
    row,
    scope,
    text: t.calendar.said.changed(eventTitleOf(after)),
    group: randomId(),
  }
  const target = { id: row.id, ...scopeArgs(row, scope) }
  if (!isPatched) return saveResultOf(guestWrites(target, edit, change))
  const { text, group } = change
  const update = write(
    'update_event',
    { event_id: row.id, ...scopeArgs(row, scope), ...patch },
    { rows: optimisticChanges(edit, scope), text, group, lane: laneOf(row) },
  )
  if (scope !== 'following') return saveResultOf([update, ...guestWrites(target, edit, change)])
  // The following events become a separate series with its own guests.
  const result = await update
  if (result.state !== 'done' || !result.value) return saveResultOf([update])
  return saveResultOf(guestWrites({ id: result.value.id, scope: 'all' }, edit, change))
}

/** Scopes to offer: a new calendar affects the whole series, a new rule at least the following events. */
function scopesFor(patch: EventPatch): readonly Scope[] {
  if (patch.calendar_id !== undefined) return ['all']
  return patch.rrule === undefined ? seriesScopes : ['following', 'all']
}

type PendingWrite = Promise<{ state: string; error?: ApiError }>

async function saveResultOf(writes: readonly PendingWrite[]): Promise<SaveResult> {
  const results = await Promise.all(writes)
  const error = results.find(({ state }) => state === 'refused')?.error
  return error ? { state: 'refused', error } : { state: 'saved' }
}

function guestWrites(
  target: { id: string; scope?: Scope },
  { guests: { added, removed } }: EventEdit,
  { row, text, group }: Change,
): PendingWrite[] {
  const options = { text, group, lane: laneOf(row), noticeSeconds: 0 }
  const scope = target.scope === undefined ? {} : { scope: target.scope }
  const addInput = { event_id: target.id, attendees: added, ...scope }
  return [
    ...(added.length === 0 ? [] : [write('add_event_attendees', addInput, options)]),
    ...removed.map((email) =>
      write('remove_event_attendee', { event_id: target.id, email, ...scope }, options),
    ),
  ]
}

/** Optimistic changes of an edit; in a series, the new time is shown only for the edited event. */
function optimisticChanges({ row, before, after }: EventEdit, scope: Scope): RowChange[] {
  const [oldTime, newTime] = [timeOfValues(before), timeOfValues(after)]
  const isMoved = JSON.stringify(oldTime) !== JSON.stringify(newTime)
  const isOwnZone = after.allDay || after.zone === row.timezone
  const times = isMoved && isOwnZone ? rowTimes(newTime, row.timezone) : {}
  return seriesChanges(row, scope, (eventRow) => ({
    title: after.title.trim(),
    location: after.place.trim() || undefined,
    ...(eventRow.id === row.id ? times : {}),
  }))
}
