import type { DavServer } from '../../../connectors/caldav.ts'
import type { JobContext } from '../../../operations/jobs/job.ts'
import type { OutboundRequest } from '../../../outbound/request.ts'
import { serversOf, signInto, type AccountRow } from '../../accounts/access.ts'

const requestTimeoutMs = 30_000
const maxBytes = 16 * 1024 * 1024

/** An account's CalDAV server, through the guarded outbound access. */
export function davServer(job: JobContext, account: AccountRow): DavServer {
  let lastToken: string | undefined
  return {
    url: calendarServerUrl(serversOf(job.settings, account).caldav?.url ?? '', account),
    async request(url, request) {
      return job.outbound.request(url, request as OutboundRequest, {
        timeoutMs: requestTimeoutMs,
        maxBytes,
        signal: job.signal,
        purpose: 'dav',
      })
    },
    async login(isRetry) {
      const { user, ...more } = await signInto(
        job,
        account,
        isRetry && lastToken !== undefined ? { refused: lastToken } : {},
      )
      if ('password' in more) return { user, password: more.password }
      lastToken = more.accessToken
      return { accessToken: lastToken }
    },
  }
}

/** Google's calendar discovery works only from the account's own address. */
function calendarServerUrl(url: string, { provider, address }: AccountRow): string {
  return provider === 'google' && new URL(url).hostname.endsWith('.googleusercontent.com')
    ? `${url.replace(/\/?$/, '/')}${encodeURIComponent(address)}/user`
    : url
}
