// Cache of the search thread: the location of each text, the titles that name items, and the
// words of recently used texts.

import type Database from 'better-sqlite3'
import type { Statements } from '../../db/dialect.ts'
import { textTokens, type TextTokens } from '../tokens.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import { DocumentMap, type Doc, type DocLocation, type DocumentRow } from './document-map.ts'
import { TitleIndex } from './titles.ts'

/** Characters of a text read for ranking. */
export const maxCharacters = 20_000
/** Maximum cached words of texts: four bytes each. */
const maxCachedWords = 8_000_000
/** Maximum texts with cached items and containers: about 150 bytes each. */
const maxCachedDocs = 50_000

interface TextContent {
  part: string
  title: string
  body: string
}

const emptyContent: TextContent = { part: 'item', title: '', body: '' }

type TextRow = DocumentRow & { item_id: string; part: string; title: string }

/** `octet_length` reads the header of a row, not its text. */
const columns =
  'rowid_, org_id, item_id, item_type, part, container, title, octet_length(title) + octet_length(body) as size'

/** Columns of a `Doc`: the item of a text and its location. */
export const docColumns = 'rowid_, ref, item_id, item_type, container, at'

export class TextCache {
  readonly documents = new DocumentMap()
  readonly titles = new TitleIndex()
  /** Texts that changed after they were loaded. */
  changedRowids: ReadonlySet<number> = new Set()
  readonly #statements: Statements
  readonly #tokens = new Map<number, TextTokens>()
  #cachedWords = 0
  readonly #docs = new BoundedMap<number, Doc>(maxCachedDocs)

  constructor(statements: Statements) {
    this.#statements = statements
  }

  loadAll(): void {
    const rows = this.#statements.get(`select ${columns} from search_docs`)
    for (const row of rows.iterate() as IterableIterator<TextRow>) this.#set(row)
  }

  /** Loads the current text; undefined if it was deleted. */
  load(rowid: number): TextRow | undefined {
    this.#forgetTokens(rowid)
    this.#docs.delete(rowid)
    const row = this.#statements
      .get(`select ${columns} from search_docs where rowid_ = ?`)
      .get(rowid) as TextRow | undefined
    if (row) this.#set(row)
    else this.documents.remove(rowid)
    return row
  }

  /** Updates `changed`, before each search: changed texts are not served from the cache until they are loaded again. */
  readChanges(): void {
    const due = this.#statements.get(
      "select doc from search_todo where provider = 'embedded'",
    ) as Database.Statement<[], number>
    this.changedRowids = new Set(due.pluck().all())
  }

  /** The words of a text's title and beginning. */
  tokens(rowid: number): TextTokens {
    const cached = this.changedRowids.has(rowid) ? undefined : this.#tokens.get(rowid)
    if (cached) return cached
    const { title, body } = this.read(rowid)
    const computed = textTokens(title, body.slice(0, maxCharacters))
    if (!this.changedRowids.has(rowid)) this.#cacheTokens(rowid, computed)
    return computed
  }

  /** Loads texts with their items and locations, by rowid; deleted ones are left out. */
  docs(rowids: readonly number[]): Map<number, Doc> {
    const docsById = new Map<number, Doc>()
    const missing: number[] = []
    for (const rowid of rowids) {
      const cached = this.changedRowids.has(rowid) ? undefined : this.#docs.get(rowid)
      if (cached) docsById.set(rowid, cached)
      else missing.push(rowid)
    }
    if (missing.length === 0) return docsById
    const rows = this.#statements.get(
      `select ${docColumns} from search_docs where rowid_ in (select value from json_each(?))`,
    )
    for (const doc of rows.all(JSON.stringify(missing)) as Doc[]) {
      docsById.set(doc.rowid_, doc)
      if (!this.changedRowids.has(doc.rowid_)) this.#docs.set(doc.rowid_, doc)
    }
    return docsById
  }

  body(rowid: number): string {
    return this.read(rowid).body
  }

  /** The current text; empty if it was deleted. */
  read(rowid: number): TextContent {
    const row = this.#statements.get('select part, title, body from search_docs where rowid_ = ?')
    return (row.get(rowid) as TextContent | undefined) ?? emptyContent
  }

  locationOf(item: string): DocLocation | undefined {
    return this.#statements
      .get(
        "select item_id, item_type, container, at from search_docs where item_id = ? and part = 'item' limit 1",
      )
      .get(item) as DocLocation | undefined
  }

  locationAt(rowid: number): DocLocation | undefined {
    return this.#statements
      .get('select item_id, item_type, container, at from search_docs where rowid_ = ?')
      .get(rowid) as DocLocation | undefined
  }

  #set(row: TextRow): void {
    this.documents.set(row)
    if (row.part === 'item' && row.title !== '') this.titles.set(row.item_id, row.title)
  }

  #cacheTokens(rowid: number, tokens: TextTokens): void {
    this.#tokens.set(rowid, tokens)
    this.#cachedWords += countNumbers(tokens)
    while (this.#cachedWords > maxCachedWords) this.#forgetTokens(this.#tokens.keys().next().value!)
  }

  #forgetTokens(rowid: number): void {
    const cached = this.#tokens.get(rowid)
    if (!cached) return
    this.#tokens.delete(rowid)
    this.#cachedWords -= countNumbers(cached)
  }
}

function countNumbers({ title, text, titleForms, textForms }: TextTokens): number {
  return title.length + text.length + titleForms.length + textForms.length
}
