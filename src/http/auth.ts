import type { Actor, Via } from '../core/actor.ts'
import type { App } from '../core/app.ts'
import type { Incoming } from './incoming.ts'

/**
 * Who calls. A key counts in the Authorization header only: not in the query, a cookie, a body or any other header.
 * @throws Unauthenticated, the same for every key that is not valid
 */
export function authenticate(app: App, incoming: Incoming, via: Via): Promise<Actor> {
  return app.keys.authenticate(incoming.header('authorization'), via, { ip: incoming.ip, client: incoming.header('user-agent')?.slice(0, 200) })
}
