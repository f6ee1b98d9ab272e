import type { App } from '../../operations/app.ts'
import type { Row } from '../../records/resource.ts'
import { startSession } from '../../identity/sign-in.ts'
import type { HeaderList } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'
import { cookieIn, signedInHeaders } from './cookies.ts'

/** Signs in the person who has just set up the workspace, in the same browser. */
export async function firstSignIn(
  app: App,
  incoming: Incoming,
  person: Pick<Row<'users'>, 'id' | 'org_id'>,
): Promise<HeaderList> {
  const { store, clock, log } = app
  const { ip, client, requestId, isSecure } = incoming
  const device = cookieIn(incoming.header('cookie'), 'device', isSecure)
  try {
    const done = await store.writer.run(() =>
      startSession(app, clock.now(), person, {
        ip,
        client: incoming.header('user-agent'),
        device,
        session: undefined,
        from: { requestId, ip, client },
      }),
    )
    return signedInHeaders(done, isSecure)
  } catch (error) {
    log.error('the first sign-in failed; they can still sign in with their password', {
      error: (error as Error).message,
    })
    return [] // the page must be answered all the same: it shows a key, and only now
  }
}
