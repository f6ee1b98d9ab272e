import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import type { AutomationAction } from '../shapes.ts'
import { nextActionOf, type StepState } from './traversal.ts'
import { planPath } from '../expressions/scopes.ts'
import { knownIdsIn, storableValue, valueOutline } from '../automations/outlines.ts'
import { stepsPerRun, stepLimitReason } from './quotas.ts'

const call = (type: string, on_error: 'stop' | 'continue' = 'stop'): AutomationAction => ({
  type,
  params: {},
  on_error,
})
const leaf = fc
  .constantFrom('a', 'b', 'fails', 'stop')
  .chain((type) =>
    fc.constantFrom('stop' as const, 'continue' as const).map((on_error) => call(type, on_error)),
  )
const { plan } = fc.letrec<{ action: AutomationAction; plan: AutomationAction[] }>((tie) => ({
  plan: fc.array(tie('action'), { minLength: 1, maxLength: 4 }),
  action: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({ if: fc.boolean(), then: tie('plan'), else: tie('plan') })
      .map((params) => ({ type: 'branch', params, on_error: 'stop' as const })),
    fc
      .record({ items: fc.nat(3), do: tie('plan') })
      .map((params) => ({ type: 'for_each', params, on_error: 'stop' as const })),
  ),
}))

/** Trace of a program that executes the plan in one go. */
function trace(
  actions: readonly AutomationAction[],
  types: string[] = [],
): { executed: string[]; ended: 'end' | 'failed' | 'stopped' } {
  for (const { type, params, on_error } of actions) {
    types.push(type)
    if (type === 'stop') return { executed: types, ended: 'stopped' }
    if (type === 'fails' && on_error === 'stop') return { executed: types, ended: 'failed' }
    for (const item of nestedLists({ type, params })) {
      const { ended } = trace(item as AutomationAction[], types)
      if (ended !== 'end') return { executed: types, ended }
    }
  }
  return { executed: types, ended: 'end' }
}

/** The lists of actions inside an action. */
function nestedLists({ type, params }: Pick<AutomationAction, 'type' | 'params'>): unknown[] {
  if (type === 'branch') return [params.if ? params.then : params.else]
  if (type !== 'for_each') return []
  return Array.from({ length: params.items as number }, () => params.do)
}

const stateAfter = ({ type, params }: AutomationAction): StepState => {
  if (type === 'fails') return { status: 'failed', value: null }
  if (type === 'branch') return { status: 'succeeded', value: { arm: params.if ? 'then' : 'else' } }
  if (type !== 'for_each') return { status: 'succeeded', value: null }
  return { status: 'succeeded', value: { items: Array.from({ length: params.items as number }) } }
}

test('a run resumed step by step from stored state does the same as an uninterrupted one', () => {
  fc.assert(
    fc.property(plan, (actions) => {
      const states = new Map<string, StepState>()
      const done: string[] = []
      for (
        let next = nextActionOf(actions, states);
        ;
        next = nextActionOf(actions, new Map(states))
      ) {
        if (next.what !== 'act')
          return assert.deepEqual({ executed: done, ended: next.what }, trace(actions))
        assert.equal(states.has(next.path), false)
        states.set(next.path, stateAfter(next.action))
        done.push(next.action.type)
      }
    }),
    { numRuns: 300 },
  )
})

test('paths of executed steps map back to paths in the plan', () => {
  assert.deepEqual(['2', '2.then.0', '3.7.0', '3.7.1.else.0', '3.7.1.12.4'].map(planPath), [
    '2',
    '2.then.0',
    '3.do.0',
    '3.do.1.else.0',
    '3.do.1.do.4',
  ])
})

test('history keeps short texts, and the length and hash of others; later steps get values that fit', () => {
  const key = 'svc_0123456789abcdefghij'
  const outline = JSON.stringify(
    valueOutline({
      title: 'short',
      body: 'x'.repeat(500),
      key,
      deep: { a: { b: { c: { d: { e: 1 } } } } },
      list: Array.from({ length: 100 }),
    }),
  )
  assert.ok(
    outline.includes('"title":"short"') &&
      outline.includes('"length":500') &&
      outline.includes('100 values') &&
      !outline.includes(key),
  )
  assert.deepEqual(storableValue({ id: 'x', body: 'y'.repeat(2000) }, 1000), {
    id: 'x',
    too_large: true,
  })
  assert.deepEqual([...knownIdsIn({ a: ['no id', { b: 'tsk_x' }] })], [])
})

test('nested loops end: a run is limited in steps and in the size of their results', () => {
  const steps = (count: number, value_json: string | null) =>
    Array.from({ length: count }, () => ({ value_json }))
  assert.equal(stepLimitReason(steps(stepsPerRun - 1, null)), undefined)
  assert.match(stepLimitReason(steps(stepsPerRun, null))!, /2000 steps/)
  assert.match(stepLimitReason(steps(200, 'x'.repeat(50_000)))!, /8 MB/)
})
