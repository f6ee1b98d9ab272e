import type { AccessScope } from './access-scope.ts'
import type { Names } from './lookup/names.ts'
import type { Tell } from './row-changes.ts'
import type { ItemTable, Level, Row, Scoped, TableName } from './row.ts'
import type { SearchText } from './search-text.ts'

/** Where changes of a row are reported when it is not an item by itself: a comment is a change of its task. */
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
  /** The only person who sees changes of such a row, which change nothing of the item (how far they have read). */
  personal?: (row: Row<T>) => string
  /** As `afterChange` of an item, for the rows of a part table. */
  settle?: AfterChange<T>
}

/**
 * Runs in the transaction of a change, after it: keeps figures right that are made of such rows, and notes what has to be carried
 * elsewhere. It writes whole tables, unrecorded, for what follows from rows follows again when they are put back; by `tell`
 * those who follow the items that it changed hear of it.
 */
export type AfterChange<T extends TableName> = (
  after: Row<T> | undefined,
  before: Row<T> | undefined,
  s: AccessScope,
  tell: Tell,
) => Promise<void>

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
  /**
   * What `alias` gets in place of a text; undefined: the text is no alias. A definition that has this
   * promises that its alias builds the same query for every value, which is then compiled once.
   */
  aliasValue?: (text: string) => string | undefined
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
  /** Whether people outside wrote its text; references then carry `trust: 'external'`. */
  isExternal?: (row: Row<T>) => boolean
  key?: (row: Row<T>) => string | undefined
  /** Path of its page in the web app, without the leading slash. */
  path?: (row: Row<T>) => string
  /** The project that it belongs to, for activity by project. */
  project?: (row: Row<T>) => string | null
  partOf?: PartOf<T>
  /** The column that names the row whose visibility alone decides about this one: then `of` may be used. */
  inheritsVisibilityFrom?: keyof Row<T> & string
  /** Its text for search, or undefined where it has none now. */
  search?: (row: Row<T>, s: AccessScope) => Promise<SearchText | undefined>
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
  /** Columns that activity leaves out (caches, positions) or that hold bodies (shown as lengths). */
  unaudited?: readonly (keyof Row<T> & string)[]
}
