import type { JobContext } from '../../../operations/jobs/job.ts'
import type { AccountRow } from '../../accounts/access.ts'
import type { DavServer } from '../../../connectors/caldav.ts'
import type { Row } from '../../../records/resource.ts'

/** Context of a sync of one account. */
export interface SyncRun {
  job: JobContext
  account: AccountRow
  server: DavServer
  /** Owner's addresses, lower case. */
  ownAddresses: ReadonlySet<string>
}

export type CalendarRow = Row<'calendars'>
