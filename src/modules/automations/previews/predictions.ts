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
import { actionEntry } from '../automations/action-tools.ts'
import { isControl, durationMinutes, type Control } from '../automations/plans.ts'
import type { ExpressionScope } from '../expressions/scopes.ts'
import type { AutomationAction } from '../shapes.ts'
import { render } from '../expressions/templates.ts'
import { nestedActionsOf } from '../runs/traversal.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

// Predicted effect of an automation's actions, without executing them. Read-only operations are called, so that later
// steps can be predicted.

export interface PredictedAction {
  path: string
  type: string
  would_do: string
  params?: Record<string, unknown>
  target?: ItemRef
  outbound: boolean
  problem?: string
}

const maxIterations = 3
const maxActions = 60
const maxReads = 10

interface PredictionState {
  ctx: ReadContext
  predicted: PredictedAction[]
  /** Answers so far. */
  steps: Record<string, unknown>
  /** Steps with answers known only after the call. */
  unknown: Set<string>
  reads: number
  stopped: boolean
}

/** Predicts what each action would do for these values, in order. */
export async function predictActions(
  ctx: ReadContext,
  actions: readonly AutomationAction[],
  scope: ExpressionScope,
): Promise<PredictedAction[]> {
  const state: PredictionState = {
    ctx,
    predicted: [],
    steps: { ...(scope.steps as Record<string, unknown>) },
    unknown: new Set(),
    reads: 0,
    stopped: false,
  }
  await predictActionList(state, actions, '', scope)
  return state.predicted
}

async function predictActionList(
  state: PredictionState,
  actions: readonly AutomationAction[],
  prefix: string,
  scope: ExpressionScope,
): Promise<void> {
  for (const [i, action] of actions.entries()) {
    if (state.stopped || state.predicted.length >= maxActions) return
    const path = `${prefix}${i}`
    const actionScope = { ...scope, steps: state.steps }
    const dependency = unknownDependencyOf(state, action)
    if (dependency !== undefined)
      state.predicted.push({
        path,
        type: action.type,
        would_do: `Uses the result of step ${dependency}, which is known only when it runs.`,
        outbound: await outboundOf(state, action),
      })
    else if (isControl(action.type))
      await predictControl(state, action, action.type, path, actionScope)
    else state.predicted.push(await predictCall(state, action, path, actionScope))
    if (dependency !== undefined) state.unknown.add(action.id ?? path)
  }
}

/** The step on which an action depends, if its answer is not known yet. */
function unknownDependencyOf(
  { unknown }: PredictionState,
  { type, params }: AutomationAction,
): string | undefined {
  const { then: _, else: __, do: ___, ...ownParams } = params
  const text = JSON.stringify(isControl(type) ? ownParams : params)
  return [...unknown].find((name) =>
    new RegExp(
      `\\bsteps(\\.${name}\\b|\\[\\\\?["']${name.replaceAll('.', '\\.')}\\\\?["']\\])`,
    ).test(text),
  )
}

async function outboundOf(
  { ctx }: PredictionState,
  { type, params }: AutomationAction,
): Promise<boolean> {
  const entry = actionEntry(ctx.catalogue, type)
  return (
    entry !== undefined &&
    (sendsOutbound(entry, params) || typeof entry.operation.outbound === 'function')
  )
}

async function predictControl(
  state: PredictionState,
  action: AutomationAction,
  type: Control,
  path: string,
  scope: ExpressionScope,
): Promise<void> {
  const addPrediction = (would_do: string, more: Partial<PredictedAction> = {}) =>
    void state.predicted.push({ path, type, would_do, outbound: false, ...more })
  try {
    if (type === 'wait') return addPrediction(await waitText(action, scope))
    if (type === 'stop') {
      state.stopped = true
      return addPrediction('Ends the run.')
    }
    if (type === 'branch') return await predictBranch(state, action, path, scope, addPrediction)
    await predictLoop(state, action, path, scope, addPrediction)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    addPrediction('Fails.', { problem: error.message })
    state.stopped ||= action.on_error === 'stop'
  }
}

async function waitText({ params }: AutomationAction, scope: ExpressionScope): Promise<string> {
  if (params.until === undefined) return `Waits for ${quantity(durationMinutes(params), 'minute')}.`
  return `Waits until ${String((await render({ until: params.until }, scope)).until)}.`
}

type AddPrediction = (would_do: string, more?: Partial<PredictedAction>) => void

async function predictBranch(
  state: PredictionState,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
  addPrediction: AddPrediction,
): Promise<void> {
  const value = await evaluateExpression(action.params.if as string, scope)
  if (typeof value !== 'boolean')
    throw new Refusal('invalid_argument', 'if: must be true or false.')
  const arm = value ? 'then' : 'else'
  const nested = nestedActionsOf(action, arm)
  addPrediction(
    `Its condition is ${String(value)}: ${nested.length === 0 ? 'does nothing' : `continues with ${arm}`}.`,
  )
  await predictActionList(state, nested, `${path}.${arm}.`, scope)
}

async function predictLoop(
  state: PredictionState,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
  addPrediction: AddPrediction,
): Promise<void> {
  const items = await evaluateExpression(action.params.items as string, scope)
  if (!Array.isArray(items)) throw new Refusal('invalid_argument', 'items: is not a list.')
  if (items.length > 100)
    throw new Refusal(
      'too_large',
      `items: the list has ${items.length} entries; the maximum is 100.`,
    )
  addPrediction(
    `Goes through ${items.length} ${items.length === 1 ? 'entry' : 'entries'}${items.length > maxIterations ? `; the first ${maxIterations} are shown` : ''}.`,
  )
  for (const [index, each] of items.slice(0, maxIterations).entries())
    await predictActionList(state, nestedActionsOf(action, 'do'), `${path}.${index}.`, {
      ...scope,
      each,
      index,
    })
}

async function predictCall(
  state: PredictionState,
  action: AutomationAction,
  path: string,
  scope: ExpressionScope,
): Promise<PredictedAction> {
  const entry = actionEntry(state.ctx.catalogue, action.type)
  const base = { path, type: action.type, outbound: await outboundOf(state, action) }
  state.unknown.add(action.id ?? path)
  if (!entry)
    return {
      ...base,
      would_do: 'Fails.',
      problem: `The operation ${action.type} no longer exists.`,
    }
  let params: Record<string, unknown> | undefined
  try {
    params = await render(action.params, scope)
    const target = await requireCallable(state.ctx, entry, params)
    if (entry.operation.kind === 'read' && !sendsOutbound(entry, params))
      await executeRead(state, action, path, params)
    return omitNullish({
      ...base,
      would_do: `${entry.operation.about}.`,
      params: shortParams(params),
      target,
      outbound: sendsOutbound(entry, params),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    state.stopped ||= action.on_error === 'stop'
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
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortenValue(item)]))
    : value
}

/** Validates a call's arguments, key rights and targets as far as possible without making it; returns its target. */
async function requireCallable(
  ctx: ReadContext,
  entry: Entry,
  params: Record<string, unknown>,
): Promise<ItemRef | undefined> {
  const refusal = ctx.refusalFor(entry)
  if (refusal) throw refusal
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

async function executeRead(
  state: PredictionState,
  { id, type }: AutomationAction,
  path: string,
  params: Record<string, unknown>,
): Promise<void> {
  if (state.reads++ >= maxReads) return
  const answer = await state.ctx.call(type, params)
  for (const name of id === undefined ? [path] : [path, id]) state.steps[name] = answer
  state.unknown.delete(id ?? path)
}
