import type { AutomationAction } from '../shapes.ts'

// Derives a run's position from its stored steps each time, so that the next process continues with whatever another
// left unfinished.

/** Stored state of a step that was started. */
export interface StepState {
  status: 'running' | 'waiting' | 'succeeded' | 'failed'
  /** Its answer; the chosen arm of a branch, or the list of a for_each. */
  value: unknown
}

/** Current position in a for_each. */
export interface LoopFrame {
  each: unknown
  index: number
}

export type NextStep =
  | { what: 'act'; path: string; action: AutomationAction; frame: LoopFrame | undefined }
  | { what: 'failed'; path: string }
  | { what: 'stopped'; path: string }
  | { what: 'end' }

/** The first action in written order that has not ended. */
export function nextActionOf(
  actions: readonly AutomationAction[],
  steps: ReadonlyMap<string, StepState>,
): NextStep {
  return nextInActions(actions, '', undefined, steps) ?? { what: 'end' }
}

function nextInActions(
  actions: readonly AutomationAction[],
  prefix: string,
  frame: LoopFrame | undefined,
  steps: ReadonlyMap<string, StepState>,
): NextStep | undefined {
  for (const [i, action] of actions.entries()) {
    const path = `${prefix}${i}`
    const state = steps.get(path)
    if (!state || state.status === 'running' || state.status === 'waiting')
      return { what: 'act', path, action, frame }
    if (state.status === 'failed') {
      if (action.on_error === 'stop') return { what: 'failed', path }
      continue
    }
    const nextInside = nextInsideAction(action, path, state, frame, steps)
    if (nextInside) return nextInside
  }
  return undefined
}

function nextInsideAction(
  action: AutomationAction,
  path: string,
  state: StepState,
  frame: LoopFrame | undefined,
  steps: ReadonlyMap<string, StepState>,
): NextStep | undefined {
  if (action.type === 'stop') return { what: 'stopped', path }
  if (action.type === 'branch') {
    const { arm } = state.value as { arm: 'then' | 'else' }
    return nextInActions(nestedActionsOf(action, arm), `${path}.${arm}.`, frame, steps)
  }
  if (action.type !== 'for_each') return undefined
  for (const [index, each] of (state.value as { items: unknown[] }).items.entries()) {
    const next = nextInActions(
      nestedActionsOf(action, 'do'),
      `${path}.${index}.`,
      { each, index },
      steps,
    )
    if (next) return next
  }
  return undefined
}

/** Actions inside an action: the arms of a branch, the body of a for_each. */
export function nestedActionsOf(
  action: AutomationAction,
  name: 'then' | 'else' | 'do',
): AutomationAction[] {
  return (action.params[name] as AutomationAction[] | undefined) ?? []
}

/** All actions, including nested ones, with their positions, in order. */
export function allActions(
  actions: readonly AutomationAction[],
  prefix = '',
): { path: string; action: AutomationAction; depth: number }[] {
  return actions.flatMap((action, i) => {
    const path = `${prefix}${i}`
    const nested = (['then', 'else', 'do'] as const).flatMap((name) =>
      allActions(nestedActionsOf(action, name), `${path}.${name}.`),
    )
    return [
      { path, action, depth: 0 },
      ...nested.map((item) => ({ ...item, depth: item.depth + 1 })),
    ]
  })
}
