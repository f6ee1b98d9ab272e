import { omitNullish } from '../kernel/present.ts'
import { recordAction, type ActionOrigin } from '../audit/act.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { isId, type Id } from '../kernel/ids.ts'
import { denied, notFound, Refusal } from '../kernel/refusal.ts'
import type { Store } from '../db/open.ts'
import type { AbuseFindingsTable } from '../db/tables.ts'
import type { KeyGate } from '../keys/verify.ts'

/** A finding with names for lists. */
export interface ListedFinding extends AbuseFindingsTable {
  key_name: string | null
  lookup: string | null
  owner: string | null
  organization: string | null
}

export interface FindingFilter {
  /** Limits the list to one organization; unset: all, and addresses. */
  org?: Id<'orgs'> | undefined
  owner?: Id<'users'> | undefined
  /** Only those that still hold a key. */
  open?: boolean | undefined
  limit: number
}

/** Findings, newest first. */
export function listFindings(
  store: Store,
  now: number,
  { org, owner, open, limit }: FindingFilter,
): Promise<ListedFinding[]> {
  let query = store.read
    .selectFrom('abuse_findings as f')
    .leftJoin('api_keys as k', 'k.id', 'f.key_id')
    .leftJoin('users as u', 'u.id', 'f.owner_id')
    .leftJoin('orgs as o', 'o.id', 'f.org_id')
    .selectAll('f')
    .select(['k.name as key_name', 'k.lookup', 'u.email as owner', 'o.name as organization'])
  if (org !== undefined) query = query.where('f.org_id', '=', org)
  if (owner !== undefined) query = query.where('f.owner_id', '=', owner)
  if (open)
    query = query
      .where('f.hold', '<>', 'none')
      .where('f.released_at', 'is', null)
      .where((eb) => eb.or([eb('f.until_at', 'is', null), eb('f.until_at', '>', now)]))
  return query.orderBy('f.first_at', 'desc').orderBy('f.id', 'desc').limit(limit).execute()
}

/** Whether a finding still holds its key. */
export function isFindingOpen(
  { hold, released_at, until_at }: AbuseFindingsTable,
  now: number,
): boolean {
  return hold !== 'none' && released_at === null && (until_at === null || until_at > now)
}

/**
 * Lists the findings that a signed-in person may see: about their own keys, and as an administrator about those of
 * the whole organization.
 */
export function findingsFor(
  store: Store,
  clock: Clock,
  actor: Actor,
  options: { open?: boolean; limit: number },
): Promise<ListedFinding[]> {
  return listFindings(
    store,
    clock.now(),
    omitNullish({
      org: actor.org_id,
      owner: actor.role === 'admin' ? undefined : actor.id,
      ...options,
    }),
  )
}

/**
 * Releases a key's hold, by decision of its owner or a signed-in administrator. Its rule is suspended for that key
 * for an hour.
 * @throws Refusal permission_denied for a key, not_found for a finding they cannot see, conflict if nothing is held
 */
export async function releaseHold(
  app: { store: Store; clock: Clock; keys: KeyGate },
  actor: Actor,
  id: string,
  from: ActionOrigin = {},
): Promise<AbuseFindingsTable> {
  if (actor.key)
    throw denied(
      'Holds cannot be released with a key.',
      'Sign in, or use `workspace abuse release`.',
    )
  return release(app.store, app.clock, {
    id,
    by: actor.id,
    via: 'web',
    from,
    check: () => app.keys.recheck(actor),
    canSee: (row) =>
      row.org_id === actor.org_id && (row.owner_id === actor.id || actor.role === 'admin'),
  })
}

export interface ReleaseRequest {
  id: string
  /** Defaults to the owner of the key. */
  by?: Id<'users'> | undefined
  via: 'web' | 'cli'
  from?: ActionOrigin
  /** Throws if the caller is no longer allowed to; runs inside the writer job. */
  check?: () => Promise<void>
  canSee?: (row: AbuseFindingsTable) => boolean
}

/** The same for the operator at the machine. */
export async function release(
  store: Store,
  clock: Clock,
  { id, by, via, from, check, canSee = () => true }: ReleaseRequest,
): Promise<AbuseFindingsTable> {
  return store.writer.run(async () => {
    await check?.()
    const now = clock.now()
    const row = isId('abf', id)
      ? await store.write
          .selectFrom('abuse_findings')
          .selectAll()
          .where('id', '=', id as Id<'abuse_findings'>)
          .executeTakeFirst()
      : undefined
    if (!row || !canSee(row)) throw notFound('finding', 'id')
    if (!isFindingOpen(row, now))
      throw new Refusal(
        'conflict',
        row.released_at !== null ? 'It is already released.' : 'It holds nothing.',
      )
    const patch = { released_at: now, released_by: by ?? row.owner_id! }
    await endHolds(store, row, patch)
    const items = [{ type: 'api_key', id: row.key_id! }]
    await recordAction(store, {
      ...from,
      tool: 'release_hold',
      route: via === 'cli' ? 'workspace abuse release' : 'POST /web/holds/{id}/release',
      kind: 'write',
      via,
      at: now,
      org_id: row.org_id!,
      actor_id: patch.released_by,
      items,
      arguments: { finding: id, rule: row.rule },
    })
    return { ...row, ...patch }
  })
}

/** Ends all holds on a key: the right to decide about a suspended key covers them all. */
async function endHolds(
  store: Store,
  row: AbuseFindingsTable,
  end: { released_at: number; released_by: string },
): Promise<void> {
  const update = store.write.updateTable('abuse_findings').set(end)
  if (row.hold !== 'key') return void (await update.where('id', '=', row.id).execute())
  await update
    .where('key_id', '=', row.key_id)
    .where('hold', '<>', 'none')
    .where('released_at', 'is', null)
    .execute()
  await store.write
    .updateTable('api_keys')
    .set({ suspended_at: null })
    .where('id', '=', row.key_id as Id<'api_keys'>)
    .execute()
}
