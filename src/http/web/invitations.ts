import { EndpointReply } from '../../operations/endpoints/endpoint.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { pageOf } from '../../kernel/fields.ts'
import type { App } from '../../operations/app.ts'
import { isId } from '../../kernel/ids.ts'
import { invalid } from '../../kernel/refusal.ts'
import { mixedScriptsNote } from '../../kernel/text/scripts.ts'
import { iso } from '../../kernel/time/times.ts'
import { requireAdmin } from '../../identity/administration.ts'
import { acceptInvitation, findInvitationByLink } from '../../identity/invitations/acceptance.ts'
import {
  canMail,
  invitationUrl,
  makeInvitation,
  revokeInvitation,
  sendInvitation,
} from '../../identity/invitations.ts'
import {
  type ListedInvitation,
  requireInvitation,
  invitationState,
  invitationStates,
  listInvitations,
} from '../../identity/invitations/states.ts'
import { Invitation, InvitationDetails, NewInvitation } from './shapes/people.ts'
import { SignedIn } from './shapes/sessions.ts'
import { endpoint, type ServerEndpoint } from './endpoint.ts'
import { cookieIn } from './cookies.ts'
import { signedInOutcome } from './sessions.ts'

const tokenSchema = z.string().min(1).max(200)

const list = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/invitations',
  name: 'list_invitations',
  about:
    'administrators: invitations, newest first; `can_mail`: whether this workspace can send them',
  input: {
    state: z.enum(invitationStates).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(100).optional(),
  },
  output: pageOf(Invitation).extend({ can_mail: z.boolean() }),
  async handle({ state, limit, cursor }, { app, signed: { actor } }) {
    requireAdmin(actor)
    if (cursor !== undefined && !isId('inv', cursor))
      throw invalid('cursor', 'not a cursor of this list.')
    const invitations = await listInvitations(app.store, app.clock.now(), {
      org: actor.org_id,
      state,
      after: cursor,
      limit: limit + 1,
    })
    const items = invitations.slice(0, limit)
    const more = invitations.length > limit ? { next_cursor: items.at(-1)!.id } : {}
    return {
      items: items.map((item) => presentInvitation(app, item)),
      ...more,
      has_more: invitations.length > limit,
      can_mail: canMail(app),
    }
  },
})

const create = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/invitations',
  name: 'create_invitation',
  about:
    '201: the invitation and its `link` (`/invite/{token}`), shown only once; it expires after 7 days',
  input: {
    email: z
      .string()
      .max(254)
      .optional()
      .describe('the invitation is then valid only for that address'),
    role: z.enum(['admin', 'member', 'guest']),
    note: z.string().max(1000).optional().describe('a message to the invited person'),
  },
  logsItself: 'success',
  output: NewInvitation,
  async handle(input, { app, signed: { actor }, from }) {
    const { id, token } = await makeInvitation(app, actor, { ...input, from })
    app.log.info('an invitation was created', { invitation: id, role: input.role, by: actor.id })
    const row = await requireInvitation(app.store.read, actor.org_id, id)
    return new EndpointReply(
      { ...presentInvitation(app, row), link: invitationUrl(app.baseUrl, token) },
      { status: 201 },
    )
  },
})

const revoke = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/invitations/:id/revoke',
  name: 'revoke_invitation',
  about: 'revokes the invitation',
  logsItself: 'success',
  output: Invitation,
  handle: async (_, { app, signed: { actor }, from, params: { id = '' } }) =>
    presentInvitation(app, await revokeInvitation(app, actor, id, from)),
})

const send = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/invitations/:id/send',
  name: 'send_invitation',
  about:
    'sends it by mail with a separate link: `mail` is `waiting`, then `sent`, or `failed` with `mail_problem`. 409 `not_connected` without a mail server; five times at most',
  logsItself: 'success',
  output: Invitation,
  handle: async (_, { app, signed: { actor }, from, params: { id = '' } }) =>
    presentInvitation(app, await sendInvitation(app, actor, id, from)),
})

const lookUp = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/invitations/look',
  name: 'look_at_invitation',
  about:
    '`organization`, `inviter`, `role`, `email` if it is fixed, `note`, `expires_at`; 409 with `state` if it was used or revoked or has expired',
  input: { token: tokenSchema },
  output: InvitationDetails,
  async handle({ token }, { app, incoming }) {
    const { organization, inviter, email, role, note, expires_at } = await findInvitationByLink(
      app,
      token,
      incoming.ip,
    )
    return omitNullish({ organization, inviter, role, email, note, expires_at: iso(expires_at) })
  },
})

const accept = endpoint({
  for: 'anyone',
  method: 'POST',
  path: '/web/invitations/accept',
  name: 'accept_invitation',
  about: '201: creates the person and signs them in with this browser, like `POST /web/sign-in`',
  input: {
    token: tokenSchema,
    name: z.string().max(200),
    email: z.string().max(320).optional().describe('required if it is not fixed'),
    password: z.string().min(1).max(1000),
    timezone: z.string().max(100).optional(),
  },
  logsItself: 'success',
  output: SignedIn,
  async handle(input, { app, incoming, from, signed }) {
    const { ip, isSecure } = incoming
    const device = cookieIn(incoming.header('cookie'), 'device', isSecure)
    const done = await acceptInvitation(app, {
      ...input,
      ip,
      client: incoming.header('user-agent'),
      device,
      session: signed?.session,
      from,
    })
    app.log.info('a person joined by an invitation', { person: done.session.person_id })
    return signedInOutcome(app, done, isSecure, 201)
  },
})

export const invitationEndpoints: readonly ServerEndpoint[] = [
  list,
  create,
  lookUp,
  accept,
  revoke,
  send,
]

function noteOn(name: string | null): { name_note?: string } {
  const name_note = mixedScriptsNote(name ?? '')
  return name_note === undefined ? {} : { name_note }
}

function presentInvitation({ clock }: App, row: ListedInvitation): z.infer<typeof Invitation> {
  const timestamp = (name: 'used_at' | 'revoked_at' | 'mailed_at') =>
    row[name] === null ? {} : { [name]: iso(row[name]) }
  return omitNullish({
    id: row.id,
    state: invitationState(row, clock.now()),
    role: row.role,
    email: row.email,
    note: row.note,
    created_at: iso(row.created_at),
    created_by: { id: row.created_by, name: row.inviter },
    expires_at: iso(row.expires_at),
    ...timestamp('used_at'),
    used_by:
      row.used_by === null
        ? undefined
        : {
            id: row.used_by,
            name: row.person_name,
            email: row.person_email,
            ...noteOn(row.person_name),
          },
    ...timestamp('revoked_at'),
    mail: row.mail,
    ...timestamp('mailed_at'),
    mail_problem: row.mail_problem,
  })
}
