import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import { browserHolder } from '../../identity/challenges.ts'
import { isRemembered } from '../../identity/devices.ts'
import {
  addPasskey,
  beginPasskey,
  beginUse,
  passkeysOf,
  removePasskey,
  renamePasskey,
  verifyWithPasskey,
  type Passkey,
} from '../../identity/passkeys.ts'
import { freshTime } from '../../identity/sessions.ts'
import { isToken, newToken } from '../../identity/tokens.ts'
import { action, openAction, type Action } from './action.ts'
import { browserHeaders, cookieIn } from './cookies.ts'
import { signedInOutcome } from './sessions.ts'

const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/, 'is not base64url')
const credentialId = bytes(1400)

/** As PublicKeyCredential.toJSON gives it; what else that says is not looked at. */
const created = z.object({
  id: credentialId,
  rawId: credentialId,
  response: z.object({
    clientDataJSON: bytes(10_000),
    attestationObject: bytes(100_000),
    transports: z.array(z.string().max(40)).max(20).optional(),
  }),
})
const used = z.object({
  id: credentialId,
  rawId: credentialId,
  response: z.object({
    clientDataJSON: bytes(10_000),
    authenticatorData: bytes(10_000),
    signature: bytes(10_000),
    userHandle: z.string().max(200).nullish(),
  }),
})

const listPasskeys = action({
  method: 'GET',
  path: '/web/passkeys',
  tool: 'list_passkeys',
  work: async ({ app, signed }) => ({
    value: { items: (await passkeysOf(app.store, signed.actor.id)).map(shown) },
  }),
})

const begin = action({
  method: 'POST',
  path: '/web/passkeys/begin',
  tool: 'begin_passkey',
  fresh: true,
  work: async ({ app, signed }) => ({ value: await beginPasskey(app, signed) }),
})

const add = action({
  method: 'POST',
  path: '/web/passkeys',
  tool: 'add_passkey',
  takes: { name: z.string().max(1000), response: created },
  fresh: true,
  records: true,
  async work({ app, signed, from }, { name, response }) {
    const row = await addPasskey(app, signed, { name, response, from })
    app.log.info('a passkey was added', { passkey: row.id, owner: row.person_id })
    return { status: 201, value: shown(row) }
  },
})

const rename = action({
  method: 'POST',
  path: '/web/passkeys/:id',
  tool: 'rename_passkey',
  takes: { name: z.string().max(1000) },
  records: true,
  work: async ({ app, signed, from, params: { id = '' } }, { name }) => ({
    value: shown(await renamePasskey(app, signed, { id, name, from })),
  }),
})

const remove = action({
  method: 'POST',
  path: '/web/passkeys/:id/remove',
  tool: 'remove_passkey',
  fresh: true,
  records: true,
  async work({ app, signed, from, params: { id = '' } }) {
    await removePasskey(app, signed, { id, from })
    app.log.info('a passkey was removed', { passkey: id, owner: signed.actor.id })
    return { value: { id, removed: true } }
  },
})

const beginSignIn = openAction({
  method: 'POST',
  path: '/web/passkeys/sign-in/begin',
  tool: 'begin_passkey_sign_in',
  async work({ app, incoming }) {
    const { isSecure } = incoming
    const sent = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const device = sent !== undefined && isToken(sent) ? sent : newToken()
    const value = await beginUse(app, { browser: browserHolder(device) })
    return {
      value,
      headers: (await isRemembered(app.store.read, sent)) ? [] : browserHeaders(device, isSecure),
    }
  },
})

const signIn = openAction({
  method: 'POST',
  path: '/web/passkeys/sign-in',
  tool: 'sign_in',
  takes: { response: used },
  records: true,
  async work({ app, signIns, incoming, from, signed }, { response }) {
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

const beginVerify = action({
  method: 'POST',
  path: '/web/verify/passkey/begin',
  tool: 'begin_verify_passkey',
  work: async ({ app, signed }) => ({ value: await beginUse(app, { signed }) }),
})

const verify = action({
  method: 'POST',
  path: '/web/verify/passkey',
  tool: 'verify_passkey',
  takes: { response: used },
  records: true,
  work: async ({ app, signed, from }, { response }) => ({
    value: {
      password_holds_until: iso((await verifyWithPasskey(app, signed, response, from)) + freshTime),
    },
  }),
})

export const passkeyActions: readonly Action[] = [
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

function shown({
  id,
  name,
  device_type,
  backed_up,
  transports_json,
  created_at,
  last_used_at,
}: Passkey): Record<string, unknown> {
  return present({
    id,
    name,
    device_type,
    backed_up: backed_up === 1,
    transports: JSON.parse(transports_json) as string[],
    created_at: iso(created_at),
    last_used_at: last_used_at === null ? undefined : iso(last_used_at),
  })
}
