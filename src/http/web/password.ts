import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import { changePassword, verifyOwnPassword } from '../../identity/password.ts'
import { verificationLifetime } from '../../identity/sessions.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'
import { cookieIn, signedInHeaders } from './cookies.ts'
import { SignedIn, Verified } from './shapes/sessions.ts'
import { signedInState } from './sessions.ts'

const passwordInput = z.string().min(1).max(1000)

const verifyPassword = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/verify',
  name: 'verify_password',
  about: 'confirms the password for another 15 minutes',
  input: { password: passwordInput },
  logsItself: 'success',
  output: Verified,
  handle: async ({ password }, { app, signed, from }) => ({
    password_holds_until: iso(
      (await verifyOwnPassword(app, signed, password, from)) + verificationLifetime,
    ),
  }),
})

const newPassword = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/password',
  name: 'change_password',
  about: 'changes the password; all other sessions end, and this one gets a new cookie',
  input: { password: passwordInput, new_password: passwordInput },
  logsItself: 'success',
  output: SignedIn,
  async handle(passwords, { app, signed, from, incoming }) {
    const device = cookieIn(incoming.header('cookie'), 'device', incoming.isSecure)
    const done = await changePassword(app, signed, {
      ...passwords,
      ip: incoming.ip,
      client: incoming.header('user-agent'),
      device,
      from,
    })
    return new EndpointReply(
      await signedInState(app, { actor: signed.actor, session: done.session }),
      {
        headers: signedInHeaders(done, incoming.isSecure),
      },
    )
  },
})

export const passwordEndpoints: readonly ServerEndpoint[] = [verifyPassword, newPassword]
