import type { Module } from '../../operations/module.ts'
import * as automations from './automations/automations.ts'
import { listAutomationCatalog } from './automations/catalog.ts'
import { feedAutomations } from './triggers/feed.ts'
import { fireAutomation } from './triggers/schedules.ts'
import { webhookEndpoint } from './triggers/hooks.ts'
import { testAutomation } from './previews/previews.ts'
import { pruneAutomationRuns } from './runs/retention.ts'
import * as runs from './runs/runs.ts'
import { continueAutomation, wakeAutomation } from './runs/steps.ts'
import { followRuns, maintainAutomations } from './runs/maintenance.ts'
import { erasures } from '../../privacy/erasure.ts'
import { automationErasure } from './access-erasure.ts'
import { automationsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { automationHandover } from './handover.ts'

erasures.register(automationErasure)

handovers.register(automationHandover)

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
  places: [webhookEndpoint],
  events: ['automation.run_failed', 'automation.suspended'],
  ticks: [feedAutomations, followRuns, maintainAutomations],
  jobs: [continueAutomation, wakeAutomation, fireAutomation, pruneAutomationRuns],
  schedules: [
    { name: 'prune_automation_runs', cron: '53 3 * * *', kind: pruneAutomationRuns.name },
  ],
  presenters: automationsPresenters,
}
