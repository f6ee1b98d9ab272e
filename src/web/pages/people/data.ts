import type { Input, Output } from '../../api/client.ts'
import { invalidateOperations } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { dayOf, daysBetween, longDay } from '../../ui/work/days.ts'

export type Colleague = Output<'get_person'>
export type Absence = Output<'list_time_off'>['items'][number]

const { timeOff: words } = peopleTexts

/** Reloads displayed time off and absences. */
const refetchTimeOff = () => invalidateOperations('list_time_off')

/** The days of an absence in words: “Mon 30 Nov – Fri 4 Dec”. */
export function absenceDays({
  starts_on: from,
  ends_on: to,
}: Pick<Absence, 'starts_on' | 'ends_on'>) {
  return from === to ? longDay(from) : `${longDay(from)} – ${longDay(to)}`
}

/** Length of an absence in calendar days. */
export const absenceLength = ({ starts_on: from, ends_on: to }: Absence) =>
  daysBetween(from, to) + 1

/** True if a person is absent on a day. */
export const isAwayOn = ({ starts_on: from, ends_on: to }: Absence, day: string = dayOf()) =>
  from <= day && day <= to

/** Records the reader's time off; returns whether it worked. */
export async function addTimeOff(input: Input<'create_time_off'>): Promise<boolean> {
  const result = await write('create_time_off', input, { text: words.added(absenceDays(input)) })
  await refetchTimeOff()
  return result.state === 'done'
}

/** Cancels the reader's time off. */
export async function cancelTimeOff(absence: Absence): Promise<void> {
  await write(
    'cancel_time_off',
    { time_off_id: absence.id },
    { text: words.cancelled(absenceDays(absence)) },
  )
  await refetchTimeOff()
}
