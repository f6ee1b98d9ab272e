import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { sharePostmortem } from '../postmortems/pages.ts'
import { followResponse } from './response-projects.ts'

/** What hangs on an incident is for those who know of it: called when its roles change, or whether it is restricted. */
export async function followIncident(
  ctx: WriteContext,
  of: Pick<Row<'incidents'>, 'id' | 'restricted'>,
): Promise<void> {
  await sharePostmortem(ctx, of)
  await followResponse(ctx, of)
}
