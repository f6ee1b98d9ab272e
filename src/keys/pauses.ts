import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { Store } from '../db/open.ts'
import type { Actor } from '../kernel/actor.ts'
import { omitUndefined } from '../kernel/present.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Row } from '../records/resource.ts'
import type { KeyGate } from './verify.ts'

interface Dependencies {
  store: Store
  clock: Clock
  keys: KeyGate
}

/**
 * Pauses the person's own key, or as an administrator any of the organization: its next request is refused, and its
 * streams end within seconds. Idempotent.
 * @throws Refusal conflict if the key has ended, or an abuse rule suspended it
 */
export function pauseKey(
  parts: Dependencies,
  actor: Actor,
  id: Id<'api_keys'>,
  from: ActionOrigin,
): Promise<void> {
  return parts.store.writer.run(async () => {
    const key = await requireValidKey(parts, actor, id)
    if (key.suspended_at !== null && key.suspended_by === null)
      throw new Refusal('conflict', 'The key is suspended already.', 'Release it under Approvals.')
    const patch = { suspended_at: parts.clock.now(), suspended_by: actor.id }
    if (key.suspended_at === null) await patchKeyRow(parts.store, id, patch)
    await recordKeyAct(parts, actor, key, { ...from, tool: 'pause_api_key' })
  })
}

/** Resumes a paused key. Idempotent. @throws Refusal conflict if it has ended or is suspended */
export function resumeKey(
  parts: Dependencies,
  actor: Actor,
  id: Id<'api_keys'>,
  from: ActionOrigin,
): Promise<void> {
  return parts.store.writer.run(async () => {
    const key = await requireValidKey(parts, actor, id)
    if (key.suspended_at !== null && key.suspended_by === null)
      throw new Refusal(
        'conflict',
        'A rule against abuse suspended the key.',
        'Release it under Approvals.',
      )
    await patchKeyRow(parts.store, id, { suspended_at: null, suspended_by: null })
    await recordKeyAct(parts, actor, key, { ...from, tool: 'resume_api_key' })
  })
}

/** Rights to remove from a key; none can be given back. */
export interface KeyRestrictions {
  readOnly?: true | undefined
  holdOutbound?: true | undefined
  noAdmin?: true | undefined
}

/**
 * Restricts the person's own key, or as an administrator any of the organization, from its next request on. Existing
 * restrictions remain. @throws Refusal conflict if the key has ended
 */
export function narrowKey(
  parts: Dependencies,
  actor: Actor,
  id: Id<'api_keys'>,
  { readOnly, holdOutbound, noAdmin, from }: KeyRestrictions & { from: ActionOrigin },
): Promise<void> {
  return parts.store.writer.run(async () => {
    const key = await requireValidKey(parts, actor, id)
    await patchKeyRow(
      parts.store,
      id,
      omitUndefined({
        read_only: readOnly && 1,
        hold_outbound: holdOutbound && 1,
        admin_grant: noAdmin && 0,
      }),
    )
    await recordKeyAct(parts, actor, key, { ...from, tool: 'narrow_api_key' })
  })
}

async function requireValidKey(
  { store, clock, keys }: Dependencies,
  actor: Actor,
  id: Id<'api_keys'>,
): Promise<Row<'api_keys'>> {
  await keys.recheck(actor)
  const key = await store.write
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const hasExpired = key.expires_at !== null && key.expires_at <= clock.now()
  if (key.revoked_at !== null || hasExpired)
    throw new Refusal('conflict', `The key has ${hasExpired ? 'expired' : 'been revoked'}.`)
  return key
}

async function patchKeyRow(
  { write }: Store,
  id: Id<'api_keys'>,
  patch: Partial<Row<'api_keys'>>,
): Promise<void> {
  await write.updateTable('api_keys').set(patch).where('id', '=', id).execute()
}

function recordKeyAct(
  { store, clock }: Dependencies,
  actor: Actor,
  key: Row<'api_keys'>,
  { tool, ...from }: ActionOrigin & { tool: string },
): Promise<void> {
  return recordAction(store, {
    ...from,
    tool,
    route: `POST /web/api-keys/{id}/${tool.replace('_api_key', '')}`,
    kind: 'write',
    via: 'web',
    at: clock.now(),
    org_id: key.org_id,
    actor_id: actor.id,
    items: [{ type: 'api_key', id: key.id }],
  })
}
