import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import { browserHolder } from '../../identity/challenges.ts'
import { isRemembered } from '../../identity/devices.ts'
import {
  addPasskey,
  beginPasskeyCreation,
  beginPasskeyUse,
  passkeysOf,
  removePasskey,
  renamePasskey,
  verifyWithPasskey,
  type Passkey as PasskeyRow,
} from '../../identity/passkeys.ts'
import { verificationLifetime } from '../../identity/sessions.ts'
import { isToken, newToken } from '../../identity/tokens.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'
import { browserHeaders, cookieIn } from './cookies.ts'
import { Passkey, PasskeyOptions, SignedIn, Verified } from './shapes/sessions.ts'
import { signedInOutcome } from './sessions.ts'

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, 'is not base64url')
const credentialId = base64url(1400)

/** Credential in the form of PublicKeyCredential.toJSON; other properties are ignored. */
const createdCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  response: z.object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(100_000),
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
})
const usedCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  response: z.object({
    clientDataJSON: base64url(10_000),
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    userHandle: z.string().max(200).nullish(),
  }),
})

const listPasskeys = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/passkeys',
  name: 'list_passkeys',
  about:
    'your [passkeys](security.md#passkeys): `items` of `id`, `name`, `device_type` (`single_device`, `multi_device`), `backed_up`, `transports`, `created_at`, `last_used_at`',
  output: z.strictObject({ items: z.array(Passkey) }),
  handle: async (_, { app, signed }) => ({
    items: (await passkeysOf(app.store, signed.actor.id)).map(presentPasskey),
  }),
})

const begin = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/passkeys/begin',
  name: 'begin_passkey',
  about: 'browser options for creating a passkey',
  output: PasskeyOptions,
  handle: async (_, { app, signed }) => ({ ...(await beginPasskeyCreation(app, signed)) }),
})

const add = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/passkeys',
  name: 'add_passkey',
  about: 'adds a passkey: 201, and the passkey',
  input: { name: z.string().max(1000), response: createdCredential },
  logsItself: 'success',
  output: Passkey,
  async handle({ name, response }, { app, signed, from }) {
    const row = await addPasskey(app, signed, { name, response, from })
    app.log.info('a passkey was added', { passkey: row.id, owner: row.person_id })
    return new EndpointReply(presentPasskey(row), { status: 201 })
  },
})

const rename = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/passkeys/:id',
  name: 'rename_passkey',
  about: 'renames it',
  input: { name: z.string().max(1000) },
  logsItself: 'success',
  output: Passkey,
  handle: async ({ name }, { app, signed, from, params: { id = '' } }) =>
    presentPasskey(await renamePasskey(app, signed, { id, name, from })),
})

const remove = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/passkeys/:id/remove',
  name: 'remove_passkey',
  about: 'removes it; sessions that were started with it continue',
  logsItself: 'success',
  output: z.strictObject({ id: z.string(), removed: z.literal(true) }),
  async handle(_, { app, signed, from, params: { id = '' } }) {
    await removePasskey(app, signed, { id, from })
    app.log.info('a passkey was removed', { passkey: id, owner: signed.actor.id })
    return { id, removed: true as const }
  },
})

const beginSignIn = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/passkeys/sign-in/begin',
  name: 'begin_passkey_sign_in',
  about: 'browser options for using any of its passkeys for this workspace',
  output: PasskeyOptions,
  async handle(_, { app, incoming }) {
    const { isSecure } = incoming
    const sentDevice = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const device = sentDevice !== undefined && isToken(sentDevice) ? sentDevice : newToken()
    const value = { ...(await beginPasskeyUse(app, { browser: browserHolder(device) })) }
    return new EndpointReply(value, {
      headers: (await isRemembered(app.store.read, sentDevice))
        ? []
        : browserHeaders(device, isSecure),
    })
  },
})

const signIn = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/passkeys/sign-in',
  name: 'sign_in',
  about: 'starts a session, like `/web/sign-in`',
  input: { response: usedCredential },
  logsItself: 'success',
  output: SignedIn,
  async handle({ response }, { app, signIns, incoming, from, signed }) {
    const { ip, isSecure } = incoming
    const device = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const done = await signIns.signInWithPasskey({
      response,
      ip,
      client: incoming.header('user-agent'),
      device,
      session: signed?.session,
      from,
    })
    return signedInOutcome(app, done, isSecure)
  },
})

const beginVerify = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/verify/passkey/begin',
  name: 'begin_verify_passkey',
  about: 'browser options for using a passkey of the signed-in person; 409 if they have none',
  output: PasskeyOptions,
  handle: async (_, { app, signed }) => ({ ...(await beginPasskeyUse(app, { signed })) }),
})

const verify = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/verify/passkey',
  name: 'verify_passkey',
  about: 'the same as `/web/verify`, with a passkey',
  input: { response: usedCredential },
  logsItself: 'success',
  output: Verified,
  handle: async ({ response }, { app, signed, from }) => ({
    password_holds_until: iso(
      (await verifyWithPasskey(app, signed, response, from)) + verificationLifetime,
    ),
  }),
})

export const passkeyEndpoints: readonly ServerEndpoint[] = [
  listPasskeys,
  begin,
  add,
  rename,
  remove,
  beginSignIn,
  signIn,
  beginVerify,
  verify,
]

function presentPasskey({
  id,
  name,
  device_type,
  backed_up,
  transports_json,
  created_at,
  last_used_at,
}: PasskeyRow): z.infer<typeof Passkey> {
  return omitNullish({
    id,
    name,
    device_type,
    backed_up: backed_up === 1,
    transports: JSON.parse(transports_json) as string[],
    created_at: iso(created_at),
    last_used_at: last_used_at === null ? undefined : iso(last_used_at),
  })
}
