import type { Statements } from '../../../db/dialect.ts'
import type { PendingText, SearchScope } from '../protocol.ts'
import { sizeInTokens, titledPassages } from '../passages.ts'
import { vectorBytes } from '../pool.ts'

/** A text as indexed, in order of insertion. */
export interface IndexedText {
  rowid_: number
  title: string
  body: string
  org_id: string
  item_type: string
  container: string
}

/** A text that changed after it was embedded; deleted if it has no title and body. */
export interface ChangedText {
  doc: number
  version: number
  title: string | null
  body: string | null
}

/** Queries of the search thread for texts and their vectors, all on its own connection. */
export class TextQueries {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** Counts the texts waiting to be embedded here, up to 10,000. */
  countPending(): number {
    return this.#statements
      .get(
        "select count(*) from (select 1 from search_todo where provider = 'embedded' limit 10000)",
      )
      .pluck()
      .get() as number
  }

  /** Counts the waiting texts in the scope of a search: the number of others must not be disclosed to its caller. */
  countPendingIn({ containers, types }: SearchScope, provider: 'embedded' | 'openai'): number {
    return this.#statements
      .get(
        'select count(*) from (select 1 from (select doc from search_todo where provider = ? limit 10000) as t cross join search_docs as d where d.rowid_ = t.doc and d.item_type in (select value from json_each(?)) and (? or d.container in (select value from json_each(?))))',
      )
      .pluck()
      .get(
        provider,
        JSON.stringify(types),
        containers === null ? 1 : 0,
        JSON.stringify(containers ?? []),
      ) as number
  }

  /** The texts changed the longest time ago that a provider has yet to embed. */
  oldestChanged(provider: 'embedded' | 'openai', limit: number): ChangedText[] {
    return this.#statements
      .get(
        'select t.doc, t.version, d.title, d.body from search_todo as t left join search_docs as d on d.rowid_ = t.doc where t.provider = ? order by t.version limit ?',
      )
      .all(provider, limit) as ChangedText[]
  }

  /** The texts after one, for iterating over all. */
  textsAfter(after: number, limit: number): IndexedText[] {
    return this.#statements
      .get(
        'select rowid_, title, body, org_id, item_type, container from search_docs where rowid_ > ? order by rowid_ limit ?',
      )
      .all(after, limit) as IndexedText[]
  }

  /** The next texts without vectors in a provider's space. */
  textsWithoutVectors(
    space: string,
    after: number,
    limit: number,
  ): { texts: PendingText[]; after: number | null } {
    const rows = this.#statements
      .get(
        "select d.rowid_, d.title, d.body from search_docs as d where d.rowid_ > ? and not exists (select 1 from search_vectors as v where v.doc = d.rowid_ and v.space = ? and v.n = 0) and not exists (select 1 from search_todo as t where t.doc = d.rowid_ and t.provider = 'openai') order by d.rowid_ limit ?",
      )
      .all(after, space, limit) as { rowid_: number; title: string; body: string }[]
    const texts = rows.map(({ rowid_, title, body }) => ({
      doc: rowid_,
      version: 0,
      passages: titledPassages(title, body, sizeInTokens),
      vectors: undefined,
    }))
    return { texts, after: rows.length < limit ? null : rows.at(-1)!.rowid_ }
  }

  /** Changed texts to be embedded by a provider. A text that was only moved keeps its vectors. */
  changedForProvider(space: string, limit: number): PendingText[] {
    const vectors = this.#statements.get(
      'select n, start, length, vector, scale from search_vectors where doc = ? and space = ? order by n',
    )
    return this.oldestChanged('openai', limit).map(({ doc, version, title, body }) => {
      if (title === null || body === null)
        return { doc, version, passages: undefined, vectors: undefined }
      const rows = vectors.all(doc, space) as {
        n: number
        start: number
        length: number
        vector: Buffer
        scale: number
      }[]
      const isComplete = rows[0]?.n === 0 // the first passage is written last
      const storedPassages = isComplete
        ? rows.map(({ n: _, vector, ...row }) => ({ ...row, bytes: vectorBytes(vector) }))
        : []
      return {
        doc,
        version,
        passages: storedPassages.length > 0 ? [] : titledPassages(title, body, sizeInTokens),
        vectors: storedPassages.length > 0 ? storedPassages : undefined,
      }
    })
  }
}
