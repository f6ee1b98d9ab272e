import { present } from '../kernel/present.ts'
import { sql, type Compilable, type Expression, type SqlBool } from 'kysely'
import { prepared } from './prepared.ts'
import { isId, prefixOf, type Id } from '../kernel/ids.ts'
import {
  isNamed,
  maxCandidates,
  narrowings,
  rowsByName,
  rowsLike,
  type NameOptions,
  type Names,
  type Narrowing,
} from './names.ts'
import { denied, notFound, Refusal, type RefusalMore } from '../kernel/refusal.ts'
import { accessScope, sightOf, withTrash, type Viewer, type AccessScope } from './access-scope.ts'
import {
  anyRows,
  type ItemTable,
  type Level,
  type Row,
  type Scoped,
  type TableName,
} from './row.ts'
import type { Tell, Undo } from './row-changes.ts'
import type { SearchLine, SearchText } from './search-text.ts'

export type { ItemTable, Level, Row, Scoped, TableName } from './row.ts'

/** Where changes of a row are told when it is not an item by itself: a comment is told as a change of its task. */
export interface PartOf<T extends TableName> {
  table: ItemTable
  /** The column that names the item. */
  by: keyof Row<T> & string
  /** The item's field that changes with such a row. */
  field: string | ((row: Row<T>) => string)
  /** What activity shows as the field's value. */
  value?: (row: Row<T>) => unknown
  /** Whether the item's revision counts up with it, or only its updated_at. */
  touch: 'revision' | 'time'
  /** What it takes of the item to undo a change of such a row; default: what the operation had demanded, else edit. */
  level?: Level
  /** Whose alone such a row is: its changes are told to that person and nobody else, and change nothing of the item (how far they have read). */
  personal?: (row: Row<T>) => string
  /** As `afterChange` of a resource, for the rows of a part table. */
  settle?: AfterChange<T>
}

/**
 * Runs in the transaction of a change, after it: keeps figures right that are made of such rows, and notes what has to be carried
 * elsewhere. It writes whole tables, unrecorded, for what follows from rows follows again when they are put back; by `tell`
 * those who follow the items that it changed hear of it.
 */
type AfterChange<T extends TableName> = (
  after: Row<T> | undefined,
  before: Row<T> | undefined,
  s: AccessScope,
  tell: Tell,
) => Promise<void>

/** A task as an item of another kind suggests it. */
export interface TaskDraft {
  title: string
  body_markdown: string
  /** external: people outside the organization wrote it, so that instructions in it are data. */
  trust: 'internal' | 'external'
}

/** What of a row is visible outside, to people who have not signed in. */
interface Outside<T extends ItemTable> {
  /** Whether they see the row at all, or see by it who may see another one. */
  isVisible: (row: Row<T>, s: AccessScope) => boolean | Promise<boolean>
  /** Columns that none of them sees. Any other one counts, so that a new column is guarded from the start. */
  unseen: readonly (keyof Row<T> & string)[]
}

/** What is held against the present state when a waiting call is released. */
interface ApprovalRule<T extends ItemTable> {
  /** Not its revision: nothing of the row goes outside with a call that names it (an account, a person). */
  ignore?: true
  /** The items that go outside along with it: files in a folder, pages below a page. */
  covers?: (row: Row<T>, s: AccessScope) => Promise<CoveredItem[]>
}

export interface CoveredItem {
  type: string
  id: string
  title: string
  revision: number
}

/** An operation that lists rows of a kind. */
interface ListCall {
  tool: string
  /**
   * What it requires: words to look for, or the item that such rows belong to. A refusal does not
   * repeat the words: all are alike.
   */
  by?: 'query' | 'container'
}

export interface ResourceDefinition<T extends ItemTable> {
  /** Name of such an item on the wire: `task`. */
  type: string
  /** First part of its ids: `tsk`. */
  prefix: string
  /** Rows that the actor may see, without regard to the trash (that filter is added). */
  see: (s: AccessScope) => Scoped<T>
  /** Rows that the actor may change; closed when unset. */
  edit?: (s: AccessScope) => Scoped<T>
  /** Rows that the actor may dispose of (settings, deletion); closed when unset. */
  own?: (s: AccessScope) => Scoped<T>
  /** Completes the refusal for a row that is seen but not in reach: "Only the lead of a project may …". */
  rule?: Partial<Record<'edit' | 'own', string>>
  /**
   * What an id argument takes in place of an id, looked up before names: a key, an email address,
   * `me`.
   */
  alias?: (query: Scoped<T>, text: string, s: AccessScope) => Scoped<T> | undefined
  /** What people call such a row; an argument that asks for its id takes that too. */
  names?: Names<T>
  /**
   * What an argument takes, for the schemas: `id, key or name`. Default: `id or name` where rows
   * have names, else nothing is said.
   */
  takes?: string
  /** The operation that lists such rows; named where an argument names none. */
  list?: ListCall
  /** What a reference shows. */
  title: (row: Row<T>) => string
  key?: (row: Row<T>) => string | undefined
  /** Path of its page in the web app, without the leading slash. */
  path?: (row: Row<T>) => string
  /** The project that it belongs to, for activity by project. */
  project?: (row: Row<T>) => string | null
  partOf?: PartOf<T>
  /** The column that names the row whose sight decides over this one's, where nothing else does: then `of` may be used. */
  inheritsVisibilityFrom?: keyof Row<T> & string
  /** Its text for search, or undefined where it has none now. */
  search?: (row: Row<T>, s: AccessScope) => Promise<SearchText | undefined>
  /** In place of `search`, where a row has many texts. Whoever adds the row puts them in (SearchIndex.addAll); they come back by this from the trash. */
  texts?: (row: Row<T>, s: AccessScope) => Promise<SearchLine[]>
  /** Why a row cannot come back from the trash where something unique of it is another one's by now; default: its name is. */
  restoreConflict?: string
  /** The ids under which rows stand now whose own ids were given up (a contact that was merged into another), by the former id. */
  redirects?: (s: AccessScope, ids: readonly string[]) => Promise<Map<string, string>>
  /** Whether a column names a row that was erased and of whose end the reader may know; for those who follow what changes. */
  tombstoneVisibleTo?: (s: AccessScope, column: string) => Expression<SqlBool>
  /** What is removed of it is gone for good: it leaves no image behind, and undo puts none of it back. */
  hardDelete?: boolean
  /**
   * Whether a row came to send something outside, or more of it, by a change. With a key that may not without a person, whatever
   * changes it so has to wait, also where the operation does not say that it sends something: undoing, restoring.
   */
  isOutbound?: (
    row: Row<T>,
    before: Row<T> | undefined,
    s: AccessScope,
  ) => boolean | Promise<boolean>
  /**
   * What people outside see of such a row without signing in. A call that may not send by itself never changes any of it: adding,
   * changing or removing what they see waits for a person, whichever operation does it.
   */
  outside?: Outside<T>
  /** What an approval keeps of such a row that a waiting call names; default: its revision. */
  approval?: ApprovalRule<T>
  /** Such a row stands for what has gone out to people (a page): undo does not take back that it was added. */
  irreversible?: boolean
  /** How undo takes back that such an item was made; default: it is trashed, or removed. */
  undoCreate?: (row: Row<T>, undo: Undo) => Promise<void>
  /** What to do instead where a text names nothing that the caller may see; decided by the text alone. */
  absent?: (text: string) => string | undefined
  /** Whether others use a row that lives: undo does not take back then that it was made. */
  inUse?: (id: string, s: AccessScope) => Promise<boolean>
  /** What comes back with a row from the trash, besides rows of its own table. */
  restoredWith?: (id: string, s: AccessScope) => Promise<{ type: string; count: number }[]>
  /** Rows that the actor may take out of the trash; default: own, else edit. */
  restore?: (s: AccessScope) => Scoped<T>
  /** What a task made from such an item starts with; unset where create_task_from_source does not take it. */
  asTask?: (row: Row<T>, s: AccessScope) => TaskDraft | Promise<TaskDraft>
  /** What a change of such a row has to leave behind, whoever makes it and however: an operation, a rule, undoing. */
  afterChange?: AfterChange<T>
  /** Columns that activity leaves out (caches, positions) or that hold bodies (shown as lengths). */
  unaudited?: readonly (keyof Row<T> & string)[]
}

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
    const { restore } = this.definition
    const rows = restore ? restore(s) : this.rows(this.definition.own ? 'own' : 'edit', s)
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
    const place = placeIn(text, s.baseUrl)
    if (!place) return undefined
    for (const part of [place.anchor, ...place.parts.slice(-4).toReversed()]) {
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
    if (!this.definition.redirects || !isId(this.definition.prefix, text)) return undefined
    const id = (await this.definition.redirects(s, [text])).get(text)
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
    const { absent, list, names } = this.definition
    const instead = absent?.(text)
    const refusal = notFound(this.name, field, instead)
    if (!names || isId(this.definition.prefix, text) || prefixOf(text)) return refusal
    if (options.outside && /^[^\s@]+@[^\s@]+$/.test(text.trim()))
      return new Refusal('not_found', refusal.message, { field, hint: options.outside })
    const candidates = await this.candidates(s, await this.alike(s, text, options))
    const hint = [
      ...(candidates.length > 0 ? ['Similar names are in `candidates`.'] : []),
      ...(instead !== undefined ? [instead] : list ? [`Find it with ${list.tool}.`] : []),
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
    const missing = this.definition.redirects
      ? [...new Set(ids)].filter((id) => !found.has(id))
      : []
    if (missing.length === 0) return found
    const moved = await this.definition.redirects!(sightOf(from), missing)
    const kept = await this.among(from, [...moved.values()])
    for (const [former, id] of moved) if (kept.has(id)) found.set(former, kept.get(id)!)
    return found
  }

  /** What a task made from a row that was seen starts with; undefined where such items become no tasks. */
  async asTask(from: Viewer, row: Row<T>): Promise<TaskDraft | undefined> {
    return this.definition.asTask?.(row, sightOf(from))
  }

  /** Whether others use a row that lives. */
  async isInUse(from: Viewer, id: string): Promise<boolean> {
    return (await this.definition.inUse?.(id, sightOf(from))) ?? false
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

/** Whether an argument is an address. */
function isAddress(text: string): boolean {
  return /^(https?|workspace):\/\//i.test(text)
}

interface AppAddress {
  parts: string[]
  anchor: string
  /** Whether it is the address of what has this path, or of something below it. */
  leadsTo: (path: string) => boolean
}

/** The parts of an address of this instance; undefined where it is one of another. */
function placeIn(text: string, baseUrl: string | undefined): AppAddress | undefined {
  const url = URL.parse(text)
  const base = baseUrl ? URL.parse(baseUrl) : null
  if (!url) return undefined
  const isDocument = url.protocol === 'workspace:'
  if (!isDocument && url.origin !== base?.origin) return undefined
  const below = isDocument ? '' : base!.pathname.replace(/\/$/, '')
  if (!url.pathname.startsWith(`${below}/`) && !isDocument) return undefined
  const path = isDocument ? `/${url.host}${url.pathname}` : url.pathname.slice(below.length)
  const parts = path.split('/').slice(1).map(decoded)
  const leadsTo = (own: string) => {
    const [ownPath] = own.split('#') as [string]
    if (isDocument) return ownPath.split('/')[1] === parts[0]
    return path === ownPath || path.startsWith(`${ownPath}/`)
  }
  return { parts, anchor: decoded(url.hash.slice(1)), leadsTo }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
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

/** Tables without ids of their own whose rows belong to an item: members, assignees, links. */
export interface PartDefinition<T extends TableName> extends PartOf<T> {
  /** The columns that make a row unique. */
  unique: readonly (keyof Row<T> & string)[]
}

export class Part<T extends TableName> {
  readonly table: T
  readonly definition: PartDefinition<T>

  constructor(table: T, definition: PartDefinition<T>) {
    this.table = table
    this.definition = definition
  }

  /** The rows that belong to these items. The ids come from rows that were seen: text from outside does not compile. */
  of<I extends ItemTable>(
    from: Viewer,
    ids: readonly Id<I>[],
    by: string = this.definition.by,
  ): Scoped<T> {
    const query = sightOf(from).all.selectFrom(this.table as TableName) as unknown as Scoped<T>
    return query.where(sql.ref(`${this.table}.${by}`), 'in', ids)
  }
}

const parts = new Map<string, Part<TableName>>()

/** Defines a part table. Called once a table, in its module's access.ts. */
export function part<T extends TableName>(table: T, definition: PartDefinition<T>): Part<T> {
  const made = new Part(table, definition)
  parts.set(table, made as unknown as Part<TableName>)
  return made
}

export function resourceOf(table: string): Resource<ItemTable> {
  const found = resources.get(table)
  if (!found) throw new Error(`Table ${table} has no resource.`)
  return found
}

export function findPart(table: string): Part<TableName> | undefined {
  return parts.get(table)
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
