import type { JobContext } from '../../../operations/jobs/job.ts'
import type { AccountRow } from '../../accounts/access.ts'
import type { DriveServer } from '../../../connectors/google/drive.ts'
import type { Row } from '../../../records/resource.ts'

/** Context of syncing the drives of one account. */
export interface SyncRun {
  job: JobContext
  account: AccountRow
  server: DriveServer
  /** People of the organization by their address. */
  people: ReadonlyMap<string, Row<'users'>['id']>
}
