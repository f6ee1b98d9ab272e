import type { Kysely } from 'kysely'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Tables } from '../db/tables.ts'
import { NoMaster, type Master, type MasterKey } from './master.ts'
import { unsealSecret, seal, Unsealable, type SecretLocation } from './seal.ts'

type Db = Kysely<Tables>
/** All secrets of a row. */
export type Holder = Omit<SecretLocation, 'column'>

/** Stores encrypted secrets in the database: passwords of mail accounts, tokens, webhook signing keys. */
export class Secrets {
  readonly master: Master
  readonly #tell: (why: string) => void

  /** `tell` receives the reason for an encryption or decryption failure; callers do not. */
  constructor(master: Master, tell: (why: string) => void = () => {}) {
    this.master = master
    this.#tell = tell
  }

  /**
   * Encrypts a text and replaces the existing one. `db`: inside a job of the writer. @throws Refusal unavailable
   * without a master key
   */
  async put(db: Db, now: number, place: SecretLocation, text: string): Promise<void> {
    const { kid, key } = await this.#sealing(db)
    const values = { kid, value_sealed: seal(key, place, text), sealed_at: now }
    await db
      .insertInto('secrets')
      .values({
        org_id: place.org_id as Id<'orgs'>,
        table_name: place.table,
        row_id: place.row_id,
        column_name: place.column,
        ...values,
      })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'table_name', 'row_id', 'column_name']).doUpdateSet(values),
      )
      .execute()
  }

  /** The decrypted text at a location; undefined if there is none. @throws Refusal unavailable where no key opens it */
  async read(db: Db, place: SecretLocation): Promise<string | undefined> {
    const row = await at(db, place)
      .where('column_name', '=', place.column)
      .select(['kid', 'value_sealed'])
      .executeTakeFirst()
    if (!row) return undefined
    const master = this.#guarded(() => this.master.find(row.kid))
    if (!master)
      throw this.#closed(
        `No key in ${this.master.where} decrypts what was encrypted with ${row.kid}.`,
      )
    return this.#guarded(() => unsealSecret(master.key, place, row.value_sealed))
  }

  /** Deletes the secrets of a row, or one of them. */
  async drop(db: Db, holder: Holder, column?: string): Promise<void> {
    const rows = db
      .deleteFrom('secrets')
      .where('org_id', '=', holder.org_id as Id<'orgs'>)
      .where('table_name', '=', holder.table)
      .where('row_id', '=', holder.row_id)
    await (column === undefined ? rows : rows.where('column_name', '=', column)).execute()
  }

  /** A first key is created only if there are no encrypted rows yet: beside those, a missing key is a lost one. */
  async #sealing(db: Db): Promise<MasterKey> {
    const there = this.#guarded(() => this.master.present)
    if (there) return there
    const sealed = await db.selectFrom('secrets').select('kid').limit(1).executeTakeFirst()
    if (sealed) throw this.#closed(`There is no master key in ${this.master.where}.`)
    return this.#guarded(() => this.master.create())
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (
        error instanceof NoMaster ||
        error instanceof Unsealable ||
        (error as { code?: string }).code
      )
        throw this.#closed((error as Error).message)
      throw error
    }
  }

  #closed(why: string): Refusal {
    this.#tell(why)
    return new Refusal(
      'unavailable',
      'Secrets cannot be encrypted or decrypted right now.',
      'The operator can find out why with `workspace secrets status`.',
    )
  }
}

function at(db: Db, { org_id, table, row_id }: Holder) {
  return db
    .selectFrom('secrets')
    .where('org_id', '=', org_id as Id<'orgs'>)
    .where('table_name', '=', table)
    .where('row_id', '=', row_id)
}
