import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { pulseTexts as words } from '../../../texts/en/company/pulses.ts'
import { t } from '../../../texts/index.ts'

export type PulseData = Output<'list_pulses'>['items'][number]
export type PulseReportData = Output<'get_pulse_report'>
export type PulseQuestionData = PulseData['questions'][number]
type PulseChange = Omit<Input<'update_pulse'>, 'pulse_id' | 'expected_revision'>

/** Reloads the displayed pulses. */
const refetchPulses = () => invalidateOperations('list_pulses', 'get_item', 'get_pulse_report')

/** Creates a pulse; undefined if the server refused. */
export async function createPulse(input: Input<'create_pulse'>): Promise<PulseData | undefined> {
  const result = await write('create_pulse', input, { text: words.created(input.name) })
  await refetchPulses()
  return result.state === 'done' ? result.value : undefined
}

/** Changes a pulse, unless it has changed since it was loaded; returns whether it worked. */
export async function updatePulse(
  { id, name, revision }: PulseData,
  change: PulseChange,
  message: string = words.changed,
): Promise<boolean> {
  const result = await write(
    'update_pulse',
    { pulse_id: id, ...change, expected_revision: revision },
    { text: t.tasks.changed(name, message) },
  )
  await refetchPulses()
  return result.state === 'done'
}

/** Moves a pulse to the trash; returns whether it worked. */
export async function deletePulse({ id, name }: PulseData): Promise<boolean> {
  const result = await write(
    'delete_pulse',
    { pulse_id: id },
    { text: t.tasks.changed(name, words.removed) },
  )
  await invalidateOperations('list_pulses')
  return result.state === 'done'
}

/** Answers the open round, replacing an earlier answer; returns whether the server accepted it. */
export async function submitAnswers(
  { id, name, anonymous }: PulseData,
  roundDay: string,
  answers: Record<string, string | number | boolean>,
): Promise<boolean> {
  const result = await write(
    'submit_pulse_response',
    { pulse_id: id, occurrence_on: roundDay, answers },
    { text: t.tasks.changed(name, words.round.sent), undo: !anonymous },
  )
  await refetchPulses()
  return result.state === 'done'
}
