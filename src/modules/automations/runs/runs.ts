import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { freeObject, paging, pageOf } from '../../../kernel/fields.ts'
import { anyItem } from '../../../records/items.ts'
import { equals, applyFilters, filters, oneOf, since } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { automation, automationRun } from '../access.ts'
import { addRunFor } from './access.ts'
import { requestContinuation } from './continuations.ts'
import { checkRights } from '../automations/plans.ts'
import { AutomationRun, runStates, presentRuns, type AutomationAction } from '../shapes.ts'
import { presentFullRun } from './histories.ts'

const maxInputBytes = 64 * 1024

export const runAutomation = operation({
  name: 'run_automation',
  searchHint: 'trigger by hand, start a workflow',
  kind: 'destructive',
  rest: 'POST /api/automations/{automation_id}/run',
  outboundLater: true,
  creates: 'item',
  about: 'Run an automation now on an item, with real effects',
  on: { automation: automation.edit, item: anyItem.see.maybe },
  input: { input: freeObject().optional().describe('what conditions and templates see as input') },
  output: AutomationRun,
  undoCaveat: 'its actions are separate calls, made via automation; undo those',
  async handle({ automation: row, item, input = {} }, ctx) {
    if (row.status !== 'enabled')
      throw new Refusal('conflict', `This automation is ${row.status}.`, {
        hint: 'Check it with test_automation, then enable it with enable_automation.',
        next: { tool: 'enable_automation', arguments: { automation_id: row.id } },
      })
    if (Buffer.byteLength(JSON.stringify(input)) > maxInputBytes)
      throw new Refusal('too_large', `input: larger than ${maxInputBytes} bytes.`, {
        field: 'input',
      })
    checkRights(ctx, JSON.parse(row.actions_json) as AutomationAction[])
    const itemRef = item && { type: item.resource.definition.type, id: item.row.id }
    const run = await addRunFor(ctx, row, {
      type: 'manual',
      item: itemRef,
      payload: input,
      key: ctx.actor.key?.id ?? null,
    })
    await requestContinuation(ctx, run!.id)
    return (await presentRuns(ctx, [run!]))[0]!
  },
})

const runFilters = filters('automation_runs', {
  automation: equals('automation_runs.automation_id', automation.see.maybe),
  status: oneOf('automation_runs.status', z.array(z.enum(runStates)).max(5).optional()),
  after: since('automation_runs.created_at'),
})

export const listAutomationRuns = operation({
  name: 'list_automation_runs',
  searchHint: 'what did the bot do, failed runs, workflow history',
  kind: 'read',
  rest: 'GET /api/automation-runs',
  about: 'Runs with result, duration and error',
  on: runFilters.on,
  input: { ...runFilters.input, ...paging },
  output: pageOf(AutomationRun),
  async handle({ limit, cursor, ...filter }, ctx) {
    const filteredRuns = await applyFilters(ctx, automationRun.visibleTo(ctx), runFilters, filter)
    const runsQuery = filteredRuns.selectAll('automation_runs')
    const page = await paged(runsQuery, [{ by: 'automation_runs.id', as: 'id', dir: 'desc' }], {
      limit,
      cursor,
    })
    return pageWithItems(page, await presentRuns(ctx, page.items))
  },
})

export const getAutomationRun = operation({
  name: 'get_automation_run',
  searchHint: 'why did it fail, debug a workflow, error of a run',
  kind: 'read',
  rest: 'GET /api/automation-runs/{run_id}',
  about: 'One run step by step, with inputs, outputs and the items it changed',
  on: { run: automationRun.see },
  output: AutomationRun,
  handle: async ({ run }, ctx: ReadContext) => presentFullRun(ctx, run as Row<'automation_runs'>),
})
