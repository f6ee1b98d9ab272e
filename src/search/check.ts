import type Database from 'better-sqlite3'

/** Inconsistencies between texts and vectors; empty if there are none. Texts that still wait for vectors do not count. */
export interface IndexProblems {
  texts: number
  passages: number
  /** Texts that wait for their vectors. */
  due: number
  /** Texts without vectors that are not scheduled to get any. */
  missing: number
  /** Vectors of deleted texts. */
  orphans: number
  /** Whether there is an active space, or none is needed yet. */
  hasSpace: boolean
}

/** Compares vectors with texts. `db`: any connection. */
export function checkEmbeddings(db: Database.Database): IndexProblems {
  const count = (sql: string, ...params: string[]) =>
    db
      .prepare(sql)
      .pluck()
      .get(...params) as number
  const space =
    (db
      .prepare("select id from search_spaces where state = 'active' and provider = 'embedded'")
      .pluck()
      .get() as string | undefined) ?? ''
  const texts = count('select count(*) from search_docs')
  const due = count("select count(*) from search_todo where provider = 'embedded'")
  return {
    texts,
    passages: count('select count(*) from search_vectors where space = ?', space),
    due,
    missing: count(
      "select count(*) from search_docs as d where not exists (select 1 from search_vectors as v where v.doc = d.rowid_ and v.space = ? and v.n = 0) and not exists (select 1 from search_todo as t where t.doc = d.rowid_ and t.provider = 'embedded')",
      space,
    ),
    orphans: count(
      'select count(*) from (select distinct doc from search_vectors) as v where not exists (select 1 from search_docs as d where d.rowid_ = v.doc)',
    ),
    hasSpace: space !== '' || due === texts,
  }
}
