import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import type { FollowedResources } from './resources/followed-items.ts'
import type { CallOutcome } from './tools/results.ts'

/** Context passed through the SDK to the handler of a message. */
export interface MessageContext {
  /** Sender of this message: in a session not necessarily its initiator. */
  caller: Caller
  /** Outcome of the call that the message asks for, if it is in progress already. */
  outcome?: Promise<CallOutcome> | undefined
  /**
   * Whether the session's client declared that it opens pages for its person; messages of the current protocol
   * declare it themselves.
   */
  opensPages?: boolean | undefined
  /** Subscriptions of the session that the message belongs to. */
  followed?: FollowedResources | undefined
}

/** The context as authentication info of the SDK; the caller is authenticated already. */
export function authInfoOf(carried: MessageContext): AuthInfo {
  const { key, id } = carried.caller.actor
  return { token: '', clientId: key?.id ?? id, scopes: [], extra: { ...carried } }
}

export function messageContextIn({ http }: ServerContext): MessageContext {
  return messageContextOf(http!.authInfo!)
}

/** Returns the context that authInfoOf() stored. */
export function messageContextOf({ extra }: AuthInfo): MessageContext {
  return extra as unknown as MessageContext
}
