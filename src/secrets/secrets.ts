import type { Kysely } from 'kysely'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Tables } from '../db/tables.ts'
import { MasterKeyUnavailable, type MasterKeys, type MasterKey } from './master.ts'
import { unsealSecret, seal, UnsealError, type SecretLocation } from './seal.ts'

type Db = Kysely<Tables>
/** The row that secrets belong to. */
export type SecretRowLocation = Omit<SecretLocation, 'column'>

/** Stores encrypted secrets in the database: passwords of mail accounts, tokens, webhook signing keys. */
export class Secrets {
  readonly master: MasterKeys
  readonly #onFailure: (why: string) => void

  /** `tell` receives the reason for an encryption or decryption failure; callers do not. */
  constructor(master: MasterKeys, tell: (why: string) => void = () => {}) {
    this.master = master
    this.#onFailure = tell
  }

  /**
   * Encrypts a text and replaces the existing one. `db`: inside a job of the writer. @throws Refusal unavailable
   * without a master key
   */
  async put(db: Db, now: number, place: SecretLocation, text: string): Promise<void> {
    const { kid, key } = await this.#encryptionKey(db)
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

  /** The decrypted text at a location; undefined if there is none. @throws Refusal unavailable if no key decrypts it */
  async read(db: Db, place: SecretLocation): Promise<string | undefined> {
    const row = await secretsAt(db, place)
      .where('column_name', '=', place.column)
      .select(['kid', 'value_sealed'])
      .executeTakeFirst()
    if (!row) return undefined
    const master = this.#reportingFailure(() => this.master.find(row.kid))
    if (!master)
      throw this.#unavailable(
        `No key in ${this.master.location} decrypts what was encrypted with ${row.kid}.`,
      )
    return this.#reportingFailure(() => unsealSecret(master.key, place, row.value_sealed))
  }

  /** Deletes the secrets of a row, or one of them. */
  async drop(db: Db, holder: SecretRowLocation, column?: string): Promise<void> {
    const rows = db
      .deleteFrom('secrets')
      .where('org_id', '=', holder.org_id as Id<'orgs'>)
      .where('table_name', '=', holder.table)
      .where('row_id', '=', holder.row_id)
    await (column === undefined ? rows : rows.where('column_name', '=', column)).execute()
  }

  /** The key for encryption. It is created only if there are no encrypted rows yet: otherwise, a missing key was lost. */
  async #encryptionKey(db: Db): Promise<MasterKey> {
    const currentKey = this.#reportingFailure(() => this.master.current)
    if (currentKey) return currentKey
    const sealed = await db.selectFrom('secrets').select('kid').limit(1).executeTakeFirst()
    if (sealed) throw this.#unavailable(`There is no master key in ${this.master.location}.`)
    return this.#reportingFailure(() => this.master.create())
  }

  #reportingFailure<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (
        error instanceof MasterKeyUnavailable ||
        error instanceof UnsealError ||
        (error as { code?: string }).code
      )
        throw this.#unavailable((error as Error).message)
      throw error
    }
  }

  #unavailable(why: string): Refusal {
    this.#onFailure(why)
    return new Refusal(
      'unavailable',
      'Secrets cannot be encrypted or decrypted right now.',
      'The operator can find out why with `workspace secrets status`.',
    )
  }
}

function secretsAt(db: Db, { org_id, table, row_id }: SecretRowLocation) {
  return db
    .selectFrom('secrets')
    .where('org_id', '=', org_id as Id<'orgs'>)
    .where('table_name', '=', table)
    .where('row_id', '=', row_id)
}
