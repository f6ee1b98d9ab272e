import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

export interface AskedStatus {
  name: string
  category: Row<'statuses'>['category']
  color?: string | undefined
  wip_limit?: number | undefined
  was?: string | undefined
}

export interface WorkflowPlan {
  /** In the new order; `row` is the status that becomes this one, undefined for a new one. */
  matched: { requested: AskedStatus; row: Row<'statuses'> | undefined }[]
  removed: Row<'statuses'>[]
  /** By removed status id: the index in `matched` that receives its tasks. */
  targets: Map<string, number>
  /** Tasks moved so far. */
  moved: number
}

const fold = (name: string) => name.trim().toLowerCase()

/**
 * Matches the requested statuses with existing ones, by current or previous name.
 * @throws Refusal invalid_argument naming the invalid status
 */
export function planWorkflow(
  existing: readonly Row<'statuses'>[],
  requestedStatuses: readonly AskedStatus[],
  migrate: Readonly<Record<string, string>>,
): WorkflowPlan {
  requireConsistent(requestedStatuses)
  const claimed = claims(existing, requestedStatuses)
  const claimedRows = new Set(claimed.values())
  const byName = (name: string) =>
    existing.find((row) => fold(row.name) === fold(name) && !claimedRows.has(row))
  const statuses = requestedStatuses.map((askedStatus) => ({
    requested: askedStatus,
    row: claimed.get(askedStatus) ?? byName(askedStatus.name),
  }))
  const removed = existing.filter((row) => !statuses.some((item) => item.row === row))
  return {
    matched: statuses,
    removed,
    targets: targetsOf(existing, removed, requestedStatuses, migrate),
    moved: 0,
  }
}

function requireConsistent(statuses: readonly AskedStatus[]): void {
  const names = statuses.map((askedStatus) => fold(askedStatus.name))
  const double = names.findIndex((name, i) => names.indexOf(name) < i)
  if (double >= 0)
    throw invalid(`statuses[${double}].name`, `two statuses are named "${statuses[double]!.name}".`)
  if (!statuses.some(begins)) {
    throw invalid(
      'statuses',
      'a workflow needs a status of category todo, backlog or triage, where tasks start.',
    )
  }
  if (!statuses.some((askedStatus) => askedStatus.category === 'done'))
    throw invalid('statuses', 'a workflow needs a status of category done, where tasks end.')
}

/** The rows named in `was`. */
function claims(
  existing: readonly Row<'statuses'>[],
  requestedStatuses: readonly AskedStatus[],
): Map<AskedStatus, Row<'statuses'>> {
  const claimed = new Map<AskedStatus, Row<'statuses'>>()
  for (const [i, one] of requestedStatuses.entries()) {
    if (one.was === undefined) continue
    const row = existing.find((other) => fold(other.name) === fold(one.was!))
    if (!row)
      throw invalid(
        `statuses[${i}].was`,
        `no status is named "${one.was}".`,
        `Existing statuses: ${quotedNameList(existing)}.`,
      )
    if ([...claimed.values()].includes(row))
      throw invalid(`statuses[${i}].was`, `"${one.was}" is used more than once.`)
    claimed.set(one, row)
  }
  return claimed
}

function targetsOf(
  existing: readonly Row<'statuses'>[],
  removed: readonly Row<'statuses'>[],
  statuses: readonly AskedStatus[],
  migrate: Readonly<Record<string, string>>,
): Map<string, number> {
  const targets = new Map<string, number>()
  for (const [from, to] of Object.entries(migrate)) {
    const row = removed.find((item) => fold(item.name) === fold(from))
    const place = statuses.findIndex((askedStatus) => fold(askedStatus.name) === fold(to))
    if (place < 0)
      throw invalid(
        `migrate.${from}`,
        `the new workflow has no status "${to}".`,
        `Its statuses are ${quotedNameList(statuses)}.`,
      )
    if (row) targets.set(row.id, place)
    else if (!existing.some((item) => fold(item.name) === fold(from)))
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
export function adopt(plan: WorkflowPlan, leaving: readonly Row<'tasks'>[]): void {
  const taskCount = (row: Row<'statuses'>) =>
    leaving.filter((task) => task.status_id === row.id).length
  for (const row of plan.removed) {
    if (plan.targets.has(row.id) || taskCount(row) === 0) continue
    plan.targets.set(
      row.id,
      likeliest(
        row.category,
        plan.matched.map((item) => item.requested),
      ),
    )
  }
  for (const [place, one] of plan.matched.entries()) {
    if (one.row) continue
    const [row] = plan.removed
      .filter((other) => plan.targets.get(other.id) === place)
      .sort((a, b) => taskCount(b) - taskCount(a))
    if (!row) continue
    one.row = row
    plan.removed.splice(plan.removed.indexOf(row), 1)
    plan.targets.delete(row.id)
  }
}

function likeliest(
  category: Row<'statuses'>['category'],
  statuses: readonly AskedStatus[],
): number {
  const same = statuses.findIndex((askedStatus) => askedStatus.category === category)
  return same >= 0 ? same : statuses.findIndex(begins)
}

function begins({ category }: AskedStatus): boolean {
  return category === 'todo' || category === 'backlog' || category === 'triage'
}

export function quotedNameList(items: readonly { name: string }[]): string {
  return items.map((item) => `"${item.name}"`).join(', ')
}
