import { redactArguments } from '../../../audit/redact.ts'
import { backoffFromList } from '../../../kernel/backoff.ts'
import type { CatalogueView, Entry } from '../../../operations/entry.ts'
import type { JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal, type RefusalCode } from '../../../kernel/refusal.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { type StepRow, addStep, changeStep } from './access-steps.ts'
import { type RunRow, causeOfRun, findAutomation, findRun, hasChanged } from './access.ts'
import { postponeRun } from './continuations.ts'
import { knownIdsIn } from '../automations/outlines.ts'
import { quotaStatusOf } from './quotas.ts'
import type { StepPosition } from './position.ts'
import { stopBusiest, stopFloodingAutomation } from './cancellation.ts'
import type { ExpressionScope } from '../expressions/scopes.ts'
import { render } from '../expressions/templates.ts'
import { answerColumns, failStep } from './waits.ts'

/** Refusals that a retry may avoid, with the number of attempts. */
const maxAttempts: Partial<Record<RefusalCode, number>> = {
  unavailable: 5,
  rate_limited: 5,
  provider_error: 5,
  storage_full: 5,
  conflict: 3,
}
const retryDelay = backoffFromList(2_000, 10_000, 60_000, 300_000)
/** Responses stored for idempotency keys expire after a day; later, only the changes show whether a call was made. */
const answerRetention = dayLength - 3600_000

/** Calls the operation of an action; returns whether the run continues at once. */
export async function performAction(
  job: JobContext,
  catalogue: CatalogueView,
  position: StepPosition,
  scope: ExpressionScope,
): Promise<boolean> {
  const entry = catalogue.find(position.action.type)
  const rendered = await paramsOf(position, entry, scope)
  const step = await job.write((system) => beginStep(system, position, entry, rendered))
  if (step === 'continue' || step === 'pause') return step === 'continue'
  const { run } = position
  try {
    const value = await job
      .as()
      .call(position.action.type, JSON.parse(step.params_json!) as Record<string, unknown>, {
        idempotencyKey: stepIdempotencyKey(step),
        cause: causeOfRun(run),
      })
    await job.write((system) =>
      changeStep(system, step, {
        status: 'succeeded',
        ended_at: system.now,
        params_json: null,
        error_json: null,
        ...answerColumns(step, withoutSecrets(entry, value)),
      }),
    )
    return true
  } catch (error) {
    if (job.signal.aborted || !(error instanceof Refusal)) throw error
    return job.write((system) => recordCallRefusal(system, run, step, error))
  }
}

/** Idempotency key that is the same for each attempt, and unique to the step. */
function stepIdempotencyKey({ run_id, path }: Pick<StepRow, 'run_id' | 'path'>): string {
  return `aut:${run_id}:${path}`
}

type Rendered = { params: Record<string, unknown> } | { error: Refusal }

/** Resolves the parameters of an action; stored ones from a first attempt are reused. */
async function paramsOf(
  { step, action }: StepPosition,
  entry: Entry | undefined,
  scope: ExpressionScope,
): Promise<Rendered> {
  if (step?.params_json) return { params: JSON.parse(step.params_json) as Record<string, unknown> }
  if (!entry)
    return { error: new Refusal('not_found', `The operation ${action.type} no longer exists.`) }
  try {
    return { params: await render(action.params, scope) }
  } catch (error) {
    if (error instanceof Refusal) return { error }
    throw error
  }
}

async function beginStep(
  system: TickContext,
  position: StepPosition,
  entry: Entry | undefined,
  rendered: Rendered,
): Promise<StepRow | 'continue' | 'pause'> {
  const run = await findRun(system, position.run.id)
  if (!run || run.ended_at !== null || !(await mayContinue(system, run))) return 'continue' // the next iteration ends the run
  const quota = await quotaStatusOf(system, run)
  if (quota.is === 'rule') return stopFloodingAutomation(system, run).then(() => 'pause' as const)
  if (quota.is === 'organization')
    return stopBusiest(system, run, quota).then(() => 'pause' as const)
  if (quota.is === 'paced')
    return postponeRun(system, run, quota.until).then(() => 'pause' as const)
  const step = position.step
    ? await retryStep(system, position.step)
    : await startStep(system, position, entry, rendered)
  if (step === 'continue') return step
  if ('params' in rendered) return step
  await failStep(system, step, rendered.error.code, rendered.error.body().message)
  return 'continue'
}

export async function mayContinue(system: TickContext, run: RunRow): Promise<boolean> {
  const automation = await findAutomation(system, run.automation_id)
  return automation?.status === 'enabled' && automation.plan_id === run.plan_id
}

/** The initial state of a step. */
export function newStep(
  { now }: TickContext,
  { run, action, path, steps }: StepPosition,
  more: Partial<StepRow>,
): StepRow {
  return {
    run_id: run.id,
    path,
    org_id: run.org_id,
    automation_id: run.automation_id,
    position: steps.length,
    action: action.type,
    status: 'running',
    attempts: 1,
    params_json: null,
    value_json: null,
    input_json: '{}',
    output_json: null,
    items_json: '[]',
    error_json: null,
    approval_id: null,
    acted_at: null,
    added_at: now,
    ended_at: null,
    ...more,
  }
}

async function startStep(
  system: TickContext,
  position: StepPosition,
  entry: Entry | undefined,
  rendered: Rendered,
): Promise<StepRow> {
  const params = 'params' in rendered ? rendered.params : {}
  const step = newStep(system, position, {
    params_json: JSON.stringify(params),
    input_json: JSON.stringify(redactArguments(entry?.schemas.input.shape ?? {}, params)),
    items_json: JSON.stringify([...knownIdsIn(params)]),
    acted_at: 'params' in rendered ? system.now : null,
  })
  await addStep(system, step)
  return step
}

async function retryStep(system: TickContext, step: StepRow): Promise<StepRow | 'continue'> {
  if (
    step.acted_at !== null &&
    step.acted_at < system.now - answerRetention &&
    (await hasChanged(system, step.run_id, stepIdempotencyKey(step)))
  ) {
    await changeStep(system, step, {
      status: 'succeeded',
      ended_at: system.now,
      params_json: null,
      ...answerColumns(step, null),
    })
    return 'continue'
  }
  const patch = { attempts: step.attempts + 1, acted_at: system.now }
  await changeStep(system, step, patch)
  return { ...step, ...patch }
}

/** Records a refused call; returns whether the run continues at once. */
async function recordCallRefusal(
  system: TickContext,
  run: RunRow,
  step: StepRow,
  error: Refusal,
): Promise<boolean> {
  const { message } = error.body()
  const approval =
    error.code === 'approval_required'
      ? (error.more.context?.approval_id as string | undefined)
      : undefined
  if (approval !== undefined) {
    await changeStep(system, step, { status: 'waiting', approval_id: approval })
    return true // the next iteration pauses the run at the waiting step
  }
  if (step.attempts < (maxAttempts[error.code] ?? 1)) {
    await changeStep(system, step, {
      error_json: JSON.stringify({ code: error.code, message: message.slice(0, 500) }),
    })
    await postponeRun(
      system,
      run,
      system.now +
        Math.max(
          retryDelay(step.attempts, Math.random),
          (error.more.retry_after_seconds ?? 0) * 1000,
        ),
    )
    return false
  }
  await failStep(system, step, error.code, message)
  return true
}

function withoutSecrets(entry: Entry | undefined, value: unknown): unknown {
  const secretFields = entry?.operation.redactOnReplay
  return secretFields && value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !secretFields.includes(name)))
    : value
}
