import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { status } from '../../portfolio/access.ts'

/** Names of statuses as accepted by filters. */
export const statusNames = () => z.array(z.string().min(1).max(200)).max(20).optional()

/** Statuses of the visible projects by name, ignoring case. */
export const statusesNamed = (viewer: Viewer, names: readonly string[]) =>
  status
    .visibleTo(viewer)
    .where((eb) =>
      eb(
        eb.fn<string>('lower', ['statuses.name']),
        'in',
        names.map((name) => eb.fn<string>('lower', [eb.val(name)])),
      ),
    )
    .select('statuses.id')

/** @throws Refusal invalid_argument for a name that no status of the project has */
export async function requireStatuses(
  ctx: ReadContext,
  project: Row<'projects'>,
  field: string,
  names: readonly string[],
): Promise<void> {
  const rows = await status
    .visibleTo(ctx)
    .select('statuses.name')
    .where('statuses.project_id', '=', project.id)
    .orderBy('statuses.position')
    .execute()
  const statusNames = new Set(rows.map((row) => row.name.toLowerCase()))
  const unknown = names.find((name) => !statusNames.has(name.toLowerCase()))
  if (unknown !== undefined)
    throw invalid(
      field,
      `${project.key} has no status "${unknown}".`,
      `Its statuses are ${rows.map((row) => row.name).join(', ')}.`,
    )
}
