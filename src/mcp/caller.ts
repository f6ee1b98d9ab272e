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
  /** The assistant that the person uses, as it names itself. */
  readonly client: { name: string; version?: string } | undefined
  /** Set where the connection only reads because its person chose so: asks them for more, as WWW-Authenticate would. */
  readonly scopeChallenge?: string | undefined
  /** Whether the client said that it renders views of tools (MCP Apps). */
  readonly rendersApps?: boolean | undefined
  /** Whether the client speaks a protocol before 2025-06-18, in which results are text alone. */
  readonly takesTextOnly?: boolean | undefined
  /** The place of its HTTP request in a trace; a message may name one of its own. */
  readonly trace?: TraceParent | undefined
}
