import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { notify, write } from '../../../store/index.ts'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import { t } from '../../../texts/index.ts'
import { addDays, dayOf } from '../../../ui/work/days.ts'

export type Schedule = Output<'list_on_call_schedules'>['items'][number]
export type RotaShift = NonNullable<Schedule['shifts']>[number]
export type Layer = Input<'create_on_call_schedule'>['layers'][number]

/** Number of days shown of the rotation. */
export const shownDays = 14

/** The schedules with their on-call people in the two weeks from a day. */
export const useSchedules = (from: string) =>
  useList('list_on_call_schedules', { from, to: addDays(from, shownDays - 1), limit: 50 })

/** The schedules of the coming weeks, shared by all components that show who is next. */
export const useUpcomingSchedules = () =>
  useList('list_on_call_schedules', { from: dayOf(), to: addDays(dayOf(), 60), limit: 50 })

export const useOnCallNow = () =>
  useList('get_on_call', { limit: 100 }, { refetchInterval: 60_000 })

const refetchRota = () => invalidateOperations('list_on_call_schedules', 'get_on_call')

/** Returns a function that formats a timestamp in a time zone. */
export function timeFormatIn(zone: string | undefined): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(zone !== undefined && { timeZone: zone }),
  })
  return (timestamp) => format.format(new Date(timestamp))
}

/** Assigns a substitute for part of a rotation; reports conflicts. */
export async function coverShift(
  input: Input<'create_on_call_override'>,
  name: string,
): Promise<void> {
  const result = await write('create_on_call_override', input, {
    text: words.override.done(name),
  })
  if (result.state === 'done') {
    const { conflicts = [], warnings = [] } = result.value ?? {}
    const notes = [...conflicts, ...warnings]
    if (notes.length > 0) notify({ text: notes.join(' '), seconds: 12, actions: [] })
  }
  await refetchRota()
}

/** Ends an override: the rotation applies again. */
export async function endOverride(id: string, schedule: string): Promise<void> {
  await write(
    'delete_on_call_override',
    { override_id: id },
    { text: t.tasks.changed(schedule, words.override.ended) },
  )
  await refetchRota()
}

/** Creates or changes a schedule; returns whether the server accepted it. */
export async function saveSchedule(
  existing: Schedule | undefined,
  input: Input<'create_on_call_schedule'>,
): Promise<boolean> {
  const { team_id: team, ...rest } = input
  const result = existing
    ? await write(
        'update_on_call_schedule',
        {
          ...rest,
          schedule_id: existing.id,
          team_id: team ?? null,
          expected_revision: existing.revision,
        },
        { text: t.tasks.changed(input.name, words.changed) },
      )
    : await write('create_on_call_schedule', input, { text: words.created(input.name) })
  await refetchRota()
  return result.state === 'done'
}

/** Moves a schedule to the trash; refused with an explanation if a service uses it. */
export async function removeSchedule({ id, name }: Schedule): Promise<void> {
  await write(
    'delete_on_call_schedule',
    { schedule_id: id },
    { text: t.tasks.changed(name, words.removed) },
  )
  await refetchRota()
}
