// Plan of an automation while it is edited.

import type { Input, Output } from '../../../../api/client.ts'

export type AutomationRow = Output<'get_automation'>
type CreateInput = Input<'create_automation'>
export type Trigger = AutomationRow['trigger']
export type Action = AutomationRow['actions'][number]

export interface AutomationPlan {
  name: string
  trigger: Trigger
  /** Conditions as CEL expressions, all of which must be true. */
  conditions: readonly string[]
  actions: readonly Action[]
}

export const automationPlan = ({
  name,
  trigger,
  conditions,
  actions,
}: AutomationRow): AutomationPlan => ({
  name,
  trigger,
  conditions: conditions.map(({ expression }) => expression),
  actions,
})

/** An initial plan with the most common trigger. */
export const emptyPlan: AutomationPlan = {
  name: '',
  trigger: { type: 'event', params: { event: 'task.created' } },
  conditions: [],
  actions: [],
}

/** True if two plans are equal, regardless of field order. */
export const isSamePlan = (a: AutomationPlan, b: AutomationPlan): boolean =>
  canonical(a) === canonical(b)

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** A plan as operation arguments, without blank conditions. */
export function planInput({ name, trigger, conditions, actions }: AutomationPlan) {
  return {
    name: name.trim(),
    trigger,
    conditions: conditions
      .filter((expression) => expression.trim() !== '')
      .map((expression) => ({ expression })),
    actions: actions as CreateInput['actions'],
  }
}

/** The triggering event: `task.created`. */
export function eventOf({ type, params }: Trigger): string | undefined {
  return type === 'event' && typeof params.event === 'string' ? params.event : undefined
}

/** Replaces an entry of a list, or removes it if there is no replacement. */
export function replaceAt<T>(list: readonly T[], index: number, entry: T | undefined): T[] {
  return entry === undefined ? list.toSpliced(index, 1) : list.with(index, entry)
}
