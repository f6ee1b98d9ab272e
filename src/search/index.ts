import { sql, type Kysely } from 'kysely'
import type { Id } from '../core/ids.ts'
import type { Tables } from '../db/tables.ts'
import type { SearchText } from '../core/resource.ts'

/** The full-text index. Its rows change in the transaction of the row that they show. */
export class SearchIndex {
  /** Puts the text of a new row in. */
  async add(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void> {
    const last = await db.selectFrom('search_docs').select(eb => eb.fn.max('rowid_').as('last')).executeTakeFirst()
    const rowid_ = Number(last?.last ?? 0) + 1
    const { item_type, item_id, part, container, title, body, at } = text
    await db.insertInto('search_docs').values({ rowid_, ref, item_type, item_id, part, org_id: orgId as Id<'orgs'>, container, title, body, at }).execute()
    await this.#insert(db, rowid_, title, body, container)
  }

  /** Puts the text of a row in place of what it had. */
  async put(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void> {
    await this.#drop(db, ref)
    await this.add(db, ref, orgId, text)
  }

  /** Takes the text of a row out, and that of its parts. */
  async remove(db: Kysely<Tables>, ref: string): Promise<void> {
    const docs = await db.selectFrom('search_docs').select('ref').where(eb => eb.or([eb('ref', '=', ref), eb('item_id', '=', ref)])).execute()
    for (const doc of docs) await this.#drop(db, doc.ref)
  }

  /** Moves an item's texts, and those of its parts, to another container. */
  async recontain(db: Kysely<Tables>, itemId: string, container: string): Promise<void> {
    const docs = await db.selectFrom('search_docs').selectAll().where('item_id', '=', itemId).execute()
    for (const doc of docs) {
      if (doc.container === container) continue
      await db.updateTable('search_docs').set({ container }).where('rowid_', '=', doc.rowid_).execute()
      await sql`delete from search_fts where rowid = ${doc.rowid_}`.execute(db)
      await this.#insert(db, doc.rowid_, doc.title, doc.body, container)
    }
  }

  async #insert(db: Kysely<Tables>, rowid: number, title: string, body: string, container: string): Promise<void> {
    await sql`insert into search_fts (rowid, title, body, acl) values (${rowid}, ${title}, ${body}, ${aclToken(container)})`.execute(db)
  }

  async #drop(db: Kysely<Tables>, ref: string): Promise<void> {
    const old = await db.deleteFrom('search_docs').where('ref', '=', ref).returning('rowid_').executeTakeFirst()
    if (old) await sql`delete from search_fts where rowid = ${old.rowid_}`.execute(db)
  }
}

/** A container as one word that the tokenizer keeps whole. */
export function aclToken(container: string): string {
  return `c${container.replace(/[^0-9a-z]/g, '')}`
}
