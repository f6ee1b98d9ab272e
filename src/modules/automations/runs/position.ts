import type { AutomationRow, RunRow } from './access.ts'
import type { StepRow } from './access-steps.ts'
import type { AutomationAction } from '../shapes.ts'
import type { Next } from './traversal.ts'

/** Where a run stands: at an action, with what it may know. */
export interface StepPosition {
  run: RunRow
  automation: AutomationRow
  action: AutomationAction
  path: string
  steps: readonly StepRow[]
  /** Of an action that was begun already. */
  step: StepRow | undefined
  frame: Extract<Next, { what: 'act' }>['frame']
}
