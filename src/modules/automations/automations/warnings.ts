import type { ReadContext } from '../../../operations/context.ts'
import type { AutomationRow } from '../runs/access.ts'
import { actionOf } from './action-tools.ts'
import { operationsOf } from './plans.ts'
import type { Rehearsed } from '../previews/rehearsals.ts'
import type { AutomationAction, Trigger } from '../shapes.ts'

/** Warnings to show before an automation is enabled. */
export function warningsOf(
  ctx: ReadContext,
  row: AutomationRow,
  trigger: Trigger,
  actions: readonly AutomationAction[],
  rehearsed: readonly Rehearsed[],
  replay: readonly { would_trigger: boolean }[] | undefined,
): string[] {
  const loops = loopsOf(ctx, trigger, actions)
  const failing = rehearsed.filter((item) => item.problem !== undefined)
  const sending = rehearsed.filter((item) => item.outbound).map((item) => item.type)
  return [
    ...(row.status === 'enabled'
      ? []
      : [`It is ${row.status}: it does not run until enabled with enable_automation.`]),
    ...loops.map(
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

/** Operations among its actions that cause the event it listens to, as far as their names and items show. */
function loopsOf(
  ctx: ReadContext,
  trigger: Trigger,
  actions: readonly AutomationAction[],
): string[] {
  if (trigger.type !== 'event') return []
  const [type, verb] = (trigger.params.event as string).split('.') as [string, string]
  return operationsOf(actions).filter((name) => {
    const entry = actionOf(ctx.catalogue, name)
    if (!entry || entry.operation.kind === 'read') return false
    const namesType = new RegExp(`_${type}s?(_|$)`).test(name)
    if (isMaking(verb)) return namesType && makes(name)
    return (
      (namesType ||
        entry.schemas.params.some(
          (param) => param.wire === `${type}_id` || param.wire === `${type}_ids`,
        )) &&
      brings(name, verb)
    )
  })
}

const isMaking = (verb: string) =>
  ['created', 'opened', 'posted', 'added', 'received', 'logged'].includes(verb)
const makes = (operation: string) =>
  /^(create|add|post|send|import|duplicate|convert|open|log|record|copy|restore)_/.test(operation)

/** Creation and deletion events come from few operations; any change can cause the others. */
function brings(operation: string, verb: string): boolean {
  if (verb === 'deleted') return /^(delete|bulk)_/.test(operation)
  return verb === '*' || !makes(operation)
}
