import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import type { Followed } from './resources/followed-items.ts'
import type { CallOutcome } from './tools/results.ts'

/** What goes through the SDK to what answers a message. */
export interface Carried {
  /** Who sent this message: in a session, not who began it. */
  caller: Caller
  /** How the call ends that the message asks for, where it is under way already. */
  outcome?: Promise<CallOutcome> | undefined
  /** Whether the client of the session said that it opens pages for its person; a message of the present protocol says so itself. */
  opensPages?: boolean | undefined
  /** What the session follows that the message belongs to. */
  followed?: Followed | undefined
}

/** Our own gate has authenticated; the SDK asks for this shape. */
export function authInfoOf(carried: Carried): AuthInfo {
  const { key, id } = carried.caller.actor
  return { token: '', clientId: key?.id ?? id, scopes: [], extra: { ...carried } }
}

export function carriedIn({ http }: ServerContext): Carried {
  return carriedBy(http!.authInfo!)
}

/** What authInfoOf() put in. */
export function carriedBy({ extra }: AuthInfo): Carried {
  return extra as unknown as Carried
}
