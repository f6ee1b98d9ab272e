import { redactArguments } from '../../../audit/redact.ts'
import { backoffFromList } from '../../../kernel/backoff.ts'
import type { CatalogueView, Entry } from '../../../operations/entry.ts'
import type { JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal, type RefusalCode } from '../../../kernel/refusal.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import { type StepRow, addStep, changeStep } from './access-steps.ts'
import { type RunRow, causeOfRun, findAutomation, findRun, hasChanged } from './access.ts'
import { putOff } from './continuations.ts'
import { knownIdsIn } from '../automations/outlines.ts'
import { roomFor } from './quotas.ts'
import type { StepPosition } from './position.ts'
import { stopBusiest, stopRule } from './cancellation.ts'
import type { ExpressionScope } from '../expressions/scopes.ts'
import { render } from '../expressions/templates.ts'
import { answerColumns, failStep } from './waits.ts'

/** Refusals that a retry may avoid, with the number of attempts. */
const tries: Partial<Record<RefusalCode, number>> = {
  unavailable: 5,
  rate_limited: 5,
  provider_error: 5,
  storage_full: 5,
  conflict: 3,
}
const pauses = backoffFromList(2_000, 10_000, 60_000, 300_000)
/** Stored answers of idempotency keys are kept for a day: later only the changes show whether a call was made. */
const answersKept = dayLength - 3600_000

/** Calls the operation of an action; returns whether the run continues at once. */
export async function performAction(
  job: JobContext,
  catalogue: CatalogueView,
  place: StepPosition,
  scope: ExpressionScope,
): Promise<boolean> {
  const entry = catalogue.find(place.action.type)
  const rendered = await paramsOf(place, entry, scope)
  const step = await job.write((system) => beginStep(system, place, entry, rendered))
  if (step === 'again' || step === 'rests') return step === 'again'
  const { run } = place
  try {
    const value = await job
      .as()
      .call(place.action.type, JSON.parse(step.params_json!) as Record<string, unknown>, {
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

/** The same for each attempt, and unique to the step. */
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
  place: StepPosition,
  entry: Entry | undefined,
  rendered: Rendered,
): Promise<StepRow | 'again' | 'rests'> {
  const run = await findRun(system, place.run.id)
  if (!run || run.ended_at !== null || !(await isAlive(system, run))) return 'again' // how it ends is found there
  const room = await roomFor(system, run)
  if (room.is === 'rule') return stopRule(system, run).then(() => 'rests' as const)
  if (room.is === 'organization') return stopBusiest(system, run, room).then(() => 'rests' as const)
  if (room.is === 'paced') return putOff(system, run, room.until).then(() => 'rests' as const)
  const step = place.step
    ? await begunAgain(system, place.step)
    : await begun(system, place, entry, rendered)
  if (step === 'again') return step
  if ('params' in rendered) return step
  await failStep(system, step, rendered.error.code, rendered.error.body().message)
  return 'again'
}

export async function isAlive(system: TickContext, run: RunRow): Promise<boolean> {
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

async function begun(
  system: TickContext,
  place: StepPosition,
  entry: Entry | undefined,
  rendered: Rendered,
): Promise<StepRow> {
  const params = 'params' in rendered ? rendered.params : {}
  const step = newStep(system, place, {
    params_json: JSON.stringify(params),
    input_json: JSON.stringify(redactArguments(entry?.schemas.input.shape ?? {}, params)),
    items_json: JSON.stringify([...knownIdsIn(params)]),
    acted_at: 'params' in rendered ? system.now : null,
  })
  await addStep(system, step)
  return step
}

async function begunAgain(system: TickContext, step: StepRow): Promise<StepRow | 'again'> {
  if (
    step.acted_at !== null &&
    step.acted_at < system.now - answersKept &&
    (await hasChanged(system, step.run_id, stepIdempotencyKey(step)))
  ) {
    await changeStep(system, step, {
      status: 'succeeded',
      ended_at: system.now,
      params_json: null,
      ...answerColumns(step, null),
    })
    return 'again'
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
    return true // and rests where it is found waiting
  }
  if (step.attempts < (tries[error.code] ?? 1)) {
    await changeStep(system, step, {
      error_json: JSON.stringify({ code: error.code, message: message.slice(0, 500) }),
    })
    await putOff(
      system,
      run,
      system.now +
        Math.max(pauses(step.attempts, Math.random), (error.more.retry_after_seconds ?? 0) * 1000),
    )
    return false
  }
  await failStep(system, step, error.code, message)
  return true
}

function withoutSecrets(entry: Entry | undefined, value: unknown): unknown {
  const once = entry?.operation.redactOnReplay
  return once && value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !once.includes(name)))
    : value
}
