import { omitNullish } from '../../../kernel/present.ts'
import type { StepPosition } from './position.ts'
import { z } from 'zod'
import { GiveUp, jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { iso } from '../../../kernel/time/times.ts'
import { changeRun, endRun, findRun } from './access.ts'
import { type StepRow, runSteps } from './access-steps.ts'
import { continuing, goOn, waking } from './continuations.ts'
import { beginRun, type Begun } from './starts.ts'
import { evaluate } from '../expressions/conditions.ts'
import { performAction, isAlive } from './actions.ts'
import { steer } from './controls.ts'
import { finishRun } from './completion.ts'
import { isControl } from '../automations/plans.ts'
import { tooMuchIn } from './quotas.ts'
import { itemBy } from '../automations/item-lookups.ts'
import { runScope, type ExpressionScope, type Story } from '../expressions/scopes.ts'
import type { AutomationAction, AutomationCondition } from '../shapes.ts'
import { endWaiting } from './waits.ts'
import { allActions, nextActionOf, type Memo, type Next } from './traversal.ts'

const stepsAtOnce = 50 // then others have their turn
const args = z.strictObject({ run_id: z.string() })

/**
 * Continues a run: each step is stored before the next begins, and each call has its own idempotency key, so that a
 * process that ends between two steps, or between a call and its step, neither loses nor repeats one.
 */
export const continueAutomation = jobKind({
  name: continuing,
  about: 'Continues an automation run',
  args,
  concurrency: 4,
  async run({ run_id }, job) {
    const started = await job.write((system) => beginRun(system, job, run_id))
    if (!started) return
    const story = { ...started.story, item: await itemNow(job, started) }
    if (!(await conditionsHold(job, started, story))) return
    for (let n = 0; n < stepsAtOnce; n++) {
      const place = await job.write((system) => nextStepPosition(system, run_id, started))
      if (place === 'over') return
      if (place !== 'again' && !(await go(job, { ...started, story }, place))) return
    }
    await job.write(async (system) => {
      const run = await findRun(system, run_id)
      if (run && run.ended_at === null) await goOn(system, run)
    })
  },
})

export const wakeAutomation = jobKind({
  name: waking,
  about: 'Requests the next step of a run when it is due',
  args,
  async run({ run_id }, job) {
    await job.write(async (system) => {
      const run = await findRun(system, run_id)
      if (run && run.ended_at === null) await goOn(system, run)
    })
  },
})

/** The item as its own operation returns it to the owner. */
async function itemNow(job: JobContext, { item, reading }: Begun): Promise<unknown> {
  return item ? itemBy((tool, args) => job.as().call(tool, args), item, reading) : null
}

/** Evaluated once per run, at its start. */
async function conditionsHold(
  job: JobContext,
  { run, automation }: Begun,
  story: Story,
): Promise<boolean> {
  if (run.conditions_json !== null) return true
  const { held, results } = await evaluate(
    JSON.parse(automation.conditions_json) as AutomationCondition[],
    runScope(story, [], iso(job.now())),
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
  { automation }: Begun,
): Promise<StepPosition | 'over' | 'again'> {
  const run = await findRun(system, runId)
  if (!run || run.ended_at !== null) return 'over'
  if (!(await isAlive(system, run)))
    return endRun(
      system,
      run,
      'failed',
      'The run ended because the automation was stopped, changed or deleted.',
    ).then(() => 'over' as const)
  const steps = await runSteps(system, runId)
  const next = nextActionOf(
    JSON.parse(automation.actions_json) as AutomationAction[],
    memosOf(steps),
  )
  if (next.what === 'act') {
    const step = steps.find((row) => row.path === next.path)
    if (step?.status === 'waiting') return endWaiting(system, run, step)
    const tooMuch = step ? undefined : tooMuchIn(steps)
    if (tooMuch !== undefined)
      return finishRun(system, run, 'failed', tooMuch).then(() => 'over' as const)
    return { run, automation, action: next.action, path: next.path, steps, step, frame: next.frame }
  }
  await finishRun(
    system,
    run,
    next.what === 'failed' ? 'failed' : 'succeeded',
    runEndReason(next, steps),
  )
  return 'over'
}

function memosOf(steps: readonly StepRow[]): Map<string, Memo> {
  return new Map(
    steps.map((step) => [
      step.path,
      { status: step.status, value: JSON.parse(step.value_json ?? 'null') as unknown },
    ]),
  )
}

function runEndReason(
  next: Exclude<Next, { what: 'act' }>,
  steps: readonly StepRow[],
): string | undefined {
  if (next.what === 'end') return undefined
  const step = steps.find((row) => row.path === next.path)!
  if (next.what === 'stopped')
    return (JSON.parse(step.value_json ?? '{}') as { reason?: string }).reason
  return `Action ${step.path} (${step.action}): ${(JSON.parse(step.error_json!) as { message: string }).message}`
}

/** Performs the next action; returns whether the run continues at once. */
async function go(job: JobContext, activeRun: Begun, place: StepPosition): Promise<boolean> {
  if (job.owner !== place.run.owner_id)
    throw new GiveUp('A run continues only in the name of its owner.')
  const scope = scopeFor(job, activeRun, place)
  return isControl(place.action.type)
    ? steer(job, place, place.action.type, scope)
    : performAction(job, activeRun.catalogue, place, scope)
}

function scopeFor(
  job: JobContext,
  { story, automation }: Begun,
  { steps, frame }: StepPosition,
): ExpressionScope {
  const actions = allActions(JSON.parse(automation.actions_json) as AutomationAction[])
  const ids = new Map(
    actions.flatMap(({ path, action }) =>
      action.id === undefined ? [] : [[path, action.id] as const],
    ),
  )
  return runScope(story, steps, iso(job.now()), ids, frame)
}
