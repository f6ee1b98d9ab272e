import { type Compilable, sql } from 'kysely'
import { isId, prefixOf } from '../../kernel/ids.ts'
import { denied } from '../../kernel/refusal.ts'
import { type AccessScope, type Viewer, accessScope, accessScopeOf } from '../access-scope.ts'
import { prepared } from '../prepared.ts'
import { extensionOf } from '../resource-extensions.ts'
import { wholeRows, type ItemTable, type Level, type Row, type Scoped } from '../row.ts'
import { isUrlText, parseAppAddress } from './app-address.ts'
import { ambiguousName, candidatesOf, unknownName } from './lookup-refusals.ts'
import {
  type NameOptions,
  isNamed,
  maxCandidates,
  narrowings,
  rowsByName,
  rowsLike,
} from './names.ts'
import { ResourceQueries } from './resource-queries.ts'

type CompiledLookup<T extends ItemTable> = ReturnType<typeof prepared<{ value: string }, Row<T>>>

/** Finds one row by the reference in an argument: id, key, address or name. */
export class ResourceLookup<T extends ItemTable> extends ResourceQueries<T> {
  readonly #compiled = new Map<string, CompiledLookup<T>>()

  /**
   * The row of an id, a key or the like, or an address of this instance, if the actor can see it; `only: 'trashed'`
   * searches only the trash, if the scope includes it. Accepts names if they are unique; `demand` accepts all.
   */
  find(
    viewer: Viewer,
    text: string,
    level: Level = 'see',
    only?: 'trashed',
  ): Promise<Row<T> | undefined> {
    return this.#find(accessScopeOf(viewer), text, level, { only })
  }

  async #find(
    scope: AccessScope,
    text: string,
    level: Level,
    more: { only?: 'trashed' | undefined; options?: NameOptions<T>; field?: string },
  ): Promise<Row<T> | undefined> {
    const { only, options, field } = more
    if (isId(this.definition.prefix, text))
      return (
        (await this.#byId(level, only)(scope, { value: text }))[0] ??
        this.#moved(scope, text, level, only)
      )
    if (isUrlText(text)) return this.#atAddress(scope, text, level, only)
    const matches = await this.#byAlias(scope, text, level, only, options)
    if (matches.length > 1) throw await ambiguousName(this, scope, { text, field, rows: matches })
    return matches[0] ?? this.#moved(scope, text, level, only)
  }

  /** The visible rows with a name: none, one, or some of several. */
  async named(
    viewer: Viewer,
    text: string,
    options: NameOptions<T> = {},
    only?: 'trashed',
  ): Promise<Row<T>[]> {
    const { names } = this.definition
    if (!names || prefixOf(text) || isUrlText(text)) return []
    const s = accessScopeOf(viewer)
    const rows = (scope: AccessScope) =>
      rowsByName(names, this.table, this.#rowsIn(scope, 'see', only), text, scope, options)
    if (!this.trashable || !s.trash || only) return rows(s)
    const live = await rows(accessScope({ ...s, trash: false })) // a name may be in use again while its first bearer is in the trash
    return live.length > 0 ? live : rows(s)
  }

  /** The row at an address of this instance: of its web page, or of its document for assistants. */
  async #atAddress(
    scope: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
  ): Promise<Row<T> | undefined> {
    const place = parseAppAddress(text, scope.baseUrl)
    if (!place) return undefined
    for (const part of [place.anchor, ...place.segments.slice(-4).toReversed()]) {
      if (part === '' || isUrlText(part)) continue
      const row = await this.find(scope, part, level, only)
      if (row && place.leadsTo(this.url(row, ''))) return row
    }
    return undefined
  }

  /** Compiled once per level: most calls use ids. */
  #byId(level: Level, only?: 'trashed' | undefined): CompiledLookup<T> {
    return this.#once(`id ${level} ${only}`, (s, id) =>
      this.#rowsIn(s, level, only).where(sql.ref(`${this.table}.id`), '=', id),
    )
  }

  /** Like #byId, for aliases with a fixed query. */
  #withAlias(level: Level, only: 'trashed' | undefined): CompiledLookup<T> {
    return this.#once(`alias ${level} ${only}`, (s, value) => {
      const rows = this.definition.alias?.(this.#rowsIn(s, level, only), value, s)
      if (!rows) throw new Error(`The alias of ${this.table} makes no query.`)
      return rows.limit(maxCandidates + 1)
    })
  }

  #once(name: string, rows: (scope: AccessScope, value: string) => Scoped<T>): CompiledLookup<T> {
    const run =
      this.#compiled.get(name) ??
      prepared<{ value: string }, Row<T>>(
        (s, { value }) => rows(s, value).selectAll(this.table) as Compilable<Row<T>>,
      )
    this.#compiled.set(name, run)
    return run
  }

  async #byAlias(
    scope: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
    options: NameOptions<T> = {},
  ): Promise<Row<T>[]> {
    const { aliasValue, names } = this.definition
    const value = aliasValue ? aliasValue(text) : text
    const isNarrowed = options.among !== undefined || options.within !== undefined
    if (aliasValue && !names?.unique && !isNarrowed)
      return value === undefined ? [] : this.#withAlias(level, only)(scope, { value })
    const narrowed = narrowings(this.table, this.#rowsIn(scope, level, only), options)
    return this.#firstFound(
      narrowed.values().map((rows) => this.#aliasIn(rows, scope, text, value)),
    )
  }

  /** Returns the rows of the first query with a match; the queries after it are not built. */
  async #firstFound(queries: Iterable<Scoped<T> | undefined>): Promise<Row<T>[]> {
    for (const query of queries) {
      const rows = query ? await wholeRows(query.limit(maxCandidates + 1), this.table) : []
      if (rows.length > 0) return rows
    }
    return []
  }

  #aliasIn(
    rows: Scoped<T>,
    scope: AccessScope,
    text: string,
    value: string | undefined,
  ): Scoped<T> | undefined {
    const { alias, names } = this.definition
    const aliasQuery = value === undefined ? undefined : alias?.(rows, value, scope)
    if (aliasQuery || !names?.unique) return aliasQuery
    return rows.where(isNamed(this.table, names, text.trim()))
  }

  #rowsIn(accessScope: AccessScope, level: Level, only: 'trashed' | undefined): Scoped<T> {
    const rows = this.rows(level, accessScope)
    return only ? rows.where(sql.ref(`${this.table}.deleted_at`), 'is not', null) : rows
  }

  /** The row that replaces a former id. */
  async #moved(
    scope: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
  ): Promise<Row<T> | undefined> {
    const former = extensionOf(this, 'formerIds')
    if (!former || !isId(this.definition.prefix, text)) return undefined
    const id = (await former.currentIds(scope, [text])).get(text)
    return id === undefined ? undefined : this.find(scope, id, level, only)
  }

  /**
   * The row that a text names at this level: by id, key, address of this instance, or unique name among the visible
   * rows.
   * @throws Refusal not_found, with candidates where names are alike; invalid_argument where several have the name;
   * permission_denied where the row is only seen
   */
  async demand(
    viewer: Viewer,
    text: string,
    level: Level,
    field: string,
    options: NameOptions<T> = {},
  ): Promise<Row<T>> {
    const row = await this.#find(accessScopeOf(viewer), text, level, { options, field })
    if (row) return row
    const seen =
      (level === 'see' ? undefined : await this.find(viewer, text, 'see')) ??
      (await this.#requireNamed(viewer, text, field, options))
    if (level === 'see') return seen
    const [reached] = await this.#byId(level)(viewer, { value: (seen as { id: string }).id })
    if (reached) return reached
    throw denied(
      this.definition.rule?.[level] ?? `You can see this ${this.name}, but not change it.`,
    )
  }

  /** @throws Refusal not_found, invalid_argument */
  async #requireNamed(
    reader: Viewer,
    text: string,
    field: string,
    options: NameOptions<T>,
  ): Promise<Row<T>> {
    const matches = await this.named(reader, text, options)
    if (matches.length === 1) return matches[0]!
    if (matches.length > 1)
      throw await ambiguousName(this, accessScopeOf(reader), { text, field, rows: matches })
    const similar = () => this.alike(reader, text, options)
    throw await unknownName(this, accessScopeOf(reader), { text, field, options, similar })
  }

  /** Like demand(), for several texts, without duplicates; `field` is the name of the list. */
  async requireAll(
    viewer: Viewer,
    texts: readonly string[],
    level: Level,
    field: string,
    options: NameOptions<T> = {},
  ): Promise<Row<T>[]> {
    const rowsById = new Map<string, Row<T>>()
    for (const [i, text] of texts.entries()) {
      const row = await this.demand(viewer, text, level, `${field}[${i}]`, options)
      rowsById.set((row as { id: string }).id, row)
    }
    return [...rowsById.values()]
  }

  /** Visible rows with names similar to one that does not exist. */
  async alike(reader: Viewer, text: string, options: NameOptions<T> = {}): Promise<Row<T>[]> {
    if (prefixOf(text) || isUrlText(text) || isId(this.definition.prefix, text)) return []
    const s = accessScopeOf(reader)
    const rows = this.rows('see', s.trash ? accessScope({ ...s, trash: false }) : s)
    for (const narrowed of narrowings(this.table, rows, options)) {
      const matches = await rowsLike(this, narrowed, text, s, options.exact === true)
      if (matches.length > 0) return matches
    }
    return []
  }

  /** Rows as suggestions in a refusal. */
  candidates(viewer: Viewer, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]> {
    return candidatesOf(this, viewer, rows)
  }
}
