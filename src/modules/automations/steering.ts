import type { JobContext } from '../../core/jobs.ts'
import type { TickContext } from '../../core/ticks.ts'
import { invalid, Refusal } from '../../core/refusal.ts'
import { dayLength, instant } from '../../core/times.ts'
import { addStep, changeStep, findRun, type StepRow } from './access-runs.ts'
import { isAlive, newStep } from './acting.ts'
import { putOff } from './asking.ts'
import { valueOf } from './conditions.ts'
import { idsIn, outlineOf } from './outlines.ts'
import { minutesOf, type Control } from './plans.ts'
import type { Scope } from './scopes.ts'
import type { Place } from './stepping.ts'
import { render } from './templates.ts'

const mostRounds = 100
const longestWait = 30 * dayLength

/** What came of what steers a run: its memo, or until when it rests. */
type Steered = { value: unknown; shown: unknown } | { until: number }

/** Waits, chooses, repeats or stops; whether the run goes on at once. */
export async function steer(
  job: JobContext,
  place: Place,
  type: Control,
  scope: Scope,
): Promise<boolean> {
  const found = await steered(job, place, type, scope).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
  return job.write((system) => keep(system, place, found))
}

async function steered(
  job: JobContext,
  { action: { params } }: Place,
  type: Control,
  scope: Scope,
): Promise<Steered> {
  if (type === 'wait') return { until: await untilOf(job, params, scope) }
  if (type === 'stop') return { value: params, shown: params }
  if (type === 'branch') {
    const arm = (await truth(params.if as string, scope)) ? 'then' : 'else'
    return { value: { arm }, shown: { arm } }
  }
  const items = await valueOf(params.items as string, scope)
  if (!Array.isArray(items)) throw invalid('items', 'is not a list.')
  if (items.length > mostRounds)
    throw new Refusal(
      'too_large',
      `items: the list has ${items.length} entries; the maximum is ${mostRounds}.`,
    )
  if (Buffer.byteLength(JSON.stringify(items)) > 4 * 64 * 1024)
    throw new Refusal(
      'too_large',
      'items: the list is larger than 256 KiB.',
      'Use a list of ids, and get each item inside the loop.',
    )
  return { value: { items }, shown: { items: items.length } }
}

async function truth(expression: string, scope: Scope): Promise<boolean> {
  const value = await valueOf(expression, scope)
  if (typeof value !== 'boolean') throw invalid('if', 'must be true or false.')
  return value
}

async function untilOf(
  job: JobContext,
  params: Record<string, unknown>,
  scope: Scope,
): Promise<number> {
  const now = job.now()
  if (params.until === undefined) return now + minutesOf(params) * 60_000
  const { until } = await render({ until: params.until }, scope)
  const at = instant(String(until), 'UTC', 'start', 'until')
  if (at > now + longestWait) throw invalid('until', 'must be within 30 days.')
  return at
}

async function keep(system: TickContext, place: Place, found: Steered | Refusal): Promise<boolean> {
  const run = await findRun(system, place.run.id)
  if (!run || run.ended_at !== null || !(await isAlive(system, run))) return true // how it ends is found there
  if (found instanceof Refusal) {
    await write(system, place, {
      status: 'failed',
      ended_at: system.now,
      error_json: JSON.stringify({ code: found.code, message: found.body().message.slice(0, 500) }),
    })
    return true
  }
  if (!('until' in found)) {
    const { value, shown } = found
    await write(system, place, {
      status: 'succeeded',
      ended_at: system.now,
      value_json: JSON.stringify(value),
      output_json: JSON.stringify(outlineOf(shown)),
      items_json: JSON.stringify([...idsIn(value)]),
    })
    return true
  }
  await write(system, place, {
    status: 'waiting',
    params_json: JSON.stringify({ until: found.until }),
    input_json: JSON.stringify({ until: new Date(found.until).toISOString() }),
  })
  if (found.until <= system.now) return true
  await putOff(system, run, found.until)
  return false
}

async function write(system: TickContext, place: Place, patch: Partial<StepRow>): Promise<void> {
  if (place.step) await changeStep(system, place.step, patch)
  else await addStep(system, newStep(system, place, patch))
}
