import type { ReadContext } from '../../../operations/context.ts'
import { prepared } from '../../../records/prepared.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { customField, status } from '../../portfolio/access.ts'

const statusRows = prepared<{ project: string }, Row<'statuses'>>((s, { project }) =>
  status
    .of(s, [project as Id<'projects'>])
    .selectAll('statuses')
    .orderBy('statuses.position'),
)

const fieldRows = prepared<{ project: string }, Row<'custom_fields'>>((s, { project }) =>
  customField
    .of(s, [project as Id<'projects'>])
    .selectAll('custom_fields')
    .orderBy('custom_fields.id'),
)

export async function statusesOf(
  ctx: ReadContext,
  projectId: Id<'projects'>,
): Promise<Row<'statuses'>[]> {
  return statusRows(ctx, { project: projectId })
}

/** The custom fields of a project, including retired ones. */
export async function customFields(
  ctx: ReadContext,
  projectId: Id<'projects'>,
): Promise<Row<'custom_fields'>[]> {
  return fieldRows(ctx, { project: projectId })
}

/**
 * The status of this name, ignoring case.
 * @throws Refusal invalid_argument with the existing names
 */
export function statusNamed(
  statuses: readonly Row<'statuses'>[],
  name: string,
  field = 'status',
): Row<'statuses'> {
  const lower = name.trim().toLowerCase()
  const match = statuses.find((row) => row.name.toLowerCase() === lower)
  if (match) return match
  throw invalid(
    field,
    `this project has no status "${name}".`,
    `Its statuses are ${statuses.map((row) => row.name).join(', ')}.`,
  )
}

/**
 * Returns the initial status of new tasks: the first to-do status, else the first backlog status, else the first that
 * is not triage.
 */
export function firstStatus(statuses: readonly Row<'statuses'>[]): Row<'statuses'> {
  return (
    firstOfCategory(statuses, 'todo') ??
    firstOfCategory(statuses, 'backlog') ??
    statuses.find((row) => row.category !== 'triage') ??
    statuses[0]!
  )
}

export function firstOfCategory(
  statuses: readonly Row<'statuses'>[],
  category: Row<'statuses'>['category'],
): Row<'statuses'> | undefined {
  return statuses.find((row) => row.category === category)
}
