import type { InitializeRequest } from '@modelcontextprotocol/server'
import { rendersApps } from '../apps/app-views.ts'
import type { Caller } from '../caller.ts'
import { clientOf } from '../messages.ts'
import { canOpenPages } from '../tools/held-calls.ts'

/** A message for a session, with its sender. */
export interface SessionMessage {
  request: Request
  body: unknown
  caller: Caller
}

/** Client information from the initialization of the session. */
export interface SessionClient {
  readonly name: Caller['client']
  readonly rendersApps: boolean
  readonly takesTextOnly: boolean
  /** Whether it opens pages for its person. */
  readonly opensPages: boolean
}

/** A client before its first message. */
export const unknownClient: SessionClient = {
  name: undefined,
  rendersApps: false,
  takesTextOnly: false,
  opensPages: false,
}

/** Whether a protocol version has text-only results; unknown versions count as later ones. */
export function isTextOnly(protocolVersion: unknown): boolean {
  return protocolVersion === '2024-11-05' || protocolVersion === '2025-03-26'
}

export function sessionClient(body: unknown): SessionClient {
  const { clientInfo, capabilities, protocolVersion } = (body as InitializeRequest).params
  return {
    name: clientOf(clientInfo),
    rendersApps: rendersApps(capabilities),
    takesTextOnly: isTextOnly(protocolVersion),
    opensPages: protocolVersion >= '2025-11-25' && canOpenPages(capabilities),
  }
}
