import { sql } from 'kysely'
import { lowerCaseWords } from '../search/tokens.ts'
import type { ReadContext } from './context.ts'
import { containsText } from '../db/text-conditions.ts'
import { applyOrder, type Order } from '../records/paging.ts'
import type { ItemTable, Resource, Row, Scoped } from '../records/resource.ts'
import { anyRows } from '../records/row.ts'
import { accessScopeOf } from '../records/access-scope.ts'

/** The operation that reads an item, and the name of the argument that identifies the item. */
export interface DocumentReading {
  operation: string
  argument: string
  /** Constant arguments. */
  with?: Readonly<Record<string, unknown>>
}

/**
 * A kind of item that assistants can read as a whole at its own address: `workspace://tasks/ENG-42`. A module lists
 * the documents of its items in its index.ts; listing, reading, completion and subscriptions are derived from it.
 */
export interface Document {
  /** The middle part of the address: `tasks`. */
  readonly name: string
  /** Display name of one item: `Task`. */
  readonly title: string
  readonly about: string
  /** Resource that decides who may see them. */
  readonly resource: Resource<ItemTable>
  readonly read: DocumentReading
  /** A second operation whose answer is part of the text, for callers who may use it. */
  readonly additional?: DocumentReading
  /**
   * False: individual changes are not reported, so the document can be read again but not subscribed to. Default:
   * true.
   */
  readonly subscribable?: boolean
  /** The columns whose words are searched: `projects.name`. */
  readonly searchedColumns: readonly string[]
  /** Name that people use for an item, and the end of its address. */
  key(row: Row<ItemTable>): string
  /** Renders the answers as Markdown. */
  text(answer: unknown, beside: unknown): string
  /** Restricts the visible items to those that are documents; default: all. */
  narrow?(rows: Scoped<ItemTable>): Scoped<ItemTable>
  /** Replaces the default query if that is too slow: entries after a position, most recently changed first. */
  newest?(
    ctx: ReadContext,
    place: DocumentPosition | undefined,
    limit: number,
  ): Promise<DocumentEntry[]>
  /** Candidates for completion: a limited number of entries that may match the words. */
  candidates?(ctx: ReadContext, text: string, limit: number): Promise<DocumentEntry[]>
}

/** One item in the list of documents. */
export interface DocumentEntry {
  id: string
  key: string
  title: string
  /** In milliseconds. */
  updated_at: number
}

/** Position from which a list continues: after this time of change, and for equal times after this id. */
export interface DocumentPosition {
  updated_at: number
  id: string
}

interface Definition<T extends ItemTable, A, B>
  extends Omit<Document, 'resource' | 'key' | 'text' | 'narrow'> {
  resource: Resource<T>
  narrow?(rows: Scoped<T>): Scoped<T>
  /** Default: the key of the resource, else the id. */
  key?(row: Row<T>): string
  text(answer: A, beside: B | undefined): string
}

/** Defines a document. Its `text` renders the answers of the operations. */
export function document<T extends ItemTable, A, B = never>(
  definition: Definition<T, A, B>,
): Document {
  const key = (row: Row<T>) =>
    definition.resource.definition.key?.(row) ?? (row as { id: string }).id
  return { key, ...definition } as unknown as Document
}

/** Documents of one kind that the caller can see, most recently changed first. */
export async function newestEntries(
  ctx: ReadContext,
  documentKind: Document,
  place: DocumentPosition | undefined,
  limit: number,
): Promise<DocumentEntry[]> {
  if (documentKind.newest) return documentKind.newest(ctx, place, limit)
  const rows = await applyOrder(
    visibleDocuments(ctx, documentKind),
    documentOrderOf(documentKind),
    place && [place.updated_at, place.id],
  )
    .limit(limit)
    .execute()
  return rows.map((row) => entryOf(documentKind, row))
}

/** Completion candidates: matching entries, and whether there may be more. */
export interface CompletionEntries {
  entries: DocumentEntry[]
  more: boolean
}

/** Maximum number of rows from the database that are checked against the text one by one. */
const maxCandidates = 1000

/** Documents of one kind that complete a text: matches of the key first, then the most recently changed. */
export async function completionEntries(
  ctx: ReadContext,
  documentKind: Document,
  text: string,
  limit: number,
): Promise<CompletionEntries> {
  const query = text.trim()
  const maxEntries = query === '' ? limit + 1 : maxCandidates
  const entries =
    query === ''
      ? await newestEntries(ctx, documentKind, undefined, maxEntries)
      : await candidates(ctx, documentKind, query, maxEntries)
  const matches =
    query === '' ? entries : entries.filter((documentEntry) => matchesText(documentEntry, query))
  const rank = ({ key }: DocumentEntry) => {
    if (!beginsWith(key, query)) return 2
    return key.length === query.length ? 0 : 1
  }
  matches.sort((a, b) => rank(a) - rank(b) || b.updated_at - a.updated_at)
  return {
    entries: matches.slice(0, limit),
    more: matches.length > limit || entries.length === maxEntries,
  }
}

async function candidates(
  ctx: ReadContext,
  kind: Document,
  text: string,
  limit: number,
): Promise<DocumentEntry[]> {
  if (kind.candidates) return kind.candidates(ctx, text, limit)
  const significantWord = text.split(/\s+/).sort((a, b) => b.length - a.length)[0]!
  const rows = await applyOrder(
    visibleDocuments(ctx, kind).where(containsText(kind.searchedColumns, significantWord)),
    documentOrderOf(kind),
  )
    .limit(limit)
    .execute()
  return rows.map((row) => entryOf(kind, row))
}

/** True if the key starts with the text, or each word of the text starts a word of the item. */
function matchesText({ key, title }: DocumentEntry, text: string): boolean {
  if (beginsWith(key, text)) return true
  const words = lowerCaseWords(`${key} ${title}`)
  const prefixes = lowerCaseWords(text)
  return (
    prefixes.length > 0 && prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
  )
}

function beginsWith(key: string, text: string): boolean {
  return key.toLowerCase().startsWith(text.toLowerCase())
}

/** Rows that the caller can see, also narrowed by organization, because the indexes start with that column. */
function visibleDocuments(ctx: ReadContext, { resource, narrow }: Document) {
  const visible = resource.visibleTo(ctx)
  return anyRows(narrow?.(visible) ?? visible)
    .where(sql.ref(`${resource.table}.org_id`), '=', accessScopeOf(ctx).actor.org_id)
    .selectAll(resource.table as 'tasks')
}

function documentOrderOf({ resource: { table } }: Document): Order[] {
  return [
    { by: `${table}.updated_at`, as: 'updated_at', dir: 'desc' },
    { by: `${table}.id`, as: 'id', dir: 'desc' },
  ]
}

function entryOf(documentKind: Document, row: Row<ItemTable>): DocumentEntry {
  const { id, updated_at } = row as { id: string; updated_at: number }
  return {
    id,
    key: documentKind.key(row),
    title: documentKind.resource.definition.title(row),
    updated_at,
  }
}
