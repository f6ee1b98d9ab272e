import { omitUndefined } from '../../kernel/present.ts'
import { recordAction, type ActionOrigin } from '../../audit/act.ts'
import { isId, type Id } from '../../kernel/ids.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../db/open.ts'
import { markDecided } from './approvals.ts'
import { displayPrefix } from '../../keys/format.ts'

export type ApprovalState = 'pending' | 'released' | 'denied' | 'expired'

/** A current or former waiting call, with display names for lists. */
export interface ListedApproval extends Row<'approvals'> {
  /** null: requested by an automation that strangers trigger. */
  key_name: string | null
  lookup: string | null
  owner: string
}

export interface ApprovalFilter {
  owner?: Id<'users'> | undefined
  /** Only calls that can still be decided. */
  pending: boolean
  /** Id of the last approval of the previous page; newest come first. */
  after?: string | undefined
  limit: number
}

/** Current and former waiting calls for the owners of their keys, newest first. */
export function listApprovals(
  store: Store,
  now: number,
  { owner, pending, after, limit }: ApprovalFilter,
): Promise<ListedApproval[]> {
  let query = approvalsWithKeys(store)
  if (owner !== undefined) query = query.where('approvals.owner_id', '=', owner)
  if (pending)
    query = query.where('approvals.state', '=', 'pending').where('approvals.expires_at', '>', now)
  if (after !== undefined) query = query.where('approvals.id', '<', after as Id<'approvals'>)
  return query.orderBy('approvals.id', 'desc').limit(limit).execute()
}

/** One approval, whatever its state. `owner`: only if it belongs to this person. @throws Refusal not_found */
export async function requireApproval(
  store: Store,
  id: string,
  owner?: Id<'users'>,
): Promise<ListedApproval> {
  const approval = isId('apr', id)
    ? await approvalsWithKeys(store)
        .where('approvals.id', '=', id as Id<'approvals'>)
        .executeTakeFirst()
    : undefined
  if (!approval || (owner !== undefined && approval.owner_id !== owner))
    throw notFound('approval', 'id')
  return approval
}

function approvalsWithKeys({ read }: Store) {
  const all = read
    .selectFrom('approvals')
    .leftJoin('api_keys', 'api_keys.id', 'approvals.key_id')
    .innerJoin('users', 'users.id', 'approvals.owner_id')
  return all
    .selectAll('approvals')
    .select(['api_keys.name as key_name', 'api_keys.lookup', 'users.email as owner'])
}

export function approvalState(
  { state, expires_at }: Pick<Row<'approvals'>, 'state' | 'expires_at'>,
  now: number,
): ApprovalState {
  return state === 'pending' && expires_at <= now ? 'expired' : state
}

/** @throws Refusal conflict if it can no longer be decided */
export function requirePending(approval: Row<'approvals'>, now: number): void {
  const state = approvalState(approval, now)
  if (state !== 'pending')
    throw new Refusal(
      'conflict',
      state === 'expired'
        ? 'This call waited too long and has expired.'
        : `This call was already ${state}.`,
      { context: { approval_id: approval.id, state } },
    )
}

/** Maximum characters of the reason of a denial. */
export const maxReasonLength = 1000

/** Denies a call; its caller receives `reason`. */
export async function denyApproval(
  app: { store: Store; clock: Clock },
  id: Id<'approvals'>,
  decision: {
    by: Id<'users'>
    via: 'web' | 'cli'
    reason?: string | undefined
    from?: ActionOrigin
    check?: () => Promise<void>
  },
): Promise<ListedApproval> {
  const { store, clock } = app
  await store.writer.run(async () => {
    await decision.check?.()
    const now = clock.now()
    const row = await store.write
      .selectFrom('approvals')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('approval', 'id')
    requirePending(row, now)
    await store.write
      .updateTable('approvals')
      .set({
        state: 'denied',
        decided_at: now,
        decided_by: decision.by,
        reason: decision.reason || null,
      })
      .where('id', '=', id)
      .execute()
    await markDecided(store.write, now, id)
    const route =
      decision.via === 'cli' ? 'workspace approvals deny' : 'POST /web/approvals/{id}/deny'
    const items = [
      { type: 'approval', id },
      ...(row.key_id === null ? [] : [{ type: 'api_key', id: row.key_id }]),
    ]
    await recordAction(store, {
      ...decision.from,
      tool: 'deny_approval',
      route,
      kind: 'write',
      via: decision.via,
      at: now,
      org_id: row.org_id,
      actor_id: decision.by,
      items,
      arguments: { tool: row.tool },
    })
  })
  return requireApproval(store, id)
}

/** Details of an approval for its owner: the arguments of the call, the key, and the outcome. */
export function approvalDetails(row: ListedApproval, now: number) {
  return omitUndefined({
    id: row.id,
    state: approvalState(row, now),
    tool: row.tool,
    arguments: JSON.parse(row.arguments_json) as Record<string, unknown>,
    key:
      row.key_id === null
        ? undefined
        : { id: row.key_id, name: row.key_name, prefix: displayPrefix(row.lookup!) },
    owner: row.owner,
    asked_via: row.asked_via,
    ip: row.ip,
    request_id: row.request_id,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    decided_at: row.decided_at === null ? undefined : iso(row.decided_at),
    reason: row.reason ?? undefined,
    call_id: row.call_id ?? undefined,
    result: row.result_json === null ? undefined : (JSON.parse(row.result_json) as unknown),
  })
}
