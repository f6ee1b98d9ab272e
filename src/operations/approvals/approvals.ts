import { omitNullish } from '../../kernel/present.ts'
import type { Kysely } from 'kysely'
import type { Store } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import type { Actor } from '../../kernel/actor.ts'
import {
  approvalsRequestedBy,
  requireEarlierApproval,
  findEarlierApproval,
  type ApprovalRequest,
} from './known-waits.ts'
import {
  itemIdsIn,
  itemDifferences,
  currentItems,
  itemsVersion,
  type ItemDifference,
} from './items.ts'
import type { Entry } from '../entry.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { newId, type Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { CoveredItem } from '../../records/resource-definition.ts'
import type { Row } from '../../records/resource.ts'
import { accessScope, type AccessScope } from '../../records/access-scope.ts'
import { dayLength, iso } from '../../kernel/time/times.ts'
import { notifyPeople } from '../../notify/notifications.ts'

/** Milliseconds that a call waits for a person's decision. */
const waitTime = 7 * dayLength
const retentionTime = 30 * dayLength
const maxPending = 100
const maxResultLength = 65_536

/**
 * Thrown when a running call turns out to send something outside, by a nested operation or a changed row: the whole call
 * must wait for approval.
 */
export class OutboundDetected extends Error {}

/** True if an operation sends something outside when called with these arguments. */
export function sendsOutbound(
  { operation: { outbound } }: Entry,
  args: Record<string, unknown>,
): boolean {
  return typeof outbound === 'function' ? outbound(args) : outbound === true
}

/** The stored answer of an earlier execution: of a released call, or of a call with the same idempotency key. */
export interface StoredAnswer {
  value: unknown
  callId: string
}

/**
 * Queues a call for approval, in a job of the writer. A repeated call is not queued twice. With an idempotency key, the
 * outcome is permanent: the answer of the released call, or the denial. Without one, the call is refused for an hour
 * after a denial.
 * @returns the answer of the released call, or the approval that the call waits for
 */
export async function requestApproval(
  db: Kysely<Tables>,
  now: number,
  request: ApprovalRequest,
): Promise<{ stored: StoredAnswer } | { waiting: Row<'approvals'> }> {
  const { actor, tool } = request
  await db
    .deleteFrom('approvals')
    .where('expires_at', '<', now - retentionTime)
    .execute()
  const earlier = await (request.approval === undefined
    ? findEarlierApproval(db, now, request)
    : requireEarlierApproval(db, now, request, request.approval))
  if (earlier?.state === 'released')
    return {
      stored: {
        value: JSON.parse(earlier.result_json ?? 'null') as unknown,
        callId: earlier.call_id!,
      },
    }
  if (earlier?.state === 'denied') throw deniedCall(earlier, actor)
  if (earlier) return { waiting: earlier }
  await checkPendingLimit(db, now, actor)
  const waiting: Row<'approvals'> = {
    id: newId('apr', now),
    org_id: actor.org_id,
    key_id: actor.key?.id ?? null,
    owner_id: actor.id,
    tool,
    arguments_json: JSON.stringify(request.args),
    arguments_hash: request.argumentsHash,
    idempotency_key: request.idempotencyKey ?? null,
    asked_via: actor.via,
    request_id: request.requestId,
    ip: request.ip,
    state: 'pending',
    created_at: now,
    expires_at: now + waitTime,
    decided_at: null,
    decided_by: null,
    call_id: null,
    result_json: null,
    reason: null,
    items_json: JSON.stringify(
      await currentItems(accessScope({ all: db, actor, now }), request.items),
    ),
  }
  await db.insertInto('approvals').values(waiting).execute()
  const by = actor.key
    ? `your key "${actor.key.name}"`
    : 'an automation of yours, triggered from outside,'
  await notifyPeople(db, now, actor.org_id, [actor.id], {
    kind: 'security',
    item: { type: 'approval', id: waiting.id },
    actor: null,
    text: `A call of ${tool} by ${by} needs your approval`,
  })
  return { waiting }
}

/** @throws Refusal rate_limited if too many calls of the key, or of automations, are already waiting */
async function checkPendingLimit(db: Kysely<Tables>, now: number, actor: Actor): Promise<void> {
  const { n } = await approvalsRequestedBy(db, actor)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (n < maxPending) return
  throw new Refusal(
    'rate_limited',
    `${maxPending} calls of ${actor.key ? 'this key' : 'automations'} are waiting for approval.`,
    { hint: `${actor.display_name} has to decide on them first.`, retry_after_seconds: 3600 },
  )
}

function deniedCall({ id, reason }: Row<'approvals'>, actor: Actor): Refusal {
  const reasonSentence = reason === null ? '' : ` Reason: ${reason}`
  return new Refusal(
    'permission_denied',
    `${actor.display_name} denied this call.${reasonSentence}`,
    {
      hint: `Do not repeat it. If ${actor.display_name} wants it after all, send it with a new idempotency_key, or changed.`,
      context: omitNullish({ approval_id: id, reason }),
    },
  )
}

/** The page on which the owner decides about a call. */
export function approvalUrl(baseUrl: string, id: Id<'approvals'>): string {
  return `${baseUrl}/approvals#${id}`
}

/**
 * Refusal for a call that must wait. `changesOutside`: it sends nothing, but changes what outsiders can already see.
 */
export function approvalRequired(
  { id, tool, expires_at }: Row<'approvals'>,
  actor: Actor,
  { changesOutside, baseUrl }: { changesOutside: boolean; baseUrl: string },
): Refusal {
  const url = approvalUrl(baseUrl, id)
  const cause = actor.key ? `with the key "${actor.key.name}"` : 'triggered from outside'
  const explanation = changesOutside
    ? `${tool} changes what outsiders can see; ${cause} that needs ${actor.display_name}'s approval.`
    : `${tool} sends something outside; ${cause} that needs ${actor.display_name}'s approval.`
  return new Refusal(
    'approval_required',
    `${explanation} It runs by itself once approved, so do not retry.`,
    {
      hint: `Tell ${actor.display_name} that it is waiting at ${url}. get_approval has its state and, if denied, the reason.`,
      next: { tool: 'get_approval', arguments: { approval_id: id } },
      context: { approval_id: id, approval_url: url, expires_at: iso(expires_at) },
    },
  )
}

/** Current state of the items that a waiting call covers, and their changes since it was requested. */
interface CoveredItemsState {
  changes: ItemDifference[]
  version: string
}

/** @param scope the view of the approval's owner */
async function coveredItemsState(
  scope: AccessScope,
  { arguments_json, items_json }: Pick<Row<'approvals'>, 'arguments_json' | 'items_json'>,
): Promise<CoveredItemsState> {
  const before = items_json === null ? undefined : (JSON.parse(items_json) as CoveredItem[])
  const itemIds = [
    ...(before ?? []).map((item) => item.id),
    ...itemIdsIn(JSON.parse(arguments_json)),
  ]
  const now = await currentItems(scope, itemIds)
  return { changes: before ? itemDifferences(before, now) : [], version: itemsVersion(now) }
}

/**
 * State of a waiting call for its owner: changes since the request, and a version of that state, so that the owner
 * owner
 * releases exactly what they have seen. Empty if the call is no longer waiting.
 */
export async function pendingItemsState(
  { store, clock }: { store: Pick<Store, 'read'>; clock: Clock },
  row: Row<'approvals'>,
  owner: Actor,
): Promise<{ items_version?: string; changes?: ItemDifference[] }> {
  const now = clock.now()
  if (row.state !== 'pending' || row.expires_at <= now) return {}
  const { changes, version } = await coveredItemsState(
    accessScope({ all: store.read, actor: owner, now }),
    row,
  )
  return omitNullish({
    items_version: version,
    changes: changes.length === 0 ? undefined : changes.slice(0, maxShownChanges),
  })
}

const maxShownChanges = 100

/** The approval under which a call is executed, and the owner who released it. */
export interface ReleasedApproval {
  approval: Id<'approvals'>
  by: Id<'users'>
  /** State of the named items as the owner saw it; undefined: as of the request. */
  itemsVersion?: string | undefined
}

/**
 * Checks, before a released call runs, that its approval is still pending; a write does so inside its job of the writer.
 * @throws Refusal conflict if it is no longer waiting, or if the items it names have changed since
 */
export async function requireReleasable(
  scope: AccessScope,
  { approval: id, itemsVersion: seenVersion }: ReleasedApproval,
): Promise<void> {
  const waiting = await scope.all
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', scope.now)
    .executeTakeFirst()
  if (!waiting) throw noLongerWaiting(id)
  const { changes, version } = await coveredItemsState(scope, waiting)
  if (seenVersion === undefined ? changes.length === 0 : seenVersion === version) return
  const names = changes.slice(0, 5).map(({ title, change }) => `“${title}” (${change})`)
  const more = changes.length > names.length ? ` and ${changes.length - names.length} more` : ''
  throw new Refusal(
    'conflict',
    `What this call names has changed since ${seenVersion === undefined ? 'it was requested' : 'you looked at it'}${names.length > 0 ? `: ${names.join(', ')}${more}` : ''}.`,
    {
      hint: `Review it again; to approve the call anyway, send items_version ${version}.`,
      context: {
        approval_id: id,
        changes: changes.slice(0, maxShownChanges),
        items_version: version,
      },
    },
  )
}

function noLongerWaiting(id: Id<'approvals'>): Refusal {
  return new Refusal('conflict', 'This call is no longer waiting.', {
    context: { approval_id: id },
  })
}

/** Marks the notification of a waiting call as read once it is decided. */
export async function markDecided(
  db: Kysely<Tables>,
  now: number,
  id: Id<'approvals'>,
): Promise<void> {
  const { owner_id } = await db
    .selectFrom('approvals')
    .select('owner_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('person_id', '=', owner_id)
    .where('item_id', '=', id)
    .where('read_at', 'is', null)
    .execute()
}

/**
 * Marks a call as executed, with its answer; inside the job of the writer that executes it, so that it runs at most
 * once.
 * @throws Refusal conflict where it waits no more
 */
export async function recordRelease(
  db: Kysely<Tables>,
  now: number,
  id: Id<'approvals'>,
  by: Id<'users'>,
  { callId, value }: StoredAnswer,
): Promise<void> {
  const result = JSON.stringify(value ?? null)
  const patch = {
    state: 'released',
    decided_at: now,
    decided_by: by,
    call_id: callId,
    result_json: result.length <= maxResultLength ? result : null,
  } as const
  const { numUpdatedRows } = await db
    .updateTable('approvals')
    .set(patch)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw noLongerWaiting(id)
  await markDecided(db, now, id)
}
