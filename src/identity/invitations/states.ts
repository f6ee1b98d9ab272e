import type { Store } from '../../db/open.ts'
import { type Id, isId } from '../../kernel/ids.ts'
import { Refusal, notFound } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'

export const invitationStates = ['pending', 'used', 'expired', 'revoked'] as const
export type InvitationState = (typeof invitationStates)[number]

/** An invitation with the people's details for lists. */
export interface ListedInvitation extends Row<'invitations'> {
  inviter: string
  person_name: string | null
  person_email: string | null
}

export function invitationState(
  {
    used_at,
    revoked_at,
    expires_at,
  }: Pick<Row<'invitations'>, 'used_at' | 'revoked_at' | 'expires_at'>,
  now: number,
): InvitationState {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return expires_at <= now ? 'expired' : 'pending'
}

export function invitationsQuery(db: Store['read']) {
  return db
    .selectFrom('invitations')
    .innerJoin('users as maker', 'maker.id', 'invitations.created_by')
    .leftJoin('users as made', 'made.id', 'invitations.used_by')
    .selectAll('invitations')
    .select([
      'maker.display_name as inviter',
      'made.display_name as person_name',
      'made.email as person_email',
    ])
}

/** Invitations of an organization, newest first; optionally only those that follow the id `after`. */
export function listInvitations(
  store: Store,
  now: number,
  filter: {
    org: Id<'orgs'>
    state?: InvitationState | undefined
    after?: string | undefined
    limit: number
  },
): Promise<ListedInvitation[]> {
  let query = invitationsQuery(store.read).where('invitations.org_id', '=', filter.org)
  if (filter.after !== undefined)
    query = query.where('invitations.id', '<', filter.after as Id<'invitations'>)
  if (filter.state === 'used') query = query.where('invitations.used_at', 'is not', null)
  if (filter.state === 'revoked') query = query.where('invitations.revoked_at', 'is not', null)
  if (filter.state === 'pending' || filter.state === 'expired')
    query = query
      .where('invitations.used_at', 'is', null)
      .where('invitations.revoked_at', 'is', null)
      .where('invitations.expires_at', filter.state === 'pending' ? '>' : '<=', now)
  return query.orderBy('invitations.id', 'desc').limit(filter.limit).execute()
}

/** An invitation of an organization. @throws Refusal not_found */
export async function requireInvitation(
  db: Store['read'],
  org: Id<'orgs'>,
  id: string,
): Promise<ListedInvitation> {
  const invitation = isId('inv', id)
    ? await invitationsQuery(db)
        .where('invitations.org_id', '=', org)
        .where('invitations.id', '=', id as Id<'invitations'>)
        .executeTakeFirst()
    : undefined
  if (!invitation) throw notFound('invitation', 'id')
  return invitation
}

/** @throws Refusal conflict, with the reason why it is no longer valid */
export function requirePendingInvitation(row: ListedInvitation, now: number): void {
  const state = invitationState(row, now)
  if (state === 'pending') return
  const reason = {
    used: 'was used already',
    revoked: 'was withdrawn',
    expired: `ended at ${iso(row.expires_at)}`,
  }[state]
  throw new Refusal('conflict', `This invitation ${reason}.`, {
    hint:
      state === 'used'
        ? 'If you used it yourself, sign in.'
        : `Ask ${row.inviter} for another one.`,
    context: { state },
  })
}
