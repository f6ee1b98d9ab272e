import type { Row } from '../../../records/resource.ts'
import { daysBetween } from '../../../kernel/time/times.ts'
import type { Ref } from '../../../records/shapes.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

export interface RiskFacts {
  project: Pick<Row<'projects'>, 'status' | 'health' | 'starts_on' | 'ends_on'>
  today: string
  open: number
  overdue: { count: number; items: Ref[] }
  /** Tasks blocked for `blockedDays` or more. */
  longBlocked: { count: number; items: Ref[] }
  unassigned: number
  workload: { person: Ref; open: number }[]
  milestones: {
    item: Ref
    status: Row<'milestones'>['status']
    slip_days: number
    due_on: string | undefined
    left: number
  }[]
  scope: { added: number; removed: number }
  done: number
  /** Whether the project was created in the period: its initial tasks are not growth. */
  isNew: boolean
  /** Days since the newest update, or since creation. */
  quietDays: number
}

export interface Risk {
  kind:
    | 'off_track'
    | 'late'
    | 'overdue_share'
    | 'blocked_long'
    | 'milestone_missed'
    | 'milestone_slip'
    | 'milestone_near'
    | 'no_update'
    | 'scope_growth'
    | 'unassigned_share'
    | 'workload_concentration'
  detail: string
  items: Ref[]
}

export const blockedDays = 7
const quietLimitDays = 14
const slipLimitDays = 7
const nearLimitDays = 7
const minCount = 5

/** Risks indicated by the numbers, gravest kinds first. A completed or archived project has none. */
export function risksOf(facts: RiskFacts): Risk[] {
  if (facts.project.status === 'completed' || facts.project.status === 'archived') return []
  return [
    ...statusRisks(facts),
    ...workRisks(facts),
    ...milestoneRisks(facts),
    ...planningRisks(facts),
  ]
}

function* statusRisks({ project, today, open }: RiskFacts): Generator<Risk> {
  if (project.health === 'off_track')
    yield {
      kind: 'off_track',
      detail: 'The last update reports the project as off track.',
      items: [],
    }
  if (project.ends_on !== null && project.ends_on < today && open > 0) {
    yield {
      kind: 'late',
      detail: `The project should have ended on ${project.ends_on}; ${tasks(open)} ${open === 1 ? 'is' : 'are'} open.`,
      items: [],
    }
  }
}

function* workRisks({ overdue, longBlocked, open }: RiskFacts): Generator<Risk> {
  if (overdue.count > 0 && overdue.count * minCount >= open) {
    yield {
      kind: 'overdue_share',
      detail: `${overdue.count} of ${quantity(open, 'open task')} ${overdue.count === 1 ? 'is' : 'are'} overdue.`,
      items: overdue.items,
    }
  }
  if (longBlocked.count > 0) {
    yield {
      kind: 'blocked_long',
      detail: `${tasks(longBlocked.count)} blocked for ${blockedDays} days or more.`,
      items: longBlocked.items,
    }
  }
}

function* milestoneRisks({ milestones, today }: RiskFacts): Generator<Risk> {
  for (const { item, status, slip_days, due_on, left } of milestones) {
    if (status === 'missed')
      yield {
        kind: 'milestone_missed',
        detail: `"${item.title}" was missed${slip_days > 0 ? `, ${days(slip_days)} ago` : ''}.`,
        items: [item],
      }
    if (status !== 'open') continue
    if (slip_days >= slipLimitDays)
      yield {
        kind: 'milestone_slip',
        detail: `"${item.title}" was postponed by ${days(slip_days)}.`,
        items: [item],
      }
    if (
      due_on !== undefined &&
      due_on >= today &&
      daysBetween(today, due_on) <= nearLimitDays &&
      left > 0
    ) {
      yield {
        kind: 'milestone_near',
        detail: `"${item.title}" is due on ${due_on}; ${tasks(left)} ${left === 1 ? 'is' : 'are'} left.`,
        items: [item],
      }
    }
  }
}

function* planningRisks({
  project,
  quietDays,
  scope,
  isNew,
  done,
  open,
  unassigned,
  workload,
}: RiskFacts): Generator<Risk> {
  if (project.status === 'active' && quietDays >= quietLimitDays)
    yield {
      kind: 'no_update',
      detail: `No update has been posted for ${days(quietDays)}.`,
      items: [],
    }
  const growth = scope.added - scope.removed
  if (!isNew && growth > done && growth >= minCount)
    yield {
      kind: 'scope_growth',
      detail: `The scope grew by ${tasks(growth)} while ${done} ${done === 1 ? 'was' : 'were'} completed.`,
      items: [],
    }
  if (unassigned * 2 > open && open >= minCount)
    yield {
      kind: 'unassigned_share',
      detail: `${unassigned} of ${quantity(open, 'open task')} ${unassigned === 1 ? 'has' : 'have'} no assignee.`,
      items: [],
    }
  const busiest = workload[0]
  if (busiest && workload.length > 1 && busiest.open >= 10 && busiest.open * 2 > open) {
    yield {
      kind: 'workload_concentration',
      detail: `${busiest.person.title} has ${busiest.open} of ${open} open tasks.`,
      items: [busiest.person],
    }
  }
}

function tasks(count: number): string {
  return count === 1 ? '1 task' : `${count} tasks`
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`
}
