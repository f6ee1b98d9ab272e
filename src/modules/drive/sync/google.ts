import type { DriveServer } from '../../../connectors/google/drive.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import type { OutboundRequest } from '../../../outbound/request.ts'
import { driveRoot, signInto, type AccountRow } from '../../accounts/access.ts'

const requestTimeoutMs = 60_000
const maxBytes = 16 * 2 ** 20

/** The Google Drive of an account, reached through the outbound guard. */
export function driveServer(outside: Outside, account: AccountRow): DriveServer {
  let lastToken: string | undefined
  return {
    root: driveRoot(outside.settings),
    async request(url, request) {
      return outside.outbound.request(url, request as OutboundRequest, {
        timeoutMs: requestTimeoutMs,
        maxBytes,
        signal: outside.signal,
      })
    },
    async token(isRetry) {
      const credentials = await signInto(
        outside,
        account,
        isRetry && lastToken !== undefined ? { refused: lastToken } : {},
      )
      if (!('accessToken' in credentials))
        throw new Error('An account with a password has no Google drive.')
      return (lastToken = credentials.accessToken)
    },
  }
}
