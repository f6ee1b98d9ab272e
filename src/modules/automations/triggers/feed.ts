import { NoRights } from '../../../operations/jobs/job.ts'
import {
  filterableEvent,
  type EventFilter,
  type FilterableEvent,
  visibleAmong,
} from '../../../events/filter.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import {
  isFromOutside,
  eventAutomations,
  advanceTriggerFeed,
  newestChange,
  nextTriggerChanges,
  orgWithTriggers,
  runBehind,
  type TriggerChangeRow,
  type EventAutomation,
} from './access-feed.ts'
import { type RunTrigger, addRun } from '../runs/access.ts'
import { countUnfinished, ranInChain } from '../runs/access-quotas.ts'
import { requestContinuation, asOwner } from '../runs/continuations.ts'
import { suspend } from '../runs/completion.ts'
import { eventFor } from './event-matches.ts'
import { maxCascadeDepth } from '../runs/quotas.ts'

const batchSize = 100
/** Maximum unfinished runs of one automation. */
const maxUnfinished = 1000

interface Match {
  change: TriggerChangeRow
  event: string
}

/**
 * Creates runs from changes. The position is stored in the same transaction, so that a process that ends in between
 * neither loses nor duplicates a run.
 */
export const feedAutomations: Tick = {
  name: 'feed_automations',
  due: async (all) => (await orgWithTriggers(all)) !== undefined,
  async run(system) {
    const org = await orgWithTriggers(system.all)
    if (!org) return false
    const automations = await eventAutomations(system, org)
    const changes = await nextTriggerChanges(
      system,
      org,
      Math.min(...automations.map((automation) => automation.since), Number.MAX_SAFE_INTEGER),
      batchSize,
    )
    const filterable = changes.map((change) => ({ change, filterable: filterableEvent(change) }))
    for (const automation of automations)
      await createRuns(system, automation, matchesOf(automation, filterable))
    await advanceTriggerFeed(system, org, changes.at(-1)?.seq ?? (await newestChange(system)))
    return true
  },
}

function matchesOf(
  { trigger_json, owner_id, since }: EventAutomation,
  changes: readonly { change: TriggerChangeRow; filterable: FilterableEvent }[],
): Match[] {
  const { event: pattern, filter } = JSON.parse(trigger_json) as {
    event: string
    filter?: EventFilter
  }
  return changes
    .filter(
      ({ change }) =>
        change.seq > since && (change.for_person_id === null || change.for_person_id === owner_id),
    )
    .flatMap(({ change, filterable }) => {
      const event = eventFor(pattern, filter, owner_id, filterable)
      return event === undefined ? [] : [{ change, event }]
    })
}

/**
 * Creates runs only for changes visible to the owner, which is checked again when they start. runs/maintenance.ts
 * suspends automations of owners who may no longer act.
 */
async function createRuns(
  system: TickContext,
  automation: EventAutomation,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return
  const { since: _, ...row } = automation
  try {
    await asOwner(system, row, async (ctx) => {
      const visibleSeqs = await visibleAmong(
        ctx,
        matches.map((match) => match.change),
      )
      const due = matches.filter((match) => visibleSeqs.has(match.change.seq))
      if (
        due.length > 0 &&
        (await countUnfinished(system, row.id, maxUnfinished)) + due.length > maxUnfinished
      )
        return suspend(ctx, row, `more than ${maxUnfinished} runs are waiting`)
      for (const match of due) {
        const run = await addRun(
          system.all,
          system.now,
          row,
          await triggerOf(system, row.id, match),
        )
        if (run?.status === 'queued') await requestContinuation(ctx, run.id)
      }
    })
  } catch (error) {
    if (!(error instanceof NoRights)) throw error
  }
}

/** Includes the chain of causes so far: a chain that is too long ends, and an automation runs once per item in it. */
async function triggerOf(
  system: TickContext,
  automationId: string,
  { change, event }: Match,
): Promise<RunTrigger> {
  const cause = change.run_id?.startsWith('run_')
    ? await runBehind(system, change.run_id)
    : undefined
  const isHeld = cause?.held === 1 || (await isFromOutside(system, change))
  const trigger: RunTrigger = {
    type: 'event',
    source: `change:${change.seq}`,
    event,
    change_seq: change.seq,
    item: { type: change.item_type, id: change.item_id },
    cause,
    held: isHeld,
  }
  if (!cause) return trigger
  if (cause.depth + 1 > maxCascadeDepth)
    return {
      ...trigger,
      skipped: `Stopped: ${maxCascadeDepth} automation runs already led to this one.`,
    }
  if (await ranInChain(system, cause.root_id, automationId, change.item_id))
    return {
      ...trigger,
      skipped: 'Stopped: it already ran on this item in the same chain of runs.',
    }
  return trigger
}
