import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { sharePostmortem } from '../postmortems/pages.ts'
import { syncProjectMembers } from './response-projects.ts'

/** Updates the visibility of items that belong to an incident: called when its roles or its restriction change. */
export async function syncItemAccess(
  ctx: WriteContext,
  incident: Pick<Row<'incidents'>, 'id' | 'restricted'>,
): Promise<void> {
  await sharePostmortem(ctx, incident)
  await syncProjectMembers(ctx, incident)
}
