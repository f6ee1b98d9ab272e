import type { Id } from './ids.ts'

/** Transport of a change; stored as `created_via` of new items. */
export type Via = 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'

/** Facts about a connection, a key that a person gave to a program by OAuth, read from its access token. */
export interface ActingConnection {
  /** Its program runs on a server of its maker, and calls from many addresses. */
  readonly isHosted: boolean
  /** It reads only, and its program never asked for more: it may ask the person. */
  readonly canAskToWrite: boolean
  /** The address it was made for. */
  readonly resource: string
}

/** The key of a call, with what its maker narrowed it to. */
export interface ActingKey {
  readonly id: Id<'api_keys'>
  readonly name: string
  readonly prefix: string
  readonly read_only: boolean
  /** Modules it may use, `tasks:ro` for only what reads there; undefined: all. */
  readonly toolsets: readonly string[] | undefined
  /** Made with --admin: its owner's administrator rights hold for it too. */
  readonly admin_grant: boolean
  readonly expires_at: number | null
  /** True if outbound calls wait until the owner releases them. */
  readonly hold_outbound: boolean
  /** Its owner is to decide whether it goes on: until then it is refused. */
  readonly suspended?: true
  /** Paused in the web app: refused until it is resumed. */
  readonly paused?: { readonly by: string; readonly at: number }
  readonly connection?: ActingConnection
}

/** A key as refusals name it: what a person connected is a connection to them. */
export function nameOfKey({ name, connection }: Pick<ActingKey, 'name' | 'connection'>): string {
  return `The ${connection ? 'connection' : 'key'} "${name}"`
}

/** The person a call acts as, as the database has them at this moment. */
export interface Actor {
  readonly id: Id<'users'>
  readonly org_id: Id<'orgs'>
  readonly email: string
  readonly display_name: string
  readonly role: 'admin' | 'member' | 'guest'
  readonly timezone: string
  readonly via: Via
  readonly key: ActingKey | undefined
  /** The sign-in by which they call, in the web app. */
  readonly session?: Id<'web_sessions'> | undefined
}

/** Administrator rights: of a signed-in administrator, or of a key that was made with the grant. */
export function isAdmin(actor: Actor): boolean {
  return actor.role === 'admin' && (actor.key === undefined || actor.key.admin_grant)
}
