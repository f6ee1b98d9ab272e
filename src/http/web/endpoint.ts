import type { z } from 'zod'
import { recordAction, type ActionOrigin } from '../../audit/act.ts'
import type { Sessions, SignedInPerson } from '../../identity/sessions.ts'
import type { SignInService } from '../../identity/sign-in.ts'
import type { App } from '../../operations/app.ts'
import type { SsoSignIns } from '../../sso/sign-in.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import {
  eraseTypes,
  type Audience,
  type Endpoint,
  type EndpointDefinition,
  type PersonRequest,
  type SignedInAudience,
} from '../../operations/endpoints/endpoint.ts'
import type { Presence } from '../presence/presence.ts'
import type { Incoming } from '../transport/request-info.ts'

export interface Services {
  app: App
  sessions: Sessions
  signIns: SignInService
  ssoSignIns: SsoSignIns
  presence: Presence
}

/** A request for an endpoint of the server. */
export interface EndpointRequest extends Services {
  incoming: Incoming
  /** For the call log. */
  from: ActionOrigin
  /** Path variables. */
  params: Readonly<Record<string, string>>
  signed: SignedInPerson | undefined
}

/** A request of a signed-in person. */
export interface SignedInRequest extends EndpointRequest, PersonRequest {
  params: Readonly<Record<string, string>>
  signed: SignedInPerson
  /** The request in call log form, for `readAsUser` and `readScreen`. */
  callRequest: CallRequest
}

type RequestFor<A extends Audience> = A extends 'anyone' ? EndpointRequest : SignedInRequest

/** An endpoint of the server or of a module. */
export type ServerEndpoint =
  | Endpoint<'anyone', EndpointRequest>
  | Endpoint<SignedInAudience, SignedInRequest>

/** An endpoint of the server itself, for sessions, passwords and keys. */
export function endpoint<
  A extends Audience,
  O extends z.ZodType,
  I extends z.ZodRawShape = Record<never, never>,
>(definition: EndpointDefinition<A, I, O, RequestFor<A>>): Endpoint<A, RequestFor<A>> {
  return eraseTypes(definition)
}

/** Logs an administrator's change; inside the writer job that makes it. */
export async function recordChange(
  { app, actor, from, callRequest }: SignedInRequest,
  loggedArguments: Record<string, unknown>,
): Promise<void> {
  await recordAction(app.store, {
    ...from,
    tool: callRequest.tool,
    route: callRequest.route,
    kind: 'write',
    via: 'web',
    at: app.clock.now(),
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [],
    arguments: loggedArguments,
  })
}
