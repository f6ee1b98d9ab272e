import type { SqlText } from '../db/connection.ts'
import type { Store } from '../db/open.ts'
import { recordForEachOrg } from '../audit/act.ts'
import type { Row } from '../records/resource.ts'
import type { MasterKeys, MasterKey } from './master.ts'
import { MasterKeyUnavailable } from './master.ts'
import { unsealSecret, seal, type SecretLocation } from './seal.ts'
import { quantity } from '../kernel/text/quantity.ts'

const batchSize = 100

export interface RotationResult {
  /** Id of the key that now seals everything. */
  kid: string
  /** False: completed an earlier rotation, with the newest existing key. */
  isNew: boolean
  resealed: number
}

type SecretRow = Row<'secrets'>

/**
 * Reencrypts all secrets with a new master key, a hundred at a time, even while a server is running, since the older
 * key still decrypts the remaining ones. An interruption does no harm: the next run resumes.
 * @throws MasterKeyUnavailable, UnsealError; then nothing of that batch is changed
 */
export async function rotate(
  store: Store,
  master: MasterKeys,
  now: () => number,
  onProgress: (resealed: number) => void = () => {},
): Promise<RotationResult> {
  const missing = await rotationProblem(store, master)
  if (missing) throw new MasterKeyUnavailable(missing)
  const isNew = !master.current || (await outdatedSecrets(store, master.current, 1)).length === 0
  const key = isNew ? addNewKey(master) : master.current!
  let resealed = 0
  for (let batchCount = batchSize; batchCount > 0; onProgress((resealed += batchCount)))
    batchCount = await store.writer.run(() => resealBatch(store, master, key, now()))
  await store.writer.run(
    async () =>
      await recordForEachOrg(store, {
        tool: 'rotate_secrets',
        route: 'workspace secrets rotate',
        kind: 'write',
        via: 'cli',
        at: now(),
        items: [],
        arguments: { kid: key.kid, resealed },
      }),
  )
  return { kid: key.kid, isNew, resealed }
}

function addNewKey(master: MasterKeys): MasterKey {
  return master.current ? master.add() : master.create()
}

function outdatedSecrets(store: Store, { kid }: MasterKey, limit: number): Promise<SecretRow[]> {
  return store.write
    .selectFrom('secrets')
    .selectAll()
    .where('kid', '<>', kid)
    .orderBy('kid')
    .limit(limit)
    .execute()
}

async function resealBatch(
  store: Store,
  master: MasterKeys,
  key: MasterKey,
  now: number,
): Promise<number> {
  const rows = await outdatedSecrets(store, key, batchSize)
  for (const row of rows) {
    const text = unsealSecret(master.find(row.kid)!.key, secretLocation(row), row.value_sealed)
    await store.write
      .updateTable('secrets')
      .set({ kid: key.kid, value_sealed: seal(key.key, secretLocation(row), text), sealed_at: now })
      .where('org_id', '=', row.org_id)
      .where('table_name', '=', row.table_name)
      .where('row_id', '=', row.row_id)
      .where('column_name', '=', row.column_name)
      .execute()
  }
  return rows.length
}

export function secretLocation({
  org_id,
  table_name,
  row_id,
  column_name,
}: Pick<SecretRow, 'org_id' | 'table_name' | 'row_id' | 'column_name'>): SecretLocation {
  return { org_id, table: table_name, row_id, column: column_name }
}

/** Number of encrypted rows by key. */
export function countSealedByKey({
  read,
}: SecretsDatabase): Promise<{ kid: string; rows: number }[]> {
  return read.all('SELECT kid, count(*) AS rows FROM secrets GROUP BY kid ORDER BY kid')
}

/** A database with encrypted secrets. */
interface SecretsDatabase {
  read: SqlText
}

/** Explains why this instance cannot decrypt its sealed data; undefined if it can, or if nothing is sealed. */
export async function rotationProblem(
  store: SecretsDatabase,
  master: MasterKeys,
): Promise<string | undefined> {
  const sealed = await countSealedByKey(store)
  try {
    const keys = master.keys() // existing keys must be usable even before anything is sealed
    const total = sealed.reduce((sum, item) => sum + item.rows, 0)
    if (total === 0) return undefined
    if (keys.length === 0)
      return `${quantity(total, 'secret is', 'secrets are')} encrypted, but there is no master key in ${master.location}. Restore it from your copy, or name its file with --master-key-file.`
    const keylessSecrets = sealed.filter((item) => !master.find(item.kid))
    if (keylessSecrets.length > 0)
      return `${quantity(
        keylessSecrets.reduce((sum, item) => sum + item.rows, 0),
        'secret is',
        'secrets are',
      )} encrypted with the master key ${keylessSecrets.map((item) => item.kid).join(', ')}, and ${master.location} has ${keys.map((key) => key.kid).join(', ')}. Restore the right one from your copy.`
    for (const { kid } of sealed) await tryKey(store, master.find(kid)!)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function tryKey({ read }: SecretsDatabase, { kid, key }: MasterKey): Promise<void> {
  const row = await read.one<SecretRow>('SELECT * FROM secrets WHERE kid = ? LIMIT 1', kid)
  if (row) unsealSecret(key, secretLocation(row), row.value_sealed)
}
