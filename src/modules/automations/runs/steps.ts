import { omitNullish } from '../../../kernel/present.ts'
import type { StepPosition } from './position.ts'
import { z } from 'zod'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { iso } from '../../../kernel/time/times.ts'
import { changeRun, endRun, findRun } from './access.ts'
import { type StepRow, runSteps } from './access-steps.ts'
import { continueJob, continueRun, wakeJob } from './continuations.ts'
import { beginRun, type StartedRun } from './starts.ts'
import { evaluate } from '../expressions/conditions.ts'
import { performAction, mayContinue } from './actions.ts'
import { performControl } from './controls.ts'
import { finishRun } from './completion.ts'
import { isControl } from '../automations/plans.ts'
import { stepLimitReason } from './quotas.ts'
import { loadItem } from '../automations/item-lookups.ts'
import { runScope, type ExpressionScope, type TriggerData } from '../expressions/scopes.ts'
import type { AutomationAction, AutomationCondition } from '../shapes.ts'
import { endWaiting } from './waits.ts'
import { allActions, nextActionOf, type StepState, type NextStep } from './traversal.ts'

const stepsPerJob = 50 // then other jobs get their turn
const args = z.strictObject({ run_id: z.string() })

/**
 * Continues a run: each step is stored before the next begins, and each call has its own idempotency key, so that a
 * process that ends between two steps, or between a call and storing its result, neither loses nor repeats one.
 */
export const continueAutomation = jobKind({
  name: continueJob,
  about: 'Continues an automation run',
  args,
  concurrency: 4,
  async run({ run_id }, job) {
    const started = await job.write((system) => beginRun(system, job, run_id))
    if (!started) return
    const triggerData = { ...started.triggerData, item: await loadTriggerItem(job, started) }
    if (!(await conditionsHold(job, started, triggerData))) return
    for (let n = 0; n < stepsPerJob; n++) {
      const position = await job.write((system) => nextStepPosition(system, run_id, started))
      if (position === 'pause') return
      if (
        position !== 'continue' &&
        !(await performStep(job, { ...started, triggerData }, position))
      )
        return
    }
    await job.write(async (system) => {
      const run = await findRun(system, run_id)
      if (run && run.ended_at === null) await continueRun(system, run)
    })
  },
})

export const wakeAutomation = jobKind({
  name: wakeJob,
  about: 'Requests the next step of a run when it is due',
  args,
  async run({ run_id }, job) {
    await job.write(async (system) => {
      const run = await findRun(system, run_id)
      if (run && run.ended_at === null) await continueRun(system, run)
    })
  },
})

/** The item as its own operation returns it to the owner. */
async function loadTriggerItem(job: JobContext, { item, lookup }: StartedRun): Promise<unknown> {
  return item ? loadItem((tool, args) => job.as().call(tool, args), item, lookup) : null
}

/** Evaluates the conditions once per run, at its start, and ends the run if they are not met. */
async function conditionsHold(
  job: JobContext,
  { run, automation }: StartedRun,
  triggerData: TriggerData,
): Promise<boolean> {
  if (run.conditions_json !== null) return true
  const { held, results } = await evaluate(
    JSON.parse(automation.conditions_json) as AutomationCondition[],
    runScope(triggerData, [], iso(job.now())),
  )
  const conditionsJson = JSON.stringify(
    results.map(({ text, held: holds, error }) =>
      omitNullish({
        text,
        held: holds,
        error,
      }),
    ),
  )
  await job.write(async (system) => {
    await changeRun(system, run.id, { conditions_json: conditionsJson })
    if (!held) await finishRun(system, run, 'skipped', 'Its conditions are not met.')
  })
  return held
}

async function nextStepPosition(
  system: TickContext,
  runId: string,
  { automation }: StartedRun,
): Promise<StepPosition | 'pause' | 'continue'> {
  const run = await findRun(system, runId)
  if (!run || run.ended_at !== null) return 'pause'
  if (!(await mayContinue(system, run)))
    return endRun(
      system,
      run,
      'failed',
      'The run ended because the automation was stopped, changed or deleted.',
    ).then(() => 'pause' as const)
  const steps = await runSteps(system, runId)
  const next = nextActionOf(
    JSON.parse(automation.actions_json) as AutomationAction[],
    stepStates(steps),
  )
  if (next.what === 'act') {
    const step = steps.find((row) => row.path === next.path)
    if (step?.status === 'waiting') return endWaiting(system, run, step)
    const limitReason = step ? undefined : stepLimitReason(steps)
    if (limitReason !== undefined)
      return finishRun(system, run, 'failed', limitReason).then(() => 'pause' as const)
    return { run, automation, action: next.action, path: next.path, steps, step, frame: next.frame }
  }
  await finishRun(
    system,
    run,
    next.what === 'failed' ? 'failed' : 'succeeded',
    runEndReason(next, steps),
  )
  return 'pause'
}

function stepStates(steps: readonly StepRow[]): Map<string, StepState> {
  return new Map(
    steps.map((step) => [
      step.path,
      { status: step.status, value: JSON.parse(step.value_json ?? 'null') as unknown },
    ]),
  )
}

function runEndReason(
  next: Exclude<NextStep, { what: 'act' }>,
  steps: readonly StepRow[],
): string | undefined {
  if (next.what === 'end') return undefined
  const step = steps.find((row) => row.path === next.path)!
  if (next.what === 'stopped')
    return (JSON.parse(step.value_json ?? '{}') as { reason?: string }).reason
  return `Action ${step.path} (${step.action}): ${(JSON.parse(step.error_json!) as { message: string }).message}`
}

/** Performs the next action; returns whether the run continues at once. */
async function performStep(
  job: JobContext,
  activeRun: StartedRun,
  position: StepPosition,
): Promise<boolean> {
  if (job.owner !== position.run.owner_id)
    throw new GiveUp('A run continues only in the name of its owner.')
  const scope = scopeFor(job, activeRun, position)
  return isControl(position.action.type)
    ? performControl(job, position, position.action.type, scope)
    : performAction(job, activeRun.catalogue, position, scope)
}

function scopeFor(
  job: JobContext,
  { triggerData, automation }: StartedRun,
  { steps, frame }: StepPosition,
): ExpressionScope {
  const actions = allActions(JSON.parse(automation.actions_json) as AutomationAction[])
  const ids = new Map(
    actions.flatMap(({ path, action }) =>
      action.id === undefined ? [] : [[path, action.id] as const],
    ),
  )
  return runScope(triggerData, steps, iso(job.now()), ids, frame)
}
