import { type Compilable, type Expression, type SqlBool, sql } from 'kysely'
import { type Id, isId, prefixOf } from '../kernel/ids.ts'
import { present } from '../kernel/present.ts'
import { Refusal, type RefusalMore, denied, notFound } from '../kernel/refusal.ts'
import { type AccessScope, type Viewer, accessScope, sightOf, withTrash } from './access-scope.ts'
import { isAddress, parseAppAddress } from './app-address.ts'
import {
  type NameOptions,
  type Narrowing,
  isNamed,
  maxCandidates,
  narrowings,
  rowsByName,
  rowsLike,
} from './names.ts'
import { prepared } from './prepared.ts'
import type { ResourceDefinition } from './resource-definition.ts'
import { extensionOf } from './resource-extensions.ts'
import { type ItemTable, type Level, type Row, type Scoped, anyRows } from './row.ts'

export type { ItemTable, Level, Row, Scoped, TableName } from './row.ts'

export type Mode = 'one' | 'maybe' | 'clearable' | 'many' | 'manyMaybe'

interface RowParamOptions {
  wire?: string
  inside?: { of: string; by: string }
  about?: string
  trash?: boolean
  among?: Narrowing<ItemTable> | undefined
  outside?: string | undefined
}

/** A row that the input of an operation names; the pipeline fetches it, or refuses. */
export class RowParam<T extends ItemTable, M extends Mode> {
  declare readonly mode: M
  declare readonly table: T
  readonly resource: Resource<T>
  readonly level: Level
  readonly modeName: Mode
  readonly wire: string | undefined
  readonly inside: { of: string; by: string } | undefined
  readonly about: string | undefined
  /** Whether the row may lie in the trash. */
  readonly trash: boolean
  /** Rows that a name means first, as a query. */
  readonly among: Narrowing<T> | undefined
  /**
   * What to do for people outside the organization; said where an unknown email address is
   * given.
   */
  readonly outside: string | undefined

  constructor(resource: Resource<T>, level: Level, mode: Mode, more: RowParamOptions = {}) {
    this.resource = resource
    this.level = level
    this.modeName = mode
    this.wire = more.wire
    this.inside = more.inside
    this.about = more.about
    this.trash = more.trash ?? false
    this.among = more.among as Narrowing<T> | undefined
    this.outside = more.outside
  }

  but<N extends Mode>(mode: Mode, more: RowParamOptions = {}): RowParam<T, N> {
    const {
      wire = this.wire,
      inside = this.inside,
      about = this.about,
      trash = this.trash,
      outside = this.outside,
      among = this.among as Narrowing<ItemTable> | undefined,
    } = more
    return new RowParam<T, N>(
      this.resource,
      this.level,
      mode,
      present({
        wire,
        inside,
        about,
        trash,
        among,
        outside,
      }),
    )
  }

  /** The argument may be left out. */
  get maybe(): RowParam<T, M extends 'many' ? 'manyMaybe' : 'maybe'> {
    return this.but(this.modeName === 'many' ? 'manyMaybe' : 'maybe')
  }

  /** The argument may be left out, or be null to clear the field. */
  get clearable(): RowParam<T, 'clearable'> {
    return this.but('clearable')
  }

  /** The argument is a list of ids (at most 200), without doubles. */
  get many(): RowParam<T, 'many'> {
    return this.but('many')
  }

  /** The argument's name on the wire, where it is not `<name>_id` or `<name>_ids`. */
  named(wire: string): RowParam<T, M> {
    return this.but(this.modeName, { wire })
  }

  /** The row must belong to another row of the same call: `comment.see.of('task', 'task_id')`. */
  of(other: string, by: keyof Row<T> & string): RowParam<T, M> {
    return this.but(this.modeName, { inside: { of: other, by } })
  }

  /** Names mean these rows first: of accounts, those that have mail. Ids are not narrowed. */
  preferring(among: Narrowing<T>): RowParam<T, M> {
    return this.but(this.modeName, { among: among as unknown as Narrowing<ItemTable> })
  }

  /** What to do for people outside the organization, in words. */
  outsiders(hint: string): RowParam<T, M> {
    return this.but(this.modeName, { outside: hint })
  }

  /** The row may lie in the trash. */
  get anywhere(): RowParam<T, M> {
    return this.but(this.modeName, { trash: true })
  }

  /** A description for the argument. */
  describe(about: string): RowParam<T, M> {
    return this.but(this.modeName, { about })
  }
}

export interface ItemRef {
  type: string
  id: string
  key?: string
  title: string
  url: string
}

const resources = new Map<string, Resource<ItemTable>>()
const byPrefix = new Map<string, Resource<ItemTable>>()

/** Who may see, change and dispose of the rows of one table, as queries that fetch one row and list many alike. */
export class Resource<T extends ItemTable> {
  readonly table: T
  readonly definition: ResourceDefinition<T>
  readonly trashable: boolean

  readonly #named = new Map<string, ReturnType<typeof prepared<{ id: string }, Row<T>>>>()

  constructor(table: T, definition: ResourceDefinition<T>, trashable: boolean) {
    this.table = table
    this.definition = definition
    this.trashable = trashable
  }

  /** Row parameters, for `on`. */
  get see(): RowParam<T, 'one'> {
    return new RowParam(this, 'see', 'one')
  }

  get edit(): RowParam<T, 'one'> {
    return new RowParam(this, 'edit', 'one')
  }

  get own(): RowParam<T, 'one'> {
    return new RowParam(this, 'own', 'one')
  }

  /** Queries: the rows that somebody may see, change, dispose of; out of the trash, unless the look includes it. */
  visibleTo(from: Viewer): Scoped<T> {
    return this.rows('see', from)
  }

  editableBy(from: Viewer): Scoped<T> {
    return this.rows('edit', from)
  }

  ownedBy(from: Viewer): Scoped<T> {
    return this.rows('own', from)
  }

  rows(level: Level, from: Viewer): Scoped<T> {
    const s = sightOf(from)
    const query = this.definition[level]
    if (!query) return this.definition.see(s).where(sql<SqlBool>`1 = 0`)
    return this.live(query(s), s)
  }

  /** Rows that the actor may take out of the trash, those that lie in it. */
  restorable(from: Viewer): Scoped<T> {
    const s = withTrash(from)
    const rows = (extensionOf(this, 'trash')?.restorable?.(s) ??
      this.rows(this.definition.own ? 'own' : 'edit', s)) as Scoped<T>
    return rows.where(sql.ref(`${this.table}.deleted_at`), 'is not', null)
  }

  async mayRestore(from: Viewer, id: string): Promise<boolean> {
    const found = await this.restorable(from)
      .where(sql.ref(`${this.table}.id`), '=', id)
      .select(sql<number>`1`.as('one'))
      .executeTakeFirst()
    return found !== undefined
  }

  live(query: Scoped<T>, s: AccessScope): Scoped<T> {
    if (!this.trashable || s.trash) return query
    return query.where(sql.ref(`${this.table}.deleted_at`), 'is', null)
  }

  /**
   * The rows that follow these rows of another resource, which were seen: the same as `visibleTo` narrowed to them, without
   * deciding the same thing again. The ids come from rows: text from outside does not compile.
   */
  of<I extends ItemTable>(from: Viewer, ids: readonly Id<I>[]): Scoped<T> {
    const { inheritsVisibilityFrom: follows } = this.definition
    if (!follows) throw new Error(`Rows of ${this.table} follow no other rows.`)
    const query = sightOf(from).all.selectFrom(this.table as ItemTable) as unknown as Scoped<T>
    return this.live(query, sightOf(from)).where(sql.ref(`${this.table}.${follows}`), 'in', ids)
  }

  /** Whether a column of another table names a row of a level: looked up row by row, so the other table's index drives. */
  holds(from: Viewer, column: string, level: Level = 'see'): Expression<SqlBool> {
    const row = anyRows(this.rows(level, from)).select(sql<number>`1`.as('one'))
    return sql<SqlBool>`exists ${row.where(sql.ref(`${this.table}.id`), '=', sql.ref(column))}`
  }

  /**
   * The same by a list that is made once for the query: right where the rows of this resource are few and those of the
   * other table are many. The column is concatenated with nothing, so that no index on it drives the query and a list
   * keeps the order of its own index.
   */
  lists(from: Viewer, column: string, level: Level = 'see'): Expression<SqlBool> {
    const ids = anyRows(this.rows(level, from)).select(sql.ref(`${this.table}.id`).as('id'))
    return sql<SqlBool>`${sql.ref(column)} || '' in ${ids}`
  }

  /**
   * The row of an id, a key or the like, or an address of this instance, if the actor may see it;
   * of the trash alone, where that
   * is asked for and the look includes it. Names are taken where they are unique; `demand` takes
   * all.
   */
  find(
    from: Viewer,
    text: string,
    level: Level = 'see',
    only?: 'trashed',
  ): Promise<Row<T> | undefined> {
    return this.#find(sightOf(from), text, level, { only })
  }

  async #find(
    s: AccessScope,
    text: string,
    level: Level,
    more: { only?: 'trashed' | undefined; options?: NameOptions<T>; field?: string },
  ): Promise<Row<T> | undefined> {
    const { only, options, field } = more
    if (isId(this.definition.prefix, text))
      return (
        (await this.#byId(level, only)(s, { id: text }))[0] ?? this.#moved(s, text, level, only)
      )
    if (isAddress(text)) return this.#atAddress(s, text, level, only)
    const found = await this.#byAlias(s, text, level, only, options)
    if (found.length > 1) throw await this.#ambiguous(s, text, found, field)
    return found[0] ?? this.#moved(s, text, level, only)
  }

  /** The rows of a name that the actor may see: none, one, or some of several. */
  async named(
    from: Viewer,
    text: string,
    options: NameOptions<T> = {},
    only?: 'trashed',
  ): Promise<Row<T>[]> {
    const { names } = this.definition
    if (!names || prefixOf(text) || isAddress(text)) return []
    const s = sightOf(from)
    const rows = (look: AccessScope) =>
      rowsByName(names, this.table, this.#rowsIn(look, 'see', only), text, look, options)
    if (!this.trashable || !s.trash || only) return rows(s)
    const live = await rows(accessScope({ ...s, trash: false })) // a name may be in use again while its first bearer is in the trash
    return live.length > 0 ? live : rows(s)
  }

  /**
   * The row that an address of this instance leads to: of its web page, or of its document for
   * assistants.
   */
  async #atAddress(
    s: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
  ): Promise<Row<T> | undefined> {
    const place = parseAppAddress(text, s.baseUrl)
    if (!place) return undefined
    for (const part of [place.anchor, ...place.segments.slice(-4).toReversed()]) {
      if (part === '' || isAddress(part)) continue
      const row = await this.find(s, part, level, only)
      if (row && place.leadsTo(this.url(row, ''))) return row
    }
    return undefined
  }

  /** Compiled once for each level: most calls name rows by their ids. */
  #byId(
    level: Level,
    only: 'trashed' | undefined,
  ): ReturnType<typeof prepared<{ id: string }, Row<T>>> {
    const name = `${level} ${only}`
    let run = this.#named.get(name)
    if (!run) {
      run = prepared(
        (s, { id }) =>
          this.#rowsIn(s, level, only)
            .where(sql.ref(`${this.table}.id`), '=', id)
            .selectAll(this.table) as unknown as Compilable<Row<T>>,
      )
      this.#named.set(name, run)
    }
    return run
  }

  async #byAlias(
    s: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
    options: NameOptions<T> = {},
  ): Promise<Row<T>[]> {
    const { alias, names } = this.definition
    const rows = this.#rowsIn(s, level, only)
    for (const narrowed of narrowings(this.table, rows, options)) {
      const query =
        alias?.(narrowed, text, s) ??
        (names?.unique ? narrowed.where(isNamed(this.table, names, text.trim())) : undefined)
      const found = query
        ? ((await query
            .selectAll(this.table)
            .limit(maxCandidates + 1)
            .execute()) as unknown as Row<T>[])
        : []
      if (found.length > 0) return found
    }
    return []
  }

  #rowsIn(s: AccessScope, level: Level, only: 'trashed' | undefined): Scoped<T> {
    const rows = this.rows(level, s)
    return only ? rows.where(sql.ref(`${this.table}.deleted_at`), 'is not', null) : rows
  }

  /** The row that stands for a former id. */
  async #moved(
    s: AccessScope,
    text: string,
    level: Level,
    only: 'trashed' | undefined,
  ): Promise<Row<T> | undefined> {
    const former = extensionOf(this, 'formerIds')
    if (!former || !isId(this.definition.prefix, text)) return undefined
    const id = (await former.currentIds(s, [text])).get(text)
    return id === undefined ? undefined : this.find(s, id, level, only)
  }

  /**
   * The row that text names at this level: by id, key, address of this instance, or the one name
   * that it has among what the
   * actor may see.
   * @throws Refusal not_found, with candidates where names are alike; invalid_argument where
   * several have the name; permission_denied
   * where the row is only seen
   */
  async demand(
    from: Viewer,
    text: string,
    level: Level,
    field: string,
    options: NameOptions<T> = {},
  ): Promise<Row<T>> {
    const row = await this.#find(sightOf(from), text, level, { options, field })
    if (row) return row
    const seen =
      (level === 'see' ? undefined : await this.find(from, text, 'see')) ??
      (await this.#demandNamed(from, text, field, options))
    if (level === 'see') return seen
    const [reached] = await this.#byId(level, undefined)(from, { id: (seen as { id: string }).id })
    if (reached) return reached
    throw denied(
      this.definition.rule?.[level] ?? `You can see this ${this.name}, but not change it.`,
    )
  }

  /** @throws Refusal not_found, invalid_argument */
  async #demandNamed(
    from: Viewer,
    text: string,
    field: string,
    options: NameOptions<T>,
  ): Promise<Row<T>> {
    const found = await this.named(from, text, options)
    if (found.length === 1) return found[0]!
    if (found.length > 1) throw await this.#ambiguous(sightOf(from), text, found, field)
    throw await this.#unknown(sightOf(from), text, field, options)
  }

  /** The same for several texts, each row once; `field` is the name of the list. */
  async demandAll(
    from: Viewer,
    texts: readonly string[],
    level: Level,
    field: string,
    options: NameOptions<T> = {},
  ): Promise<Row<T>[]> {
    const found = new Map<string, Row<T>>()
    for (const [i, text] of texts.entries()) {
      const row = await this.demand(from, text, level, `${field}[${i}]`, options)
      found.set((row as { id: string }).id, row)
    }
    return [...found.values()]
  }

  /** Rows that the actor may see with names like one that nobody has. */
  async alike(from: Viewer, text: string, options: NameOptions<T> = {}): Promise<Row<T>[]> {
    if (prefixOf(text) || isAddress(text) || isId(this.definition.prefix, text)) return []
    const s = sightOf(from)
    const rows = this.rows('see', s.trash ? accessScope({ ...s, trash: false }) : s)
    for (const narrowed of narrowings(this.table, rows, options)) {
      const found = await rowsLike(this, narrowed, text, s, options.exact === true)
      if (found.length > 0) return found
    }
    return []
  }

  /** Rows as a refusal shows them to choose from. */
  async candidates(from: Viewer, rows: readonly Row<T>[]): Promise<Record<string, unknown>[]> {
    const { title, key, names } = this.definition
    const ofProjects = (row: Row<T>) =>
      (row as { project_id?: string | null }).project_id ?? undefined
    const projects =
      this.table === 'projects'
        ? undefined
        : await resources.get('projects')?.among(
            from,
            rows.flatMap((row) => ofProjects(row) ?? []),
          )
    return rows.slice(0, maxCandidates).map((row) => {
      const known = key?.(row)
      const of = projects?.get(ofProjects(row) ?? '') as { key?: string } | undefined
      const details = Object.entries(names?.details?.(row) ?? {}).filter(
        ([, value]) => value !== null && value !== undefined,
      )
      return present({
        id: (row as { id: string }).id,
        key: known,
        title: title(row),
        ...(of?.key && { project: of.key }),
        ...Object.fromEntries(details),
      })
    })
  }

  /** What an argument takes in place of an id, for its description; undefined: ids only. */
  get takes(): string | undefined {
    const { takes, names } = this.definition
    if (takes !== undefined || !names) return takes
    return names.columns[0] === 'title' ? 'id or title' : 'id or name'
  }

  /** The call that lists such rows, where it can be made with what is known. */
  #listing(within: NameOptions<T>['within']): RefusalMore['next'] {
    const { list, names } = this.definition
    if (!list || list.by === 'query' || (list.by === 'container' && !within)) return undefined
    return {
      tool: list.tool,
      arguments: names?.within && within ? { [within.column]: within.id } : {},
    }
  }

  async #unknown(
    s: AccessScope,
    text: string,
    field: string,
    options: NameOptions<T>,
  ): Promise<Refusal> {
    const { list, names } = this.definition
    const instead = extensionOf(this, 'refusals')?.insteadOfUnknown(text)
    const refusal = notFound(this.name, field, instead)
    if (!names || isId(this.definition.prefix, text) || prefixOf(text)) return refusal
    if (options.outside && /^[^\s@]+@[^\s@]+$/.test(text.trim()))
      return new Refusal('not_found', refusal.message, { field, hint: options.outside })
    const candidates = await this.candidates(s, await this.alike(s, text, options))
    const listHint = list ? [`Find it with ${list.tool}.`] : []
    const hint = [
      ...(candidates.length > 0 ? ['Similar names are in `candidates`.'] : []),
      ...(instead === undefined ? listHint : [instead]),
    ].join(' ')
    const next = this.#listing(options.within)
    return new Refusal('not_found', refusal.message, {
      ...refusal.more,
      ...(hint && { hint }),
      ...(next && { next }),
      ...(candidates.length > 0 && { context: { candidates } }),
    })
  }

  /** Rows of these ids that the actor may see, by id; by former ids, too, where rows have moved. */
  async among(from: Viewer, ids: readonly string[]): Promise<Map<string, Row<T>>> {
    if (ids.length === 0) return new Map()
    const query = this.rows('see', from).where(sql.ref(`${this.table}.id`), 'in', [...new Set(ids)])
    const rows = (await query.selectAll(this.table).execute()) as unknown as Row<T>[]
    const found = new Map(rows.map((row) => [(row as { id: string }).id, row]))
    const former = extensionOf(this, 'formerIds')
    const missing = former ? [...new Set(ids)].filter((id) => !found.has(id)) : []
    if (!former || missing.length === 0) return found
    const moved = await former.currentIds(sightOf(from), missing)
    const kept = await this.among(from, [...moved.values()])
    for (const [former, id] of moved) if (kept.has(id)) found.set(former, kept.get(id)!)
    return found
  }

  /** What a reference to a row shows; the url is relative until the answer leaves. */
  ref(row: Row<T>, baseUrl: string): ItemRef {
    const { type, title, key } = this.definition
    const id = (row as { id: string }).id
    const known = key?.(row)
    return present({
      type,
      id,
      key: known,
      title: title(row),
      url: this.url(row, baseUrl),
    })
  }

  url(row: Row<T>, baseUrl: string): string {
    const path =
      this.definition.path?.(row) ?? `${this.definition.type}/${(row as { id: string }).id}`
    return `${baseUrl}/${path}`
  }

  /** The word for such an item in messages. */
  get name(): string {
    return this.definition.type.replaceAll('_', ' ')
  }

  async #ambiguous(
    s: AccessScope,
    text: string,
    rows: Row<T>[],
    field: string | undefined,
  ): Promise<Refusal> {
    const next = this.#listing(undefined)
    return new Refusal(
      'invalid_argument',
      `"${text.slice(0, 100)}" matches more than one ${this.name}.`,
      present({
        hint: 'Use an id.',
        field,
        ...(next && { next }),
        context: { candidates: await this.candidates(s, rows) },
      }),
    )
  }
}

/** Defines the resource of a table. Called once a table, in its module's access.ts. */
export function resource<T extends ItemTable>(
  table: T,
  definition: ResourceDefinition<T>,
  options: { trash?: boolean } = {},
): Resource<T> {
  const made = new Resource(table, definition, options.trash ?? false)
  if (resources.has(table)) throw new Error(`Table ${table} has two resources.`)
  if (byPrefix.has(definition.prefix))
    throw new Error(`Two resources have ids with ${definition.prefix}_.`)
  resources.set(table, made as unknown as Resource<ItemTable>)
  byPrefix.set(definition.prefix, made as unknown as Resource<ItemTable>)
  return made
}

export function resourceOf(table: string): Resource<ItemTable> {
  const found = resources.get(table)
  if (!found) throw new Error(`Table ${table} has no resource.`)
  return found
}

export function resourceByPrefix(prefix: string | undefined): Resource<ItemTable> | undefined {
  return prefix === undefined ? undefined : byPrefix.get(prefix)
}

/** Every resource that is an item by itself (parts of items left out), sorted by type. */
export function itemResources(): Resource<ItemTable>[] {
  return [...resources.values()]
    .filter((item) => !item.definition.partOf)
    .sort((a, b) => (a.definition.type < b.definition.type ? -1 : 1))
}

export function allResources(): Resource<ItemTable>[] {
  return [...resources.values()]
}
