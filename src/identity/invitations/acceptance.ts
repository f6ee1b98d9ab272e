import { recordAction } from '../../audit/act.ts'
import type { Store } from '../../db/open.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal, invalid, notFound } from '../../kernel/refusal.ts'
import { mixedScriptsNote } from '../../kernel/text/scripts.ts'
import { hashPassword } from '../../keys/argon.ts'
import { notifyPeople } from '../../notify/notifications.ts'
import type { App } from '../../operations/app.ts'
import type { Row } from '../../records/resource.ts'
import { findByLink } from '../administration.ts'
import { type ListedInvitation, requirePendingInvitation, invitationsQuery } from './states.ts'
import { checkPassword } from '../passwords.ts'
import { checkPerson, insertPerson } from '../people.ts'
import type { SessionFrom } from '../sessions.ts'
import { isProviderOnly } from '../sign-in-policy.ts'
import { type SignInRequest, type SignedIn, startSession } from '../sign-in.ts'
import { isToken, tokenHash } from '../tokens.ts'

/** The pending invitation of a link. @throws Refusal not_found; conflict if the invitation is no longer pending */
export async function findInvitationByLink(
  app: App,
  token: string,
  ip: string,
): Promise<ListedInvitation & { organization: string }> {
  const row = await findByLink(app, ip, () => invitationByToken(app.store.read, token))
  requirePendingInvitation(row, app.clock.now())
  return row
}

function invitationByToken(db: Store['read'], token: string) {
  if (!isToken(token)) return Promise.resolve(undefined)
  return invitationsQuery(db)
    .innerJoin('invitation_links', 'invitation_links.invitation_id', 'invitations.id')
    .innerJoin('orgs', 'orgs.id', 'invitations.org_id')
    .select('orgs.name as organization')
    .where('invitation_links.token_hash', '=', tokenHash(token))
    .executeTakeFirst()
}

export interface Acceptance
  extends SessionFrom,
    Pick<SignInRequest, 'device' | 'session' | 'from'> {
  token: string
  name: string
  /** Defaults to the address of the invitation. */
  email?: string | undefined
  password: string
  /** Defaults to the organization's time zone. */
  timezone?: string | undefined
}

/** Creates a person for the holder of the link, and signs them in. @throws Refusal */
export async function acceptInvitation(app: App, acceptance: Acceptance): Promise<SignedIn> {
  const { store, clock } = app
  const invitation = await findInvitationByLink(app, acceptance.token, acceptance.ip)
  if (await isProviderOnly(store.read, invitation.org_id))
    throw new Refusal(
      'conflict',
      `${invitation.organization} signs in with its identity provider only.`,
      'Go to the sign-in page and use its button: the invitation counts for its address.',
    )
  const email = emailFor(invitation, acceptance.email)
  checkPerson({ ...acceptance, email })
  checkPassword(acceptance.password)
  if (
    await store.read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  )
    throw unavailableEmail(app, acceptance.ip)
  const passwordHash = await hashPassword(acceptance.password)
  return store.writer.run(async () => {
    const now = clock.now()
    const row = await invitationByToken(store.write, acceptance.token)
    if (!row) throw notFound('invitation', 'token')
    requirePendingInvitation(row, now)
    const person = await joinOrganization(app, now, row, { ...acceptance, email, passwordHash })
    await store.write
      .updateTable('invitations')
      .set({ used_at: now, used_by: person, mail: row.mail === 'waiting' ? 'none' : row.mail })
      .where('id', '=', row.id)
      .execute()
    const items = [
      { type: 'person', id: person },
      { type: 'invitation', id: row.id },
    ]
    await recordAction(store, {
      ...acceptance.from,
      session: undefined,
      tool: 'accept_invitation',
      route: 'POST /web/invitations/accept',
      kind: 'write',
      via: 'web',
      at: now,
      org_id: row.org_id,
      actor_id: person,
      items,
      arguments: { role: row.role },
    })
    await notifyPeople(store.write, now, row.org_id, [row.created_by], {
      kind: 'security',
      item: { type: 'person', id: person },
      actor: person,
      text: acceptedText(acceptance.name.trim(), email),
    })
    return startSession(app, now, { id: person, org_id: row.org_id }, acceptance)
  })
}

async function joinOrganization(
  app: App,
  now: number,
  row: ListedInvitation,
  input: Acceptance & { email: string; passwordHash: string },
): Promise<Id<'users'>> {
  try {
    return await insertPerson(app.store, now, {
      ...input,
      org: row.org_id,
      role: row.role,
      plans: app.settings,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'conflict') throw unavailableEmail(app, input.ip)
    if (error.code === 'plan_exceeded')
      throw new Refusal(
        'plan_exceeded',
        'The organization has reached its maximum number of people.',
        `Tell ${row.inviter}, who invited you.`,
      )
    throw error
  }
}

/** An invitation for a specific address is valid only for it. */
function emailFor({ email }: Row<'invitations'>, rawEmail: string | undefined): string {
  const enteredEmail = rawEmail?.trim().toLowerCase()
  if (email !== null && enteredEmail !== undefined && enteredEmail !== email)
    throw invalid('email', `this invitation is for ${email}.`)
  const address = email ?? enteredEmail
  if (address === undefined) throw invalid('email', 'you need an address to sign in with.')
  return address
}

/**
 * Refusal for an address that is unavailable: the holder of a valid invitation must learn that, but must not be able
 * to probe many addresses.
 */
function unavailableEmail({ limits }: App, ip: string): Refusal {
  limits.addresses.recordFailure(ip)
  return new Refusal('conflict', 'This address cannot be used for a new account.', {
    field: 'email',
    hint: 'If you already have an account here, sign in; otherwise use another address.',
  })
}

/** Notification text for the inviter; if the name mixes scripts, with the address and a warning. */
function acceptedText(name: string, email: string): string {
  const note = mixedScriptsNote(name)
  return note === undefined
    ? `${name} accepted your invitation`
    : `${name} (${email}) accepted your invitation. ${note}`
}
