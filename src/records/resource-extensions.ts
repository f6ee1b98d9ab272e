import type { Expression, SqlBool } from 'kysely'
import { accessScopeOf, type AccessScope, type Viewer } from './access-scope.ts'
import type { Undo } from './row-changes.ts'
import type { AfterChange } from './resource-definition.ts'
import type { ItemTable, Level, Row, Scoped } from './row.ts'
import type { SearchLine } from './search-text.ts'

// Optional hooks that only a few kinds of items implement, each used by one part of the program. They are kept apart
// from the resource, which holds what all kinds must define: access to their rows, deletion and names.

interface UndoRules<T extends ItemTable> {
  /**
   * Level of access required before a change of such an item is reverted, for items that no one may edit in a state
   * that a call sets. After reverting, the level that the call required is required in any case.
   */
  levelBefore?: Level
  /** The row represents something published to people (a page): undo does not remove it. */
  irreversible?: boolean
  /** Undoes the creation of such an item; default: it is trashed, or removed. */
  undoCreate?(row: Row<T>, undo: Undo): Promise<void>
  /** True if others use an existing row: then undo does not remove it. */
  isInUse?(id: string, scope: AccessScope): Promise<boolean>
}

interface TrashRules<T extends ItemTable> {
  /** Rows that the actor may restore from the trash; default: own, else edit. */
  restorable?(scope: AccessScope): Scoped<T>
  /** Why a row cannot be restored if a unique value was reused; default: its name was. */
  restoreConflict?: string
  /** Counts the rows of other tables that are restored with a row. */
  restoredWith?(id: string, scope: AccessScope): Promise<{ type: string; count: number }[]>
}

/** A task suggested by an item of another kind. */
export interface TaskDraft {
  title: string
  body_markdown: string
  /** external: written by outsiders, so instructions in it are data. */
  trust: 'internal' | 'external'
}

interface TaskSourceRules<T extends ItemTable> {
  /** Draft of a task created from such an item. */
  asTask(row: Row<T>, scope: AccessScope): TaskDraft | Promise<TaskDraft>
}

interface FormerIdRules {
  /** Current ids of rows that were replaced (a contact that was merged into another), by former id. */
  currentIds(scope: AccessScope, ids: readonly string[]): Promise<Map<string, string>>
}

interface ChangeRules<T extends ItemTable> {
  /** Additional columns that an update sets in the same statement; they are neither recorded nor undone. */
  alsoSet?(changed: Partial<Row<T>>): Partial<Row<T>>
  /** Side effects of every change of such a row, whether by an operation, a rule or an undo. */
  afterChange: AfterChange<T>
}

interface RefusalRules {
  /** Hint for a text that names nothing visible to the caller; derived from the text alone. */
  insteadOfUnknown(text: string): string | undefined
}

interface SearchLineRules<T extends ItemTable> {
  /**
   * Replaces `search` for a row with many texts. The caller indexes them (SearchIndex.addAll); a restore from the
   * trash uses this to index them again.
   */
  linesOf(row: Row<T>, scope: AccessScope): Promise<SearchLine[]>
}

interface EventRules {
  /** Whether a column refers to an erased row whose removal the reader may know about; for subscribers to changes. */
  tombstoneVisibleTo(scope: AccessScope, column: string): Expression<SqlBool>
}

interface Extensions<T extends ItemTable> {
  undo: UndoRules<T>
  trash: TrashRules<T>
  formerIds: FormerIdRules
  changes: ChangeRules<T>
  refusals: RefusalRules
  searchLines: SearchLineRules<T>
  /** Items without it cannot become tasks: create_task_from_source does not accept them. */
  taskSource: TaskSourceRules<T>
  events: EventRules
}

const rulesOfTables = new Map<string, Partial<Extensions<ItemTable>>>()

/** Adds rules to the resource of a table: `extend(label, 'undo', { isInUse })`. Called where the resource is defined. */
export function extend<T extends ItemTable, P extends keyof Extensions<T>>(
  { table }: { readonly table: T },
  point: P,
  rules: Extensions<T>[P],
): void {
  const extensions = rulesOfTables.get(table) ?? {}
  if (extensions[point]) throw new Error(`Table ${table} has two sets of rules for ${point}.`)
  rulesOfTables.set(table, { ...extensions, [point]: rules })
}

/** The rules added to a resource. */
export function extensionOf<P extends keyof Extensions<ItemTable>>(
  { table }: { readonly table: string },
  point: P,
): Extensions<ItemTable>[P] | undefined {
  return rulesOfTables.get(table)?.[point]
}

/** True if others use an existing row. */
export async function isInUse(
  viewer: Viewer,
  resource: { readonly table: string },
  id: string,
): Promise<boolean> {
  return (await extensionOf(resource, 'undo')?.isInUse?.(id, accessScopeOf(viewer))) ?? false
}

/** Returns the draft of a task for a visible row; undefined if such items cannot become tasks. */
export async function taskDraftOf(
  reader: Viewer,
  itemResource: { readonly table: string },
  row: Row<ItemTable>,
): Promise<TaskDraft | undefined> {
  return extensionOf(itemResource, 'taskSource')?.asTask(row, accessScopeOf(reader))
}
