import type { SqlText } from '../db/connection.ts'
import type { Store } from '../db/open.ts'
import { recordForEach } from '../audit/act.ts'
import type { Row } from '../records/resource.ts'
import type { Master, MasterKey } from './master.ts'
import { NoMaster } from './master.ts'
import { unsealSecret, seal, type SecretLocation } from './seal.ts'
import { quantity } from '../kernel/text/quantity.ts'

const batch = 100

export interface Rotated {
  /** Id of the key that now seals everything. */
  kid: string
  /** False: completed an earlier rotation, with its key. */
  isNew: boolean
  resealed: number
}

type SecretRow = Row<'secrets'>

/**
 * Reencrypts all secrets with a new master key, a hundred at a time, even while a server is running, since the older
 * key still decrypts the remaining ones. An interruption does no harm: the next run resumes.
 * @throws NoMaster, Unsealable; then nothing of that batch is changed
 */
export async function rotate(
  store: Store,
  master: Master,
  now: () => number,
  onProgress: (resealed: number) => void = () => {},
): Promise<Rotated> {
  const missing = await rotationProblem(store, master)
  if (missing) throw new NoMaster(missing)
  const isNew = !master.present || (await outdatedSecrets(store, master.present, 1)).length === 0
  const key = isNew ? fresh(master) : master.present!
  let resealed = 0
  for (let resealedCount = batch; resealedCount > 0; onProgress((resealed += resealedCount)))
    resealedCount = await store.writer.run(() => resealBatch(store, master, key, now()))
  await store.writer.run(
    async () =>
      await recordForEach(store, {
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

function fresh(master: Master): MasterKey {
  return master.present ? master.add() : master.create()
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
  master: Master,
  key: MasterKey,
  now: number,
): Promise<number> {
  const rows = await outdatedSecrets(store, key, batch)
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
export function sealedBy({ read }: SecretsOn): Promise<{ kid: string; rows: number }[]> {
  return read.all('SELECT kid, count(*) AS rows FROM secrets GROUP BY kid ORDER BY kid')
}

/** Database with sealed rows. */
interface SecretsOn {
  read: SqlText
}

/** Explains why this instance cannot decrypt its sealed data; undefined if it can, or if nothing is sealed. */
export async function rotationProblem(
  store: SecretsOn,
  master: Master,
): Promise<string | undefined> {
  const sealed = await sealedBy(store)
  try {
    const keys = master.keys() // what is there must be usable, also before anything is sealed
    const total = sealed.reduce((sum, item) => sum + item.rows, 0)
    if (total === 0) return undefined
    if (keys.length === 0)
      return `${quantity(total, 'secret is', 'secrets are')} encrypted, but there is no master key in ${master.where}. Restore it from your copy, or name its file with --master-key-file.`
    const lost = sealed.filter((item) => !master.find(item.kid))
    if (lost.length > 0)
      return `${quantity(
        lost.reduce((sum, item) => sum + item.rows, 0),
        'secret is',
        'secrets are',
      )} encrypted with the master key ${lost.map((item) => item.kid).join(', ')}, and ${master.where} has ${keys.map((key) => key.kid).join(', ')}. Restore the right one from your copy.`
    for (const { kid } of sealed) await tryOne(store, master.find(kid)!)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function tryOne({ read }: SecretsOn, { kid, key }: MasterKey): Promise<void> {
  const row = await read.one<SecretRow>('SELECT * FROM secrets WHERE kid = ? LIMIT 1', kid)
  if (row) unsealSecret(key, secretLocation(row), row.value_sealed)
}
