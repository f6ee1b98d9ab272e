import type { Module } from '../../core/module.ts'
import * as automations from './automations.ts'
import { listAutomationCatalog } from './catalog.ts'
import { feedAutomations } from './feed.ts'
import { fireAutomation } from './firing.ts'
import { hook } from './hooks.ts'
import { testAutomation } from './previews.ts'
import { pruneAutomationRuns } from './pruning.ts'
import * as runs from './runs.ts'
import { continueAutomation, wakeAutomation } from './stepping.ts'
import { followRuns, tendAutomations } from './tending.ts'
import { erasures } from '../../core/forget.ts'
import { automationErasure } from './access-erasure.ts'

erasures.register(automationErasure)

export const automationsModule: Module = {
  name: 'automations',
  about:
    'Automations that act in the name of their owner: on events, schedules, webhooks or on demand. Nouns: automation, run.',
  operations: [
    listAutomationCatalog,
    ...Object.values(automations),
    testAutomation,
    ...Object.values(runs),
  ],
  places: [hook],
  events: ['automation.run_failed', 'automation.suspended'],
  ticks: [feedAutomations, followRuns, tendAutomations],
  jobs: [continueAutomation, wakeAutomation, fireAutomation, pruneAutomationRuns],
  schedules: [
    { name: 'prune_automation_runs', cron: '53 3 * * *', kind: pruneAutomationRuns.name },
  ],
}
