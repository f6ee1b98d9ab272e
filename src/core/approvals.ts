import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Actor } from './actor.ts'
import type { Entry } from './catalogue.ts'
import { newId, type Id } from './ids.ts'
import { Refusal } from './refusal.ts'
import type { Row } from './resource.ts'
import { dayLength, iso } from './times.ts'
import { tell } from './told.ts'

/** How long a call waits for a person. */
export const waitTime = 7 * dayLength
const keptFor = 30 * dayLength
const mostWaiting = 100
const largestResult = 65_536

/** Thrown where an operation calls another one that sends something outside, or changes what does: then the whole call has to wait. */
export class SendsWithin extends Error {}

/** Whether a call sends something outside by what it is given. */
export function sends({ operation: { outbound } }: Entry, args: Record<string, unknown>): boolean {
  return typeof outbound === 'function' ? outbound(args) : outbound === true
}

/** A call that has to wait for the owner of its key. */
export interface Waiting {
  actor: Actor
  tool: string
  /** As they came, without the idempotency key. */
  args: Record<string, unknown>
  argumentsHash: string
  idempotencyKey: string | undefined
  requestId: string
  ip: string
}

/** What a call with an idempotency key was answered once it was released. */
export interface KeptAnswer {
  value: unknown
  callId: string
}

/**
 * Lets a call wait; inside a job of the writer. The same call again is the same wait. With an idempotency key it is answered for good:
 * what it brought once it was released, or that it was denied.
 * @returns the answer of the released call, or what it waits for
 */
export async function waitForApproval(db: Kysely<Tables>, now: number, of: Waiting): Promise<{ kept: KeptAnswer } | { waiting: Row<'approvals'> }> {
  const { actor, tool } = of
  await db.deleteFrom('approvals').where('expires_at', '<', now - keptFor).execute()
  const known = await knownWait(db, now, of)
  if (known?.state === 'released') return { kept: { value: JSON.parse(known.result_json ?? 'null') as unknown, callId: known.call_id! } }
  if (known?.state === 'denied') throw new Refusal('permission_denied', `${actor.display_name} has denied this call.`, { context: { approval_id: known.id } })
  if (known) return { waiting: known }
  const { n } = await askedBy(db, actor).select(eb => eb.fn.countAll<number>().as('n')).where('state', '=', 'pending').where('expires_at', '>', now).executeTakeFirstOrThrow()
  if (n >= mostWaiting) throw new Refusal('rate_limited', `${mostWaiting} calls of ${actor.key ? 'this key' : 'automations'} wait to be released.`, { hint: `${actor.display_name} has to decide over them first.`, retry_after_seconds: 3600 })
  const waiting: Row<'approvals'> = {
    id: newId('apr', now),
    org_id: actor.org_id,
    key_id: actor.key?.id ?? null,
    owner_id: actor.id,
    tool,
    arguments_json: JSON.stringify(of.args),
    arguments_hash: of.argumentsHash,
    idempotency_key: of.idempotencyKey ?? null,
    asked_via: actor.via,
    request_id: of.requestId,
    ip: of.ip,
    state: 'pending',
    created_at: now,
    expires_at: now + waitTime,
    decided_at: null,
    decided_by: null,
    call_id: null,
    result_json: null,
  }
  await db.insertInto('approvals').values(waiting).execute()
  const item = actor.key ? { type: 'api_key', id: actor.key.id } : { type: 'person', id: actor.id }
  const by = actor.key ? `your key "${actor.key.name}"` : 'an automation of yours, which people outside set off,'
  await tell(db, now, actor.org_id, [actor.id], { kind: 'security', item, actor: null, text: `A call of ${tool} by ${by} waits until you release it` })
  return { waiting }
}

/** Calls that wait or waited of a key, or of a person's automations. */
function askedBy(db: Kysely<Tables>, { id, key }: Actor) {
  const all = db.selectFrom('approvals')
  return key ? all.where('key_id', '=', key.id) : all.where('owner_id', '=', id).where('key_id', 'is', null)
}

async function knownWait(db: Kysely<Tables>, now: number, { actor, tool, argumentsHash, idempotencyKey }: Waiting): Promise<Row<'approvals'> | undefined> {
  const same = askedBy(db, actor).selectAll().where('tool', '=', tool).orderBy('id', 'desc')
  if (idempotencyKey === undefined) return same.where('arguments_hash', '=', argumentsHash).where('idempotency_key', 'is', null).where('state', '=', 'pending').where('expires_at', '>', now).executeTakeFirst()
  const known = await same.where('idempotency_key', '=', idempotencyKey).where(eb => eb.or([eb('state', '<>', 'pending'), eb('expires_at', '>', now)])).executeTakeFirst()
  if (known && known.arguments_hash !== argumentsHash) {
    throw new Refusal('idempotency_conflict', `idempotency_key: this key was used for ${tool} with other arguments.`, { field: 'idempotency_key', hint: 'Use a new key for a new request.' })
  }
  return known
}

/** What whoever called is told. */
export function mustWait({ id, tool, expires_at }: Row<'approvals'>, actor: Actor): Refusal {
  return new Refusal('approval_required', `${tool} sends something outside, and ${actor.key ? `with the key "${actor.key.name}"` : 'set off by people outside'} that waits until ${actor.display_name} releases it. It is made then; do not call it again.`, {
    hint: 'Tell them that it waits. list_api_calls shows it once it was made.',
    context: { approval_id: id, expires_at: iso(expires_at) },
  })
}

/** Inside the job of the writer that makes a released call, before it does. @throws Refusal conflict where it waits no more */
export async function demandWaiting(db: Kysely<Tables>, now: number, id: Id<'approvals'>): Promise<void> {
  const waiting = await db.selectFrom('approvals').select('id').where('id', '=', id).where('state', '=', 'pending').where('expires_at', '>', now).executeTakeFirst()
  if (!waiting) throw waitsNoMore(id)
}

function waitsNoMore(id: Id<'approvals'>): Refusal {
  return new Refusal('conflict', 'This call waits no more.', { context: { approval_id: id } })
}

/**
 * Marks a call as made, with its answer; inside the job of the writer that makes it, so that it is made once or not at all.
 * @throws Refusal conflict where it waits no more
 */
export async function settleApproval(db: Kysely<Tables>, now: number, id: Id<'approvals'>, by: Id<'users'>, { callId, value }: KeptAnswer): Promise<void> {
  const result = JSON.stringify(value ?? null)
  const patch = { state: 'released', decided_at: now, decided_by: by, call_id: callId, result_json: result.length <= largestResult ? result : null } as const
  const { numUpdatedRows } = await db.updateTable('approvals').set(patch).where('id', '=', id).where('state', '=', 'pending').where('expires_at', '>', now).executeTakeFirst()
  if (numUpdatedRows !== 1n) throw waitsNoMore(id)
}
