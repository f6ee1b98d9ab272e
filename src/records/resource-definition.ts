import type { AccessScope } from './access-scope.ts'
import type { Names } from './lookup/names.ts'
import type { Tell } from './row-changes.ts'
import type { ItemTable, Level, Row, Scoped, TableName } from './row.ts'
import type { SearchText } from './search-text.ts'

/**
 * Parent item to which changes of a row are attributed if the row is not an item itself: a comment is a change of its
 * task.
 */
export interface PartOf<T extends TableName> {
  table: ItemTable
  /** The column that refers to the item. */
  by: keyof Row<T> & string
  /** The item's field that changes with such a row. */
  field: string | ((row: Row<T>) => string)
  /** Value of the field as activity shows it. */
  value?: (row: Row<T>) => unknown
  /** Whether the item's revision increases with it, or only its updated_at changes. */
  touch: 'revision' | 'time'
  /**
   * Access to the item that undoing a change of such a row requires; default: the level the operation required, else
   * edit.
   */
  level?: Level
  /** The only person who sees changes of such a row, which do not change the item itself (their read position). */
  personal?: (row: Row<T>) => string
  /** Counterpart of `afterChange` for the rows of a part table. */
  settle?: AfterChange<T>
}

/**
 * Runs after a change, in its transaction: updates derived figures, and records data to be copied elsewhere. It
 * writes whole tables, unrecorded, because derived data is computed again when the rows are restored. With `tell` it
 * notifies subscribers of the items that it changed.
 */
export type AfterChange<T extends TableName> = (
  after: Row<T> | undefined,
  before: Row<T> | undefined,
  scope: AccessScope,
  tell: Tell,
) => Promise<void>

/** Visibility of a row to people who have not signed in. */
interface Outside<T extends ItemTable> {
  /** Whether outsiders see the row, or it determines who sees another one. */
  isVisible: (row: Row<T>, scope: AccessScope) => boolean | Promise<boolean>
  /** Columns that outsiders never see. All others count, so that a new column is protected by default. */
  unseen: readonly (keyof Row<T> & string)[]
}

/** State that is compared with the current one when a waiting call is released. */
interface ApprovalRule<T extends ItemTable> {
  /** Excludes its revision: nothing of the row is sent outside with a call that names it (an account, a person). */
  ignore?: true
  /** The items that are shared along with it: files in a folder, pages below a page. */
  covers?: (row: Row<T>, scope: AccessScope) => Promise<CoveredItem[]>
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
   * Input that it requires: search words, or the item that such rows belong to. A refusal does not
   * repeat the words: all are alike.
   */
  by?: 'query' | 'container'
}

export interface ResourceDefinition<T extends ItemTable> {
  /** Name of such an item in requests: `task`. */
  type: string
  /** Id prefix: `tsk`. */
  prefix: string
  /** Rows that the actor can see, ignoring the trash (that filter is added). */
  see: (scope: AccessScope) => Scoped<T>
  /** Rows that the actor may edit; none by default. */
  edit?: (scope: AccessScope) => Scoped<T>
  /** Rows that the actor may administer (settings, deletion); none by default. */
  own?: (scope: AccessScope) => Scoped<T>
  /** Explains the refusal for a row that is visible but not permitted: "Only the lead of a project may …". */
  rule?: Partial<Record<'edit' | 'own', string>>
  /**
   * Alternative to an id in arguments, tried before names: a key, an email address,
   * `me`.
   */
  alias?: (query: Scoped<T>, text: string, scope: AccessScope) => Scoped<T> | undefined
  /**
   * Parses the value passed to `alias` in place of the text; undefined: the text is no alias. A definition with this
   * guarantees that its alias builds the same query for every value; the query is then compiled once.
   */
  aliasValue?: (text: string) => string | undefined
  /** Names of such a row, accepted by arguments that take its id. */
  names?: Names<T>
  /**
   * Description of the accepted values, for the schemas: `id, key or name`. Default: `id or name` if rows
   * have names, else none.
   */
  takes?: string
  /** The operation that lists such rows, mentioned if an argument matches none. */
  list?: ListCall
  /** Title shown by references. */
  title: (row: Row<T>) => string
  /** True if outsiders wrote its text; references then have `trust: 'external'`. */
  isExternal?: (row: Row<T>) => boolean
  /**
   * Columns with text, if the table has a nullable column `trust`: it becomes `external` when a call that was triggered
   * from outside creates such a row or changes one of these columns.
   */
  externalText?: readonly (keyof Row<T> & string)[]
  key?: (row: Row<T>) => string | undefined
  /** Path of its page in the web app, without the leading slash. */
  path?: (row: Row<T>) => string
  /** The project that it belongs to, for activity by project. */
  project?: (row: Row<T>) => string | null
  partOf?: PartOf<T>
  /** The column of the row that alone determines the visibility of this one: then `of` may be used. */
  inheritsVisibilityFrom?: keyof Row<T> & string
  /** Its search text; undefined if it currently has none. */
  search?: (row: Row<T>, scope: AccessScope) => Promise<SearchText | undefined>
  /** Removal is permanent: it stores no image, and undo restores nothing. */
  hardDelete?: boolean
  /**
   * True if a change makes a row send something outside, or more than before. If the key requires approval for that,
   * every such change must wait, even in operations that do not declare that they send: undo, restore.
   */
  isOutbound?: (
    row: Row<T>,
    before: Row<T> | undefined,
    scope: AccessScope,
  ) => boolean | Promise<boolean>
  /**
   * Visibility of such a row outside, without signing in. A call that may not send by itself never changes any of it:
   * adding,
   * changing or removing visible parts waits for a person, whichever operation does it.
   */
  outside?: Outside<T>
  /** State of a row named by a waiting call that an approval stores; default: its revision. */
  approval?: ApprovalRule<T>
  /** Columns that activity leaves out (caches, positions) or that hold bodies (shown as lengths). */
  unaudited?: readonly (keyof Row<T> & string)[]
}
