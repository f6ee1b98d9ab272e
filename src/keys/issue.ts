import { recordAction, type LoggedAction, type ActionOrigin } from '../audit/act.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { isId, newId, type Id } from '../kernel/ids.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import type { Row } from '../records/resource.ts'
import { assertStorableText } from '../kernel/text/text.ts'
import { notifyPeople } from '../notify/notifications.ts'
import { parseToolset } from '../kernel/toolsets.ts'
import type { Store } from '../db/open.ts'
import { hashSecret } from './argon.ts'
import { displayPrefix, findKeys, mintKey, parseKey } from './format.ts'
import { findTokens } from './tokens.ts'
import { readRevocations, recordRevocation } from './revocations.ts'

export interface NewKey {
  owner: Id<'users'>
  name: string
  via: 'cli' | 'web'
  readOnly?: boolean | undefined
  /** Modules it may use, `tasks:ro` for reading only; unset for all. */
  toolsets?: readonly string[] | undefined
  /** Existing modules, for validating toolsets. */
  modules?: readonly string[] | undefined
  /** Milliseconds since 1970 UTC. */
  expiresAt?: number | undefined
  /** Whether it has its owner's administrator rights; for administrators only. */
  adminGrant?: boolean | undefined
  /** True if outbound calls wait until the owner releases them. */
  holdOutbound?: boolean | undefined
  id?: Id<'api_keys'> | undefined
  from?: ActionOrigin | undefined
}

/** A key as shown once to its creator. */
export interface IssuedKey {
  id: Id<'api_keys'>
  key: string
  prefix: string
}

/** A generated and hashed key that is not in the database yet. */
interface PreparedKey extends IssuedKey {
  lookup: string
  secretHash: string
  newKey: Omit<NewKey, 'owner'>
}

/**
 * Creates a key for a person. `check` runs in the transaction that inserts it. @throws Refusal if the name, toolsets,
 * expiry or owner is invalid
 */
export async function issueKey(
  store: Store,
  clock: Clock,
  newKey: NewKey,
  check?: () => Promise<void>,
): Promise<IssuedKey> {
  const prepared = await prepareKey(clock, newKey)
  await store.writer.run(async () => {
    await check?.()
    await insertKey(store, clock.now(), prepared, newKey.owner)
  })
  const { id, key, prefix } = prepared
  return { id, key, prefix }
}

/** Validates the draft, generates the key and hashes its secret: the slow part, which belongs outside transactions. */
async function prepareKey(clock: Clock, draft: Omit<NewKey, 'owner'>): Promise<PreparedKey> {
  checkKeyName(draft.name)
  checkToolsets(draft)
  if (draft.expiresAt !== undefined && draft.expiresAt <= clock.now())
    throw invalid('expires_at', 'must be in the future.')
  const { key, lookup, secret, prefix } = mintKey()
  return {
    id: draft.id ?? newId('key', clock.now()),
    key,
    prefix,
    lookup,
    secretHash: await hashSecret(secret),
    newKey: draft,
  }
}

/** Inserts a prepared key with its call log entry; inside a writer job. */
async function insertKey(
  store: Store,
  now: number,
  { id, lookup, secretHash, newKey }: PreparedKey,
  ownerId: Id<'users'>,
): Promise<void> {
  const owner = await requireOwner(store, ownerId, newKey.adminGrant ?? false)
  const toolsets = newKey.toolsets
    ? [...new Set(newKey.toolsets.map((text) => text.replace(/:rw$/, '')))]
    : undefined
  const row: Row<'api_keys'> = {
    id,
    org_id: owner.org_id,
    owner_id: owner.id,
    name: newKey.name.trim(),
    lookup,
    secret_hash: secretHash,
    read_only: newKey.readOnly ? 1 : 0,
    admin_grant: newKey.adminGrant ? 1 : 0,
    toolsets_json: toolsets ? JSON.stringify(toolsets) : null,
    created_at: now,
    created_via: newKey.via,
    expires_at: newKey.expiresAt ?? null,
    revoked_at: null,
    revoked_by: null,
    suspended_at: null,
    suspended_by: null,
    hold_outbound: newKey.holdOutbound ? 1 : 0,
    last_used_at: null,
    last_ip: null,
    last_client: null,
    kind: 'key',
  }
  await store.write.insertInto('api_keys').values(row).execute()
  const item = { type: 'api_key', id }
  await notifyPeople(store.write, now, owner.org_id, [owner.id], {
    kind: 'security',
    item,
    actor: null,
    text: `A key "${row.name}" was created for you`,
  })
  const loggedArguments = {
    name: row.name,
    read_only: row.read_only === 1,
    toolsets: toolsets ?? null,
    expires_at: row.expires_at,
    admin_grant: row.admin_grant === 1,
    hold_outbound: row.hold_outbound === 1,
  }
  await recordAction(store, {
    ...newKey.from,
    ...actOn(row, 'create_api_key', now),
    via: newKey.via,
    actor_id: owner.id,
    arguments: loggedArguments,
  })
}

/**
 * Permanently revokes a key, in the database and in the list beside it. It is refused from the next
 * request on, even by a server in another process. `key`: its id, the prefix shown in lists, or the key itself.
 * Idempotent.
 */
export async function revokeKey(
  store: Store,
  clock: Clock,
  dataDir: string,
  revocation: { key: string } & Revocation,
): Promise<{ key: Row<'api_keys'>; already: boolean }> {
  const { id } = await findKey(store, revocation.key)
  return store.writer.run(() => revokeInJob(store, clock, dataDir, { ...revocation, id }))
}

/** Person who revokes the key; unset: its owner, at the command line. */
interface Revocation {
  by?: Id<'users'>
  via?: 'cli' | 'web'
  from?: ActionOrigin
}

/** The same inside a writer job. */
export async function revokeInJob(
  store: Store,
  clock: Clock,
  dataDir: string,
  revocation: { id: Id<'api_keys'> } & Revocation,
): Promise<{ key: Row<'api_keys'>; already: boolean }> {
  const row = await store.write
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', revocation.id)
    .executeTakeFirstOrThrow()
  if (row.revoked_at !== null) return { key: row, already: true }
  const patch = { revoked_at: clock.now(), revoked_by: revocation.by ?? row.owner_id }
  await endKey(store, row, patch, revocation.via ?? 'cli', patch.revoked_at, revocation.from)
  recordRevocation(dataDir, { key_id: row.id, lookup: row.lookup, at: patch.revoked_at }) // before the commit: should that fail, the key is refused from the next start on
  return { key: { ...row, ...patch }, already: false }
}

/** At server start, revokes again the keys that were restored with an older database. Returns their ids. */
export async function applyRevocations(
  store: Store,
  clock: Clock,
  dataDir: string,
): Promise<Id<'api_keys'>[]> {
  const revoked = new Map(
    readRevocations(dataDir).map((revocation) => [revocation.key_id, revocation.at]),
  )
  if (revoked.size === 0) return []
  return store.writer.run(async () => {
    await store.write
      .updateTable('scim_tokens')
      .set({ revoked_at: clock.now() })
      .where('revoked_at', 'is', null)
      .where('id', 'in', [...revoked.keys()] as Id<'scim_tokens'>[])
      .execute()
    const live = await store.write
      .selectFrom('api_keys')
      .selectAll()
      .where('revoked_at', 'is', null)
      .execute()
    const revived = live.filter((row) => revoked.has(row.id))
    for (const row of revived)
      await endKey(
        store,
        row,
        { revoked_at: revoked.get(row.id)!, revoked_by: row.owner_id },
        'cli',
        clock.now(),
      )
    return revived.map((row) => row.id)
  })
}

/** All keys, or those of one person, oldest first. */
export function listKeys(store: Store, owner?: Id<'users'>) {
  const keys = store.read
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.owner_id')
    .selectAll('api_keys')
    .select(['users.email', 'users.status'])
  return (owner ? keys.where('api_keys.owner_id', '=', owner) : keys)
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .execute()
}

/**
 * Whether text is a well-formed key, including its checksum. Does not query the database: it may be revoked or not
 * exist.
 */
export function isWellFormedKey(text: string): boolean {
  return parseKey(text.trim()) !== undefined
}

/** @throws Refusal invalid_argument, field `name` */
export function checkKeyName(name: string): void {
  assertStorableText(name, 'name')
  if (findKeys(name).length + findTokens(name).length > 0)
    throw invalid('name', 'must not contain a key, because lists show it.')
  if (name.trim() === '' || name.length > 100)
    throw invalid('name', 'a key needs a name of 1 to 100 characters.')
}

/** @throws Refusal invalid_argument, field `toolsets` */
export function checkToolsets({
  toolsets,
  modules = [],
}: Pick<NewKey, 'toolsets' | 'modules'>): void {
  if (!toolsets) return
  if (toolsets.length === 0) throw invalid('toolsets', 'a key needs at least one toolset.')
  const unknown = toolsets.filter((text) => !modules.includes(parseToolset(text)?.module ?? ''))
  if (unknown.length > 0)
    throw invalid(
      'toolsets',
      `unknown toolset ${unknown.join(', ')}.`,
      `Known: ${modules.join(', ') || 'none'}; append :ro for read access only.`,
    )
  const parsed = toolsets.map((text) => parseToolset(text)!)
  const conflicting = parsed.find((toolset) =>
    parsed.some((other) => other.module === toolset.module && other.readOnly !== toolset.readOnly),
  )
  if (conflicting)
    throw invalid('toolsets', `${conflicting.module} is given twice, read-only and in full.`)
}

/** The key with an id, a prefix as in lists, or the key itself. @throws Refusal if there is none, or several */
export async function findKey(store: Store, text: string): Promise<Row<'api_keys'>> {
  const keys = store.read.selectFrom('api_keys').selectAll()
  const lookupPrefix = /^svc_([0-9A-Za-z]{4,12})…?$/.exec(text)?.[1] ?? parseKey(text)?.lookup
  if (lookupPrefix === undefined && !isId('key', text))
    throw invalid(
      'key',
      'give the id of a key (key_…) or its prefix as shown in lists (svc_ and at least 4 characters).',
    )
  const query =
    lookupPrefix === undefined
      ? keys.where('id', '=', text as Id<'api_keys'>)
      : keys.where((eb) =>
          eb(
            eb.fn<string>('substr', ['lookup', eb.val(1), eb.val(lookupPrefix.length)]),
            '=',
            lookupPrefix,
          ),
        )
  const matches = await query.execute()
  if (matches.length > 1) throw ambiguous(text, matches)
  if (!matches[0])
    throw new Refusal('not_found', 'Key not found.', '`workspace keys list` shows all keys.')
  return matches[0]
}

function ambiguous(text: string, matches: Row<'api_keys'>[]): Refusal {
  const candidates = matches.map((row) => ({
    id: row.id,
    prefix: displayPrefix(row.lookup),
    name: row.name,
  }))
  const candidateList = candidates
    .map((candidate) => `${candidate.id} (${candidate.prefix} ${candidate.name})`)
    .join(', ')
  return new Refusal('conflict', `${text} matches ${matches.length} keys: ${candidateList}.`, {
    hint: 'Give the id.',
    context: { candidates },
  })
}

async function requireOwner(
  store: Store,
  id: Id<'users'>,
  adminGrant: boolean,
): Promise<Row<'users'>> {
  const owner = await store.write
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!owner) throw new Refusal('not_found', 'Person not found.', { field: 'owner' })
  if (owner.status !== 'active')
    throw new Refusal(
      'conflict',
      `${owner.display_name} is ${owner.status}, so no key can be made for them.`,
      { field: 'owner' },
    )
  if (adminGrant && owner.role !== 'admin')
    throw new Refusal(
      'permission_denied',
      `${owner.display_name} is not an administrator, so their keys cannot be either.`,
      { field: 'admin' },
    )
  return owner
}

async function endKey(
  store: Store,
  row: Row<'api_keys'>,
  end: { revoked_at: number; revoked_by: string },
  via: 'cli' | 'web',
  now = end.revoked_at,
  from: ActionOrigin = {},
): Promise<void> {
  await store.write.updateTable('api_keys').set(end).where('id', '=', row.id).execute()
  await recordAction(store, {
    ...from,
    ...actOn(row, row.kind === 'connection' ? 'revoke_connection' : 'revoke_api_key', now),
    kind: 'destructive',
    via,
    actor_id: end.revoked_by as Id<'users'>,
  })
}

function actOn(
  row: Row<'api_keys'>,
  tool: string,
  at: number,
): Omit<LoggedAction, 'via' | 'actor_id'> {
  return {
    tool,
    route: tool.replace(/_api_key$/, ' key').replace('_', ' '),
    kind: 'write',
    at,
    org_id: row.org_id,
    items: [{ type: 'api_key', id: row.id }],
  }
}
