import type { StepRow } from '../runs/access-steps.ts'
import type { LoopFrame } from '../runs/traversal.ts'

/** Trigger data of a run, as conditions and templates see it. */
export interface TriggerData {
  item: unknown
  event: { name: string; at?: unknown; via?: unknown } | null
  actor: unknown
  changes: Record<string, { from: unknown; to: unknown }>
  trigger: { type: string; payload: Record<string, unknown> }
  input: Record<string, unknown>
  automation: { id: string; name: string }
}

export type ExpressionScope = Record<string, unknown>

/** Scope of an action: trigger data, current time, answers of earlier steps, and its position in a for_each. */
export function runScope(
  triggerData: TriggerData,
  steps: readonly Pick<StepRow, 'path' | 'value_json' | 'status'>[],
  now: string,
  ids: ReadonlyMap<string, string> = new Map(),
  frame?: LoopFrame,
): ExpressionScope {
  const answers: Record<string, unknown> = {}
  for (const { path, value_json, status } of steps) {
    if (status !== 'succeeded') continue
    const value = JSON.parse(value_json ?? 'null') as unknown
    answers[path] = value
    const id = ids.get(planPath(path))
    if (id !== undefined) answers[id] = value
  }
  return {
    ...triggerData,
    now,
    steps: answers,
    each: frame?.each ?? null,
    index: frame?.index ?? 0,
  }
}

/** Changes by field, from the list in events. */
export function changesByField(changes: unknown): TriggerData['changes'] {
  if (!Array.isArray(changes)) return {}
  return Object.fromEntries(
    (changes as { field: string; from?: unknown; to?: unknown }[]).map((change) => [
      change.field,
      { from: change.from ?? null, to: change.to ?? null },
    ]),
  )
}

/** A step's position in the plan, regardless of iteration: 3.7.0 and 3.8.0 are 3.do.0. */
export function planPath(path: string): string {
  return path
    .split('.')
    .map((part, i) => (i % 2 === 1 && /^\d+$/.test(part) ? 'do' : part))
    .join('.')
}
