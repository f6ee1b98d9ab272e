import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'

/** Milliseconds after a denial during which an identical call is refused with the same reason. */
const denialRepeatTime = 3_600_000

/** A call that needs the approval of its key's owner. */
export interface ApprovalRequest {
  actor: Actor
  tool: string
  /** Arguments as received, without the idempotency key. */
  args: Record<string, unknown>
  argumentsHash: string
  idempotencyKey: string | undefined
  requestId: string
  ip: string
  /** Ids of all items that it names. */
  items: readonly string[]
  /** The approval of an earlier attempt of the same call. */
  approval?: Id<'approvals'> | undefined
}

/** Approvals requested by a key, or by a person's automations; pending and decided ones. */
export function approvalsRequestedBy(db: Kysely<Tables>, { id, key }: Actor) {
  const all = db.selectFrom('approvals')
  return key
    ? all.where('key_id', '=', key.id)
    : all.where('owner_id', '=', id).where('key_id', 'is', null)
}

/** Finds the approval of a repeated call, still pending or decided. @throws Refusal idempotency_conflict */
export async function findEarlierApproval(
  db: Kysely<Tables>,
  now: number,
  { actor, tool, argumentsHash, idempotencyKey }: ApprovalRequest,
): Promise<Row<'approvals'> | undefined> {
  const forTool = approvalsRequestedBy(db, actor)
    .selectAll()
    .where('tool', '=', tool)
    .orderBy('id', 'desc')
  if (idempotencyKey === undefined)
    return forTool
      .where('arguments_hash', '=', argumentsHash)
      .where('idempotency_key', 'is', null)
      .where((eb) =>
        eb.or([
          eb('state', '=', 'pending').and('expires_at', '>', now),
          eb('state', '=', 'denied').and('decided_at', '>', now - denialRepeatTime),
        ]),
      )
      .executeTakeFirst()
  const earlier = await forTool
    .where('idempotency_key', '=', idempotencyKey)
    .where((eb) => eb.or([eb('state', '<>', 'pending'), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (earlier && earlier.arguments_hash !== argumentsHash) {
    throw new Refusal(
      'idempotency_conflict',
      `idempotency_key: this key was already used for ${tool} with other arguments.`,
      { field: 'idempotency_key', hint: 'Use a new key for a new request.' },
    )
  }
  return earlier
}

/**
 * Finds the approval that a repeated call names; the call must have the same tool, arguments and key.
 * @throws Refusal conflict if they differ, or if the approval expired without a decision
 */
export async function requireEarlierApproval(
  db: Kysely<Tables>,
  now: number,
  { actor, tool, argumentsHash }: ApprovalRequest,
  approval: Id<'approvals'>,
): Promise<Row<'approvals'>> {
  const row = await approvalsRequestedBy(db, actor)
    .selectAll()
    .where('id', '=', approval)
    .where('tool', '=', tool)
    .where('arguments_hash', '=', argumentsHash)
    .executeTakeFirst()
  if (!row)
    throw new Refusal(
      'conflict',
      'This is not the call that waited for approval, or its approval is no longer kept.',
      'Call the tool again: the new call waits for approval.',
    )
  if (row.state !== 'pending' || row.expires_at > now) return row
  throw new Refusal(
    'conflict',
    `${actor.display_name} did not decide about this call in time, so it has expired.`,
    { hint: 'Call the tool again if it is still wanted.', context: { approval_id: row.id } },
  )
}
