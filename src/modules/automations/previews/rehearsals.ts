import { omitNullish } from '../../../kernel/present.ts'
import { parseArguments } from '../../../operations/arguments.ts'
import { sendsOutbound } from '../../../operations/approvals/approvals.ts'
import type { Entry } from '../../../operations/entry.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { resolveOperationRows } from '../../../operations/call/named-rows.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ItemRef } from '../../../records/resource.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'
import { evaluateExpression } from '../expressions/conditions.ts'
import { actionOf } from '../automations/action-tools.ts'
import { isControl, durationMinutes, type Control } from '../automations/plans.ts'
import type { ExpressionScope } from '../expressions/scopes.ts'
import type { AutomationAction } from '../shapes.ts'
import { render } from '../expressions/templates.ts'
import { nestedActionsOf } from '../runs/traversal.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

// Predicted effect of an automation's actions, without executing them. Read-only operations are called, so that later
// steps can be predicted.

export interface Rehearsed {
  path: string
  type: string
  would_do: string
  params?: Record<string, unknown>
  target?: ItemRef
  outbound: boolean
  problem?: string
}

const maxRounds = 3
const maxActions = 60
const maxReads = 10

interface Rehearsal {
  ctx: ReadContext
  done: Rehearsed[]
  /** Answers so far. */
  steps: Record<string, unknown>
  /** Steps with answers known only after the call. */
  unknown: Set<string>
  reads: number
  stopped: boolean
}

/** Predicts what each action would do for these values, in order. */
export async function rehearse(
  ctx: ReadContext,
  actions: readonly AutomationAction[],
  scope: ExpressionScope,
): Promise<Rehearsed[]> {
  const rehearsal: Rehearsal = {
    ctx,
    done: [],
    steps: { ...(scope.steps as Record<string, unknown>) },
    unknown: new Set(),
    reads: 0,
    stopped: false,
  }
  await rehearseActions(rehearsal, actions, '', scope)
  return rehearsal.done
}

async function rehearseActions(
  rehearsal: Rehearsal,
  actions: readonly AutomationAction[],
  prefix: string,
  scope: ExpressionScope,
): Promise<void> {
  for (const [i, action] of actions.entries()) {
    if (rehearsal.stopped || rehearsal.done.length >= maxActions) return
    const path = `${prefix}${i}`
    const seen = { ...scope, steps: rehearsal.steps }
    const rests = restsOn(rehearsal, action)
    if (rests !== undefined)
      rehearsal.done.push({
        path,
        type: action.type,
        would_do: `Uses the result of step ${rests}, which is known only when it runs.`,
        outbound: await outboundOf(rehearsal, action),
      })
    else if (isControl(action.type)) await steered(rehearsal, action, action.type, path, seen)
    else rehearsal.done.push(await called(rehearsal, action, path, seen))
    if (rests !== undefined) rehearsal.unknown.add(action.id ?? path)
  }
}

/** The step on which an action depends, if its answer is not known yet. */
function restsOn({ unknown }: Rehearsal, { type, params }: AutomationAction): string | undefined {
  const { then: _, else: __, do: ___, ...own } = params
  const text = JSON.stringify(isControl(type) ? own : params)
  return [...unknown].find((name) =>
    new RegExp(
      `\\bsteps(\\.${name}\\b|\\[\\\\?["']${name.replaceAll('.', '\\.')}\\\\?["']\\])`,
    ).test(text),
  )
}

async function outboundOf(
  { ctx }: Rehearsal,
  { type, params }: AutomationAction,
): Promise<boolean> {
  const entry = actionOf(ctx.catalogue, type)
  return (
    entry !== undefined &&
    (sendsOutbound(entry, params) || typeof entry.operation.outbound === 'function')
  )
}

async function steered(
  rehearsal: Rehearsal,
  action: AutomationAction,
  type: Control,
  path: string,
  scope: ExpressionScope,
): Promise<void> {
  const tell = (would_do: string, more: Partial<Rehearsed> = {}) =>
    void rehearsal.done.push({ path, type, would_do, outbound: false, ...more })
  try {
    if (type === 'wait') return tell(await waitOf(action, scope))
    if (type === 'stop') {
      rehearsal.stopped = true
      return tell('Ends the run.')
    }
    if (type === 'branch') return await branched(rehearsal, action, path, scope, tell)
    await repeated(rehearsal, action, path, scope, tell)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell('Fails.', { problem: error.message })
    rehearsal.stopped ||= action.on_error === 'stop'
  }
}

async function waitOf({ params }: AutomationAction, scope: ExpressionScope): Promise<string> {
  if (params.until === undefined) return `Waits for ${quantity(durationMinutes(params), 'minute')}.`
  return `Waits until ${String((await render({ until: params.until }, scope)).until)}.`
}

type Tell = (would_do: string, more?: Partial<Rehearsed>) => void

async function branched(
  rehearsal: Rehearsal,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
  tell: Tell,
): Promise<void> {
  const value = await evaluateExpression(action.params.if as string, scope)
  if (typeof value !== 'boolean')
    throw new Refusal('invalid_argument', 'if: must be true or false.')
  const arm = value ? 'then' : 'else'
  const inside = nestedActionsOf(action, arm)
  tell(
    `Its condition is ${String(value)}: ${inside.length === 0 ? 'does nothing' : `continues with ${arm}`}.`,
  )
  await rehearseActions(rehearsal, inside, `${path}.${arm}.`, scope)
}

async function repeated(
  walking: Rehearsal,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
  tell: Tell,
): Promise<void> {
  const items = await evaluateExpression(action.params.items as string, scope)
  if (!Array.isArray(items)) throw new Refusal('invalid_argument', 'items: is not a list.')
  if (items.length > 100)
    throw new Refusal(
      'too_large',
      `items: the list has ${items.length} entries; the maximum is 100.`,
    )
  tell(
    `Goes through ${items.length} ${items.length === 1 ? 'entry' : 'entries'}${items.length > maxRounds ? `; the first ${maxRounds} are shown` : ''}.`,
  )
  for (const [index, each] of items.slice(0, maxRounds).entries())
    await rehearseActions(walking, nestedActionsOf(action, 'do'), `${path}.${index}.`, {
      ...scope,
      each,
      index,
    })
}

async function called(
  rehearsal: Rehearsal,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
): Promise<Rehearsed> {
  const entry = actionOf(rehearsal.ctx.catalogue, action.type)
  const base = { path, type: action.type, outbound: await outboundOf(rehearsal, action) }
  rehearsal.unknown.add(action.id ?? path)
  if (!entry)
    return {
      ...base,
      would_do: 'Fails.',
      problem: `The operation ${action.type} no longer exists.`,
    }
  let params: Record<string, unknown> | undefined
  try {
    params = await render(action.params, scope)
    const target = await requireCallable(rehearsal.ctx, entry, params)
    if (entry.operation.kind === 'read' && !sendsOutbound(entry, params))
      await readNow(rehearsal, action, path, params)
    return omitNullish({
      ...base,
      would_do: `${entry.operation.about}.`,
      params: shortParams(params),
      target,
      outbound: sendsOutbound(entry, params),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    rehearsal.stopped ||= action.on_error === 'stop'
    return omitNullish({
      ...base,
      would_do:
        action.on_error === 'stop' ? 'Fails and ends the run.' : 'Fails; the run continues.',
      params: params ? shortParams(params) : undefined,
      problem: error.message,
    })
  }
}

const maxShownLength = 2000
const shortParams = (params: Record<string, unknown>) =>
  shortenValue(params) as Record<string, unknown>

function shortenValue(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > maxShownLength
      ? `${value.slice(0, maxShownLength)}… (${value.length} characters)`
      : value
  if (Array.isArray(value)) return value.slice(0, 100).map(shortenValue)
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortenValue(one)]))
    : value
}

/** Validates a call's arguments, key rights and targets as far as possible without making it; returns its target. */
async function requireCallable(
  ctx: ReadContext,
  entry: Entry,
  params: Record<string, unknown>,
): Promise<ItemRef | undefined> {
  const closed = ctx.refusalFor(entry)
  if (closed) throw closed
  const touched: { type: string; id: string }[] = []
  await resolveOperationRows(
    entry,
    { ...parseArguments(entry, params) },
    ctx as WriteContext,
    (item) => void touched.push(item),
  )
  const refs = await refsAnywhere(ctx, touched.slice(0, 1), ctx.baseUrl)
  return refs.get(touched[0]?.id ?? '')
}

async function readNow(
  rehearsal: Rehearsal,
  { id, type }: AutomationAction,
  path: string,
  params: Record<string, unknown>,
): Promise<void> {
  if (rehearsal.reads++ >= maxReads) return
  const answer = await rehearsal.ctx.call(type, params)
  for (const name of id === undefined ? [path] : [path, id]) rehearsal.steps[name] = answer
  rehearsal.unknown.delete(id ?? path)
}
