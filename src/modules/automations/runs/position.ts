import type { AutomationRow, RunRow } from './access.ts'
import type { StepRow } from './access-steps.ts'
import type { AutomationAction } from '../shapes.ts'
import type { NextStep } from './traversal.ts'

/** Position of a run: at an action, with the values it may use. */
export interface StepPosition {
  run: RunRow
  automation: AutomationRow
  action: AutomationAction
  path: string
  steps: readonly StepRow[]
  /** Stored step of an action that was already started. */
  step: StepRow | undefined
  frame: Extract<NextStep, { what: 'act' }>['frame']
}
