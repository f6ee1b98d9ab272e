import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { notify, write } from '../../../store/index.ts'
import { resultTexts as words } from '../../../texts/en/company/meeting-results.ts'
import { t } from '../../../texts/index.ts'
import type { FullMeeting } from '../data.ts'

export type ActionItem = Output<'list_action_items'>['items'][number]
export type DecisionItem = Output<'list_decisions'>['items'][number]

/** Refetches meetings and their results. */
const refetchResults = () =>
  invalidateOperations('get_meeting', 'list_meetings', 'list_decisions', 'list_action_items')

export async function recordDecision(
  { id, title }: FullMeeting,
  decision: Input<'record_decision'>,
): Promise<void> {
  await write(
    'record_decision',
    { ...decision, meeting_id: id },
    { text: t.tasks.changed(title, words.decisions.form.done) },
  )
  await refetchResults()
}

export async function addActionItem(
  { id, title }: FullMeeting,
  item: Input<'add_action_items'>['items'][number],
): Promise<void> {
  await write(
    'add_action_items',
    { meeting_id: id, items: [item] },
    { text: t.tasks.changed(title, words.actions.form.done) },
  )
  await refetchResults()
}

/** Creates a task from each action item; reports failures with their reasons. */
export async function createTasks(ids: readonly string[], projectId: string): Promise<void> {
  const result = await write(
    'create_tasks_from_action_items',
    { action_item_ids: [...ids], project_id: projectId },
    { text: words.actions.made(ids.length) },
  )
  await refetchResults()
  if (result.state !== 'done' || !result.value) return
  for (const { title, message } of result.value.failed)
    notify({ text: words.actions.failed(title ?? '', message), seconds: 20, actions: [] })
}

/** True for an open action item without a task. */
export const isWithoutTask = ({ status, task }: ActionItem): boolean =>
  status === 'open' && task === undefined
