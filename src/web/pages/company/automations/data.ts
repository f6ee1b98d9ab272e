import type { Input, Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import type { ApiError } from '../../../api/problem.ts'
import { write } from '../../../store/index.ts'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { planInput, type AutomationRow, type AutomationPlan } from './plan/plan.ts'

type SavedAutomation = Output<'create_automation'>
/** Outcome of a write: the server's current state, or the reason for refusal. */
type SaveOutcome = { saved: SavedAutomation } | { refused: ApiError } | undefined

async function writeAutomation(
  operation: 'create_automation' | 'update_automation',
  input: Input<'create_automation'> | Input<'update_automation'>,
  text: string,
): Promise<SaveOutcome> {
  const result = await write(operation, input as Input<'update_automation'>, {
    text,
    handles: () => true,
  })
  await refetchAutomations()
  if (result.state === 'refused') return { refused: result.error }
  return result.state === 'done' && result.value ? { saved: result.value } : undefined
}

/** Creates an automation, turned off. */
export const createAutomation = (plan: AutomationPlan): Promise<SaveOutcome> =>
  writeAutomation('create_automation', planInput(plan), words.created(plan.name.trim()))

/** Saves changes of an automation, which turns it off. Refused if others have changed it meanwhile. */
export const saveAutomation = ({ id, revision, status }: AutomationRow, plan: AutomationPlan) =>
  writeAutomation(
    'update_automation',
    { automation_id: id, expected_revision: revision, ...planInput(plan) },
    status === 'enabled' ? words.savedOff : words.saved,
  )

/** Shares an automation with others, or stops sharing it. */
export async function shareAutomation({ id }: AutomationRow, shared: boolean): Promise<void> {
  await write('update_automation', { automation_id: id, shared }, { text: words.saved })
  await refetchAutomations()
}

/** Turns an automation on or off; returns whether it worked. */
export async function setAutomationEnabled(
  { id, name }: AutomationRow,
  isOn: boolean,
): Promise<boolean> {
  const result = await write(
    isOn ? 'enable_automation' : 'disable_automation',
    { automation_id: id },
    { text: isOn ? words.turned.on(name) : words.turned.off(name) },
  )
  await refetchAutomations()
  return result.state === 'done'
}

/** Runs an automation now, optionally on an item; returns whether it started. */
export async function runAutomation(
  { id, name }: AutomationRow,
  itemId: string | undefined,
): Promise<boolean> {
  const result = await write(
    'run_automation',
    { automation_id: id, ...(itemId !== undefined && { item_id: itemId }) },
    { text: words.started(name), undo: false },
  )
  await invalidateOperations('list_automation_runs')
  return result.state === 'done'
}

/** Deletes an automation; its runs are kept. */
export async function removeAutomation({ id, name }: AutomationRow): Promise<boolean> {
  const result = await write(
    'delete_automation',
    { automation_id: id },
    { text: words.removed(name) },
  )
  await invalidateOperations('list_automations')
  return result.state === 'done'
}

async function refetchAutomations(): Promise<void> {
  await invalidateOperations('list_automations', 'get_automation')
}
