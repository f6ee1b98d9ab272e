import type { JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { type StepRow, addStep, changeStep } from './access-steps.ts'
import { findRun } from './access.ts'
import { mayContinue, newStep } from './actions.ts'
import { postponeRun } from './continuations.ts'
import { evaluateExpression } from '../expressions/conditions.ts'
import { knownIdsIn, valueOutline } from '../automations/outlines.ts'
import { durationMinutes, type Control } from '../automations/plans.ts'
import type { ExpressionScope } from '../expressions/scopes.ts'
import type { StepPosition } from './position.ts'
import { render } from '../expressions/templates.ts'

const maxIterations = 100
const maxWaitMs = 30 * dayLength

/** Result of a control step: its value and what is shown of it, or the time until which the run waits. */
type ControlResult = { value: unknown; shown: unknown } | { until: number }

/** Waits, branches, repeats or stops; returns whether the run continues at once. */
export async function performControl(
  job: JobContext,
  position: StepPosition,
  type: Control,
  scope: ExpressionScope,
): Promise<boolean> {
  const outcome = await evaluateControl(job, position, type, scope).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
  return job.write((system) => recordStep(system, position, outcome))
}

async function evaluateControl(
  job: JobContext,
  { action: { params } }: StepPosition,
  type: Control,
  scope: ExpressionScope,
): Promise<ControlResult> {
  if (type === 'wait') return { until: await waitEnd(job, params, scope) }
  if (type === 'stop') return { value: params, shown: params }
  if (type === 'branch') {
    const arm = (await evaluateBoolean(params.if as string, scope)) ? 'then' : 'else'
    return { value: { arm }, shown: { arm } }
  }
  const items = await evaluateExpression(params.items as string, scope)
  if (!Array.isArray(items)) throw invalid('items', 'is not a list.')
  if (items.length > maxIterations)
    throw new Refusal(
      'too_large',
      `items: the list has ${items.length} entries; the maximum is ${maxIterations}.`,
    )
  if (Buffer.byteLength(JSON.stringify(items)) > 4 * 64 * 1024)
    throw new Refusal(
      'too_large',
      'items: the list is larger than 256 KiB.',
      'Use a list of ids, and get each item inside the loop.',
    )
  return { value: { items }, shown: { items: items.length } }
}

async function evaluateBoolean(expression: string, scope: ExpressionScope): Promise<boolean> {
  const value = await evaluateExpression(expression, scope)
  if (typeof value !== 'boolean') throw invalid('if', 'must be true or false.')
  return value
}

async function waitEnd(
  job: JobContext,
  params: Record<string, unknown>,
  scope: ExpressionScope,
): Promise<number> {
  const now = job.now()
  if (params.until === undefined) return now + durationMinutes(params) * 60_000
  const { until } = await render({ until: params.until }, scope)
  const at = parseInstant(String(until), 'UTC', 'start', 'until')
  if (at > now + maxWaitMs) throw invalid('until', 'must be within 30 days.')
  return at
}

async function recordStep(
  system: TickContext,
  position: StepPosition,
  outcome: ControlResult | Refusal,
): Promise<boolean> {
  const run = await findRun(system, position.run.id)
  if (!run || run.ended_at !== null || !(await mayContinue(system, run))) return true // the next iteration ends the run
  if (outcome instanceof Refusal) {
    await writeStep(system, position, {
      status: 'failed',
      ended_at: system.now,
      error_json: JSON.stringify({
        code: outcome.code,
        message: outcome.body().message.slice(0, 500),
      }),
    })
    return true
  }
  if (!('until' in outcome)) {
    const { value, shown } = outcome
    await writeStep(system, position, {
      status: 'succeeded',
      ended_at: system.now,
      value_json: JSON.stringify(value),
      output_json: JSON.stringify(valueOutline(shown)),
      items_json: JSON.stringify([...knownIdsIn(value)]),
    })
    return true
  }
  await writeStep(system, position, {
    status: 'waiting',
    params_json: JSON.stringify({ until: outcome.until }),
    input_json: JSON.stringify({ until: new Date(outcome.until).toISOString() }),
  })
  if (outcome.until <= system.now) return true
  await postponeRun(system, run, outcome.until)
  return false
}

async function writeStep(
  system: TickContext,
  position: StepPosition,
  patch: Partial<StepRow>,
): Promise<void> {
  if (position.step) await changeStep(system, position.step, patch)
  else await addStep(system, newStep(system, position, patch))
}
