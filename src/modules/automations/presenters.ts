import { presenter } from '../../operations/listing/presenters.ts'
import { automation, automationRun } from './access.ts'
import { presentAutomations, presentRuns } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const automationsPresenters = [
  presenter(automation, {
    operation: 'list_automations',
    entries: presentAutomations,
    get: { operation: 'get_automation', argument: 'automation_id' },
  }),
  presenter(automationRun, {
    operation: 'list_automation_runs',
    entries: presentRuns,
    get: { operation: 'get_automation_run', argument: 'run_id' },
  }),
]
