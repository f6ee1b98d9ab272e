import type { DriveServer } from '../../../connectors/google/drive.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import type { OutboundRequest } from '../../../outbound/request.ts'
import { driveRoot, signInto, type AccountRow } from '../../accounts/access.ts'

const requestTimeoutMs = 60_000
const maxBytes = 16 * 2 ** 20

/** The Google Drive of an account, reached by the guarded way out. */
export function driveServer(outside: Outside, account: AccountRow): DriveServer {
  let last: string | undefined
  return {
    root: driveRoot(outside.settings),
    async request(url, request) {
      return outside.outbound.request(url, request as OutboundRequest, {
        timeoutMs: requestTimeoutMs,
        maxBytes,
        signal: outside.signal,
      })
    },
    async token(again) {
      const credentials = await signInto(
        outside,
        account,
        again && last !== undefined ? { refused: last } : {},
      )
      if (!('accessToken' in credentials))
        throw new Error('An account with a password has no Google drive.')
      return (last = credentials.accessToken)
    },
  }
}
