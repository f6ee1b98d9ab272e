import type { TickContext } from '../../../operations/jobs/tick.ts'
import { type RunRow, approvalOf } from './access.ts'
import { type StepRow, changeStep } from './access-steps.ts'
import { postponeRun } from './continuations.ts'
import { knownIdsIn, storableValue, valueOutline } from '../automations/outlines.ts'

/** Maximum bytes of a step's answer for later steps. */
const maxStoredBytes = 64 * 1024

/**
 * Ends a step's wait if it is over; a call waiting for approval ends as decided. Returns `pause` if the wait goes on
 * and the run is postponed.
 */
export async function endWaiting(
  system: TickContext,
  run: RunRow,
  step: StepRow,
): Promise<'pause' | 'continue'> {
  return step.approval_id === null
    ? endTimedWait(system, run, step)
    : endApproval(system, run, step, step.approval_id)
}

async function endTimedWait(
  system: TickContext,
  run: RunRow,
  step: StepRow,
): Promise<'pause' | 'continue'> {
  const { until } = JSON.parse(step.params_json!) as { until: number }
  if (until > system.now) {
    await postponeRun(system, run, until)
    return 'pause'
  }
  await changeStep(system, step, {
    status: 'succeeded',
    ended_at: system.now,
    params_json: null,
    value_json: 'null',
  })
  return 'continue'
}

async function endApproval(
  system: TickContext,
  run: RunRow,
  step: StepRow,
  id: string,
): Promise<'pause' | 'continue'> {
  const approval = await approvalOf(system, id)
  if (approval?.state === 'pending' && approval.expires_at > system.now) {
    await postponeRun(system, run, approval.expires_at)
    return 'pause'
  }
  if (approval?.state === 'released')
    await changeStep(system, step, {
      status: 'succeeded',
      ended_at: system.now,
      params_json: null,
      ...answerColumns(step, JSON.parse(approval.result_json ?? 'null')),
    })
  else
    await failStep(
      system,
      step,
      'permission_denied',
      approval?.state === 'denied'
        ? 'The owner denied this call.'
        : 'This call was not approved in time.',
    )
  return 'continue'
}

/** Columns that store an answer, for later steps and for the history. */
export function answerColumns(
  step: Pick<StepRow, 'items_json'>,
  value: unknown,
): Pick<StepRow, 'value_json' | 'output_json' | 'items_json'> {
  const items = knownIdsIn(value, 100, new Set(JSON.parse(step.items_json) as string[]))
  return {
    value_json: JSON.stringify(storableValue(value, maxStoredBytes)),
    output_json: JSON.stringify(valueOutline(value ?? null)),
    items_json: JSON.stringify([...items]),
  }
}

export async function failStep(
  system: TickContext,
  step: StepRow,
  code: string,
  message: string,
): Promise<void> {
  await changeStep(system, step, {
    status: 'failed',
    ended_at: system.now,
    params_json: null,
    error_json: JSON.stringify({ code, message: message.slice(0, 500) }),
  })
}
