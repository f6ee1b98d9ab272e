import type { Actor } from '../kernel/actor.ts'
import type { TraceParent } from '../kernel/trace.ts'
import type { Surface } from './surface/surface.ts'

/** Sender of a message to the MCP endpoint, and its transport. */
export interface Caller {
  readonly actor: Actor
  /** Tools that the connection lists and may call. */
  readonly surface: Surface
  readonly requestId: string
  readonly ip: string
  /** The person's assistant, as it names itself. */
  readonly client: { name: string; version?: string } | undefined
  /** Set if the connection is read-only by its person's choice: asks for more rights, like WWW-Authenticate. */
  readonly scopeChallenge?: string | undefined
  /** Whether the client declared that it renders tool views (MCP Apps). */
  readonly rendersApps?: boolean | undefined
  /** Whether the client uses a protocol before 2025-06-18, with text-only results. */
  readonly takesTextOnly?: boolean | undefined
  /** Trace position of its HTTP request; a message may have its own. */
  readonly trace?: TraceParent | undefined
}
