import type { ReadContext } from '../../../operations/context.ts'
import type { AutomationRow } from '../runs/access.ts'
import { actionEntry } from './action-tools.ts'
import { operationsOf } from './plans.ts'
import type { PredictedAction } from '../previews/predictions.ts'
import type { AutomationAction, Trigger } from '../shapes.ts'

/** Warnings to show before an automation is enabled. */
export function warningsOf(
  ctx: ReadContext,
  row: AutomationRow,
  trigger: Trigger,
  actions: readonly AutomationAction[],
  predicted: readonly PredictedAction[],
  replay: readonly { would_trigger: boolean }[] | undefined,
): string[] {
  const looping = loopingOperations(ctx, trigger, actions)
  const failing = predicted.filter((item) => item.problem !== undefined)
  const sending = predicted.filter((item) => item.outbound).map((item) => item.type)
  return [
    ...(row.status === 'enabled'
      ? []
      : [`It is ${row.status}: it does not run until enabled with enable_automation.`]),
    ...looping.map(
      (name) =>
        `${name} may trigger it again: an automation runs once per item in a chain of runs, and a chain ends after 5 runs.`,
    ),
    ...failing.map((item) => `Action ${item.path} (${item.type}) would fail: ${item.problem}`),
    ...(sending.length === 0
      ? []
      : [`It sends something outside with ${[...new Set(sending)].join(', ')}.`]),
    ...(replay && replay.length === 50 ? ['More events than shown would have triggered it.'] : []),
  ]
}

/** Operations among the actions that may cause the event of the trigger, judging by their names and parameters. */
function loopingOperations(
  ctx: ReadContext,
  trigger: Trigger,
  actions: readonly AutomationAction[],
): string[] {
  if (trigger.type !== 'event') return []
  const [type, verb] = (trigger.params.event as string).split('.') as [string, string]
  return operationsOf(actions).filter((name) => {
    const entry = actionEntry(ctx.catalogue, name)
    if (!entry || entry.operation.kind === 'read') return false
    const mentionsType = new RegExp(`_${type}s?(_|$)`).test(name)
    if (isCreationVerb(verb)) return mentionsType && isCreatingOperation(name)
    return (
      (mentionsType ||
        entry.schemas.params.some(
          (param) => param.wire === `${type}_id` || param.wire === `${type}_ids`,
        )) &&
      mayCause(name, verb)
    )
  })
}

const isCreationVerb = (verb: string) =>
  ['created', 'opened', 'posted', 'added', 'received', 'logged'].includes(verb)
const isCreatingOperation = (operation: string) =>
  /^(create|add|post|send|import|duplicate|convert|open|log|record|copy|restore)_/.test(operation)

/** Creation and deletion events come from few operations; any change can cause the others. */
function mayCause(operation: string, verb: string): boolean {
  if (verb === 'deleted') return /^(delete|bulk)_/.test(operation)
  return verb === '*' || !isCreatingOperation(operation)
}
