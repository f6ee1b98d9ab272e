import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { App } from '../../operations/app.ts'
import { isId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusal.ts'
import { mixedScriptsNote } from '../../kernel/text/scripts.ts'
import { iso } from '../../kernel/time/times.ts'
import { demandAdmin } from '../../identity/administration.ts'
import {
  acceptInvitation,
  canMail,
  demandInvitation,
  invitationState,
  invitationStates,
  linkOf,
  listInvitations,
  lookByLink,
  makeInvitation,
  revokeInvitation,
  sendInvitation,
  type ListedInvitation,
} from '../../identity/invitations.ts'
import { action, openAction, type Action } from './action.ts'
import { cookieIn } from './cookies.ts'
import { signedInOutcome } from './sessions.ts'

const tokenType = z.string().min(1).max(200)

const list = action({
  method: 'GET',
  path: '/web/invitations',
  tool: 'list_invitations',
  takes: {
    state: z.enum(invitationStates).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(100).optional(),
  },
  async work({ app, signed: { actor } }, { state, limit, cursor }) {
    demandAdmin(actor)
    if (cursor !== undefined && !isId('inv', cursor))
      throw invalid('cursor', 'not a cursor of this list.')
    const found = await listInvitations(app.store, app.clock.now(), {
      org: actor.org_id,
      state,
      after: cursor,
      limit: limit + 1,
    })
    const items = found.slice(0, limit)
    const more = found.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    return {
      value: {
        items: items.map((item) => shown(app, item)),
        ...more,
        has_more: found.length > limit,
        can_mail: canMail(app),
      },
    }
  },
})

const create = action({
  method: 'POST',
  path: '/web/invitations',
  tool: 'create_invitation',
  takes: {
    email: z.string().max(254).optional(),
    role: z.enum(['admin', 'member', 'guest']),
    note: z.string().max(1000).optional(),
  },
  fresh: true,
  records: true,
  async work({ app, signed: { actor }, from }, given) {
    const { id, token } = await makeInvitation(app, actor, { ...given, from })
    app.log.info('an invitation was made', { invitation: id, role: given.role, by: actor.id })
    return {
      status: 201,
      value: {
        ...shown(app, await demandInvitation(app.store.read, actor.org_id, id)),
        link: linkOf(app.baseUrl, token),
      },
    }
  },
})

const revoke = action({
  method: 'POST',
  path: '/web/invitations/:id/revoke',
  tool: 'revoke_invitation',
  records: true,
  work: async ({ app, signed: { actor }, from, params: { id = '' } }) => ({
    value: shown(app, await revokeInvitation(app, actor, id, from)),
  }),
})

const send = action({
  method: 'POST',
  path: '/web/invitations/:id/send',
  tool: 'send_invitation',
  records: true,
  work: async ({ app, signed: { actor }, from, params: { id = '' } }) => ({
    value: shown(app, await sendInvitation(app, actor, id, from)),
  }),
})

const look = openAction({
  method: 'POST',
  path: '/web/invitations/look',
  tool: 'look_at_invitation',
  takes: { token: tokenType },
  async work({ app, incoming }, { token }) {
    const { organization, inviter, email, role, note, expires_at } = await lookByLink(
      app,
      token,
      incoming.ip,
    )
    return {
      value: present({
        organization,
        inviter,
        role,
        email,
        note,
        expires_at: iso(expires_at),
      }),
    }
  },
})

const accept = openAction({
  method: 'POST',
  path: '/web/invitations/accept',
  tool: 'accept_invitation',
  takes: {
    token: tokenType,
    name: z.string().max(200),
    email: z.string().max(320).optional(),
    password: z.string().min(1).max(1000),
    timezone: z.string().max(100).optional(),
  },
  records: true,
  async work({ app, incoming, from, signed }, given) {
    const { ip, isSecure } = incoming
    const device = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const done = await acceptInvitation(app, {
      ...given,
      ip,
      client: incoming.header('user-agent'),
      device,
      session: signed?.session,
      from,
    })
    app.log.info('a person joined by an invitation', { person: done.session.person_id })
    return { status: 201, ...(await signedInOutcome(app, done, isSecure)) }
  },
})

export const invitationActions: readonly Action[] = [list, create, look, accept, revoke, send]

function noteOn(name: string | null): { name_note?: string } {
  const name_note = mixedScriptsNote(name ?? '')
  return name_note === undefined ? {} : { name_note }
}

function shown({ clock }: App, row: ListedInvitation): Record<string, unknown> {
  const moment = (name: 'used_at' | 'revoked_at' | 'mailed_at') =>
    row[name] === null ? {} : { [name]: iso(row[name]) }
  return present({
    id: row.id,
    state: invitationState(row, clock.now()),
    role: row.role,
    email: row.email,
    note: row.note,
    created_at: iso(row.created_at),
    created_by: { id: row.created_by, name: row.inviter },
    expires_at: iso(row.expires_at),
    ...moment('used_at'),
    used_by:
      row.used_by === null
        ? undefined
        : {
            id: row.used_by,
            name: row.person_name,
            email: row.person_email,
            ...noteOn(row.person_name),
          },
    ...moment('revoked_at'),
    mail: row.mail,
    ...moment('mailed_at'),
    mail_problem: row.mail_problem,
  })
}
