import { CLIENT_INFO_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { omitNullish } from '../kernel/present.ts'
import type { Caller } from './caller.ts'

/** SDK context of a call's message. */
export interface ToolMessage {
  signal: AbortSignal
  /** Metadata of a request in the current protocol; the SDK takes it out of the arguments' _meta. */
  envelope?: Readonly<Record<string, unknown>> | undefined
  /** Sends a notice to the waiting client; present in messages handled by the SDK. */
  notify?: ServerContext['mcpReq']['notify'] | undefined
  /** The SDK's full context; present in messages handled by the SDK. */
  context?: ServerContext | undefined
}

/** Context of a message other than a tool call; the SDK knows more, but it is optional here. */
export type MessageInfo = Partial<ToolMessage>

/** Name and version that the assistant reports in a request of the current protocol. */
export function clientIn(envelope: ToolMessage['envelope']): Caller['client'] {
  return clientOf(envelope?.[CLIENT_INFO_META_KEY])
}

/** The same from the client's self-description. */
export function clientOf(clientInfo: unknown): Caller['client'] {
  const { name, version } = (clientInfo ?? {}) as { name?: unknown; version?: unknown }
  if (typeof name !== 'string' || name === '') return undefined
  return omitNullish({
    name: name.slice(0, 80),
    version: typeof version === 'string' ? version.slice(0, 40) : undefined,
  })
}
