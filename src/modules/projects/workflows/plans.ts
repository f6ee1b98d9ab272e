import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

export interface RequestedStatus {
  name: string
  category: Row<'statuses'>['category']
  color?: string | undefined
  wip_limit?: number | undefined
  was?: string | undefined
}

export interface WorkflowPlan {
  /** In the new order; `row` is the status that becomes this one, undefined for a new one. */
  matched: { requested: RequestedStatus; row: Row<'statuses'> | undefined }[]
  removed: Row<'statuses'>[]
  /** By removed status id: the index in `matched` that receives its tasks. */
  targets: Map<string, number>
  /** Tasks moved so far. */
  moved: number
}

const normalize = (name: string) => name.trim().toLowerCase()

/**
 * Matches the requested statuses with existing ones, by current or previous name.
 * @throws Refusal invalid_argument naming the invalid status
 */
export function planWorkflow(
  existing: readonly Row<'statuses'>[],
  requestedStatuses: readonly RequestedStatus[],
  migrate: Readonly<Record<string, string>>,
): WorkflowPlan {
  requireConsistent(requestedStatuses)
  const claimed = rowsByPreviousName(existing, requestedStatuses)
  const claimedRows = new Set(claimed.values())
  const byName = (name: string) =>
    existing.find((row) => normalize(row.name) === normalize(name) && !claimedRows.has(row))
  const statuses = requestedStatuses.map((requestedStatus) => ({
    requested: requestedStatus,
    row: claimed.get(requestedStatus) ?? byName(requestedStatus.name),
  }))
  const removed = existing.filter((row) => !statuses.some((item) => item.row === row))
  return {
    matched: statuses,
    removed,
    targets: targetsOf(existing, removed, requestedStatuses, migrate),
    moved: 0,
  }
}

function requireConsistent(statuses: readonly RequestedStatus[]): void {
  const names = statuses.map((askedStatus) => normalize(askedStatus.name))
  const duplicateIndex = names.findIndex((name, i) => names.indexOf(name) < i)
  if (duplicateIndex >= 0)
    throw invalid(
      `statuses[${duplicateIndex}].name`,
      `two statuses are named "${statuses[duplicateIndex]!.name}".`,
    )
  if (!statuses.some(isInitialStatus)) {
    throw invalid(
      'statuses',
      'a workflow needs a status of category todo, backlog or triage, where tasks start.',
    )
  }
  if (!statuses.some((askedStatus) => askedStatus.category === 'done'))
    throw invalid('statuses', 'a workflow needs a status of category done, where tasks end.')
}

/** The rows named in `was`. */
function rowsByPreviousName(
  existing: readonly Row<'statuses'>[],
  requestedStatuses: readonly RequestedStatus[],
): Map<RequestedStatus, Row<'statuses'>> {
  const claimed = new Map<RequestedStatus, Row<'statuses'>>()
  for (const [i, requested] of requestedStatuses.entries()) {
    if (requested.was === undefined) continue
    const row = existing.find((other) => normalize(other.name) === normalize(requested.was!))
    if (!row)
      throw invalid(
        `statuses[${i}].was`,
        `no status is named "${requested.was}".`,
        `Existing statuses: ${quotedNameList(existing)}.`,
      )
    if ([...claimed.values()].includes(row))
      throw invalid(`statuses[${i}].was`, `"${requested.was}" is used more than once.`)
    claimed.set(requested, row)
  }
  return claimed
}

function targetsOf(
  existing: readonly Row<'statuses'>[],
  removed: readonly Row<'statuses'>[],
  statuses: readonly RequestedStatus[],
  migrate: Readonly<Record<string, string>>,
): Map<string, number> {
  const targets = new Map<string, number>()
  for (const [from, to] of Object.entries(migrate)) {
    const row = removed.find((item) => normalize(item.name) === normalize(from))
    const index = statuses.findIndex((askedStatus) => normalize(askedStatus.name) === normalize(to))
    if (index < 0)
      throw invalid(
        `migrate.${from}`,
        `the new workflow has no status "${to}".`,
        `Its statuses are ${quotedNameList(statuses)}.`,
      )
    if (row) targets.set(row.id, index)
    else if (!existing.some((item) => normalize(item.name) === normalize(from)))
      throw invalid(
        `migrate.${from}`,
        `no status is named "${from}".`,
        `Existing statuses: ${quotedNameList(existing)}.`,
      )
    else
      throw invalid(
        `migrate.${from}`,
        `"${from}" remains in the new workflow, so its tasks need no migration.`,
        'Remove it from migrate or from statuses.',
      )
  }
  return targets
}

/**
 * Completes a plan for tasks of removed statuses: undecided ones (in the trash) go to the first status of the same
 * category, else to the initial status. If several statuses' tasks go to a new one, the status with most of them
 * becomes it, as if renamed.
 */
export function completePlan(plan: WorkflowPlan, tasksToMove: readonly Row<'tasks'>[]): void {
  const taskCount = (row: Row<'statuses'>) =>
    tasksToMove.filter((task) => task.status_id === row.id).length
  for (const row of plan.removed) {
    if (plan.targets.has(row.id) || taskCount(row) === 0) continue
    plan.targets.set(
      row.id,
      fallbackTarget(
        row.category,
        plan.matched.map((item) => item.requested),
      ),
    )
  }
  for (const [index, match] of plan.matched.entries()) {
    if (match.row) continue
    const [row] = plan.removed
      .filter((other) => plan.targets.get(other.id) === index)
      .sort((a, b) => taskCount(b) - taskCount(a))
    if (!row) continue
    match.row = row
    plan.removed.splice(plan.removed.indexOf(row), 1)
    plan.targets.delete(row.id)
  }
}

function fallbackTarget(
  category: Row<'statuses'>['category'],
  statuses: readonly RequestedStatus[],
): number {
  const sameCategory = statuses.findIndex((askedStatus) => askedStatus.category === category)
  return sameCategory >= 0 ? sameCategory : statuses.findIndex(isInitialStatus)
}

function isInitialStatus({ category }: RequestedStatus): boolean {
  return category === 'todo' || category === 'backlog' || category === 'triage'
}

export function quotedNameList(items: readonly { name: string }[]): string {
  return items.map((item) => `"${item.name}"`).join(', ')
}
