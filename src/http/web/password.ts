import { z } from 'zod'
import { iso } from '../../kernel/time/times.ts'
import { changePassword, verify } from '../../identity/password.ts'
import { freshTime } from '../../identity/sessions.ts'
import { action, type Action } from './action.ts'
import { cookieIn, signedInHeaders } from './cookies.ts'
import { stateOf } from './sessions.ts'

const entered = z.string().min(1).max(1000)

const verifyPassword = action({
  method: 'POST',
  path: '/web/verify',
  tool: 'verify_password',
  takes: { password: entered },
  records: true,
  work: async ({ app, signed, from }, { password }) => ({
    value: { password_holds_until: iso((await verify(app, signed, password, from)) + freshTime) },
  }),
})

const newPassword = action({
  method: 'POST',
  path: '/web/password',
  tool: 'change_password',
  takes: { password: entered, new_password: entered },
  records: true,
  async work({ app, signed, from, incoming }, passwords) {
    const device = cookieIn(incoming.header('cookie'), 'device', incoming.isSecure)
    const done = await changePassword(app, signed, {
      ...passwords,
      ip: incoming.ip,
      client: incoming.header('user-agent'),
      device,
      from,
    })
    return {
      value: await stateOf(app, { actor: signed.actor, session: done.session }),
      headers: signedInHeaders(done, incoming.isSecure),
    }
  },
})

export const passwordActions: readonly Action[] = [verifyPassword, newPassword]
