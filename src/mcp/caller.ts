import type { Actor } from '../core/actor.ts'

/** Who sent a message to the MCP endpoint, and how it came in. */
export interface Caller {
  readonly actor: Actor
  readonly requestId: string
  readonly ip: string
  /** The assistant that the person uses, as it names itself. */
  readonly client: { name: string; version?: string } | undefined
}
