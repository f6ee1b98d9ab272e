import type { Id } from './ids.ts'

/** Transport of a change; stored as `created_via` of new items. */
export type Via = 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'

/** A connection (a key that a person granted to a program by OAuth), as read from its access token. */
export interface ActingConnection {
  /** The program runs on its vendor's servers, so its calls come from many addresses. */
  readonly isHosted: boolean
  /** Read-only only because the program never requested write access; it may still ask the person for it. */
  readonly canAskToWrite: boolean
  /** URL of the resource for which the access token was issued. */
  readonly resource: string
}

/** The key of a call, with the restrictions set by its creator. */
export interface ActingKey {
  readonly id: Id<'api_keys'>
  readonly name: string
  readonly prefix: string
  readonly read_only: boolean
  /** Modules it may use, `tasks:ro` for reading only; undefined for all. */
  readonly toolsets: readonly string[] | undefined
  /** Created with --admin: it has its owner's administrator rights. */
  readonly admin_grant: boolean
  readonly expires_at: number | null
  /** True if outbound calls wait until the owner releases them. */
  readonly hold_outbound: boolean
  /** Refused until its owner decides whether it may continue. */
  readonly suspended?: true
  /** Paused in the web app: refused until it is resumed. */
  readonly paused?: { readonly by: string; readonly at: number }
  readonly connection?: ActingConnection
}

/** A key's name in refusals: a program connected by a person is called a connection. */
export function nameOfKey({ name, connection }: Pick<ActingKey, 'name' | 'connection'>): string {
  return `The ${connection ? 'connection' : 'key'} "${name}"`
}

/** The person a call acts as, with their current data. */
export interface Actor {
  readonly id: Id<'users'>
  readonly org_id: Id<'orgs'>
  readonly email: string
  readonly display_name: string
  readonly role: 'admin' | 'member' | 'guest'
  readonly timezone: string
  readonly via: Via
  readonly key: ActingKey | undefined
  /** Session of the call, in the web app. */
  readonly session?: Id<'web_sessions'> | undefined
}

/** Administrator rights: of a signed-in administrator, or of a key created with the grant. */
export function isAdmin(actor: Actor): boolean {
  return actor.role === 'admin' && (actor.key === undefined || actor.key.admin_grant)
}
