import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../kernel/time/clock.ts'
import type { App } from '../operations/app.ts'
import type { Someone } from '../testing/harness.ts'
import { registerClient, type OAuthClient } from './clients.ts'
import { allowRequest } from './connections.ts'
import type { TokenAnswer } from './connection-tokens.ts'
import { grantByCode } from './grants.ts'
import { parseMetadata } from './metadata.ts'
import { storeRequest } from './requests.ts'

/** Environment of test connections: a workspace, its clock and its public origin. */
export interface ConnectionContext {
  app: App
  clock: Clock
  issuer: string
}

/** A program that a person allowed, with its code. */
export interface AllowedProgram {
  client: OAuthClient
  code: string
  verifier: string
  redirectUri: string
}

const loopback = 'http://127.0.0.1/callback'

/** Registers and allows a program without a browser. */
export async function allowProgram(
  { app, clock, issuer }: ConnectionContext,
  person: Someone,
  { path = '/mcp', redirectUri = loopback }: { path?: string; redirectUri?: string } = {},
): Promise<AllowedProgram> {
  const { client } = await registerClient(
    app.store,
    clock,
    parseMetadata({ redirect_uris: [redirectUri] }),
    { registration: 'any', ip: '127.0.0.1' },
  )
  const verifier = randomBytes(32).toString('base64url')
  const token = await storeRequest(app.store, clock, {
    clientId: client.clientId,
    redirectUri,
    state: undefined,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    resource: issuer + path,
    scope: 'workspace:read workspace:write',
    issuer,
    ip: '127.0.0.1',
  })
  const redirectTo = await allowRequest(
    app,
    { token, actor: person.actor, from: {} },
    {
      name: 'test program',
      readOnly: false,
      holdOutbound: false,
      toolsets: undefined,
      expiresAt: undefined,
    },
  )
  const code = new URL(redirectTo).searchParams.get('code') ?? ''
  return { client, code, verifier, redirectUri }
}

/** A connected program with its first tokens. */
export async function connectDirectly(
  context: ConnectionContext,
  person: Someone,
  options: { path?: string; redirectUri?: string } = {},
): Promise<TokenAnswer & { client: OAuthClient }> {
  const { client, ...grant } = await allowProgram(context, person, options)
  const tokens = await grantByCode(context.app, client, { ...grant, resource: undefined })
  return { ...tokens, client }
}
