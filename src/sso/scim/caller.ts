import { z } from 'zod'
import { recordAction, type ActionOrigin } from '../../audit/act.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Unauthenticated } from '../../keys/verify.ts'
import type { App } from '../../operations/app.ts'
import { actAsUser } from '../../operations/call/index.ts'
import type { WriteContext } from '../../operations/context.ts'
import type { Provider } from '../providers.ts'
import { isTokenActive } from './tokens.ts'

/** A provider that authenticated with one of its tokens. */
export interface ScimCaller {
  app: App
  provider: Provider
  token: { id: Id<'scim_tokens'>; createdBy: Id<'users'> | undefined }
  from: ActionOrigin
  /** Route in the call log: `PATCH /scim/v2/Users/{id}`. */
  route: string
}

/** Call log entry of a change. */
export interface ScimChange {
  tool: string
  items: readonly { type: string; id: string }[]
  loggedArguments?: Record<string, string | number | boolean>
}

const loggedArgumentShape = {
  provider: z.string(),
  token: z.string(),
  active: z.boolean(),
  email: z.string(),
  group: z.string(),
  people: z.number(),
  role: z.string(),
}

/**
 * Executes a provider's request, in one job of the writer, with an entry in the call log that names the provider. The
 * actor of the entry is the administrator who represents it: the creator of the token, otherwise the longest-serving administrator.
 */
export async function runAsProvider<T>(
  caller: ScimCaller,
  act: ScimChange,
  work: (ctx: WriteContext) => Promise<{ value: T; changed: boolean }>,
): Promise<T> {
  const { app } = caller
  const outcome = await app.store.writer.run(async () => {
    if (!(await isTokenActive(app, caller.token.id))) throw invalidTokenRefusal({ isAbsent: false })
    const actor = await administratorFor(caller)
    const result = await actAsUser(app, actor, scimCallRequest(caller, act), work)
    if (result.value.changed && !result.isLogged) await recordScim(caller, act, actor.id)
    return result
  })
  await outcome.runDeferred()
  return outcome.value.value
}

/** Logs an action or refusal of a provider in the call log; inside a job of the writer. */
export async function recordScim(
  caller: ScimCaller,
  { tool, items, loggedArguments }: ScimChange,
  actor: Id<'users'>,
  refusal?: { code: string; denied: boolean },
): Promise<void> {
  const { app, provider, from, route } = caller
  await recordAction(app.store, {
    ...from,
    ...(refusal ? { refusal } : {}),
    client: clientOf(provider),
    tool,
    route,
    kind: 'write',
    via: 'rest',
    at: app.clock.now(),
    org_id: provider.org_id,
    actor_id: actor,
    items,
    arguments: { provider: provider.id, token: caller.token.id, ...loggedArguments },
  })
}

/** Administrator who represents the provider in the call log; call inside a write job. */
export async function administratorFor({ app, provider, token }: ScimCaller): Promise<Actor> {
  const rows = await app.store.write
    .selectFrom('users')
    .select(['id', 'org_id', 'email', 'display_name', 'role', 'timezone'])
    .where('org_id', '=', provider.org_id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const person = rows.find((row) => row.id === token.createdBy) ?? rows[0]
  if (!person)
    throw new Refusal('permission_denied', 'The organization has no active administrator.')
  return { ...person, via: 'api', key: undefined }
}

/**
 * The same response for every invalid token; `isAbsent`: no token was sent, so the challenge names no error (RFC
 * 6750, 3.1).
 */
export function invalidTokenRefusal({ isAbsent }: { isAbsent: boolean }): Refusal {
  return new Unauthenticated(isAbsent, undefined, [
    'A valid SCIM token is required.',
    'Send it as "Authorization: Bearer wsc_…". Administrators make one with `workspace sso scim create`.',
  ])
}

function clientOf({ name }: Provider): { name: string } {
  return { name: `${name} (SCIM)` }
}

function scimCallRequest(
  { provider, token, from, route }: ScimCaller,
  { tool, loggedArguments }: ScimChange,
) {
  return {
    tool,
    args: { provider: provider.id, token: token.id, ...loggedArguments },
    argumentShape: loggedArgumentShape,
    transport: 'rest',
    requestId: from.requestId ?? '',
    route,
    ip: from.ip ?? '',
    client: clientOf(provider),
  } as const
}
