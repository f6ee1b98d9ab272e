// Plan of an automation while it is edited.

import type { Input, Output } from '../../../../api/client.ts'

export type AutomationRow = Output<'get_automation'>
type Written = Input<'create_automation'>
export type Trigger = AutomationRow['trigger']
export type Action = AutomationRow['actions'][number]

export interface AutomationPlan {
  name: string
  trigger: Trigger
  /** Conditions as CEL expressions; all have to be true. */
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

/** A plan to begin with: what most automations start from. */
export const emptyPlan: AutomationPlan = {
  name: '',
  trigger: { type: 'event', params: { event: 'task.created' } },
  conditions: [],
  actions: [],
}

/** Whether two plans say the same, whatever the order of their fields. */
export const isSamePlan = (a: AutomationPlan, b: AutomationPlan): boolean =>
  canonical(a) === canonical(b)

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** A plan as the operations take it; conditions that were left blank are left out. */
export function writtenPlan({ name, trigger, conditions, actions }: AutomationPlan) {
  return {
    name: name.trim(),
    trigger,
    conditions: conditions
      .filter((expression) => expression.trim() !== '')
      .map((expression) => ({ expression })),
    actions: actions as Written['actions'],
  }
}

/** The event that sets it off: `task.created`. */
export function eventOf({ type, params }: Trigger): string | undefined {
  return type === 'event' && typeof params.event === 'string' ? params.event : undefined
}

/** A list with one entry replaced, or without it where there is no other. */
export function replaced<T>(list: readonly T[], index: number, entry: T | undefined): T[] {
  return entry === undefined ? list.toSpliced(index, 1) : list.with(index, entry)
}
