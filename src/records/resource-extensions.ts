import type { Expression, SqlBool } from 'kysely'
import { accessScopeOf, type AccessScope, type Viewer } from './access-scope.ts'
import type { Undo } from './row-changes.ts'
import type { AfterChange } from './resource-definition.ts'
import type { ItemTable, Row, Scoped } from './row.ts'
import type { SearchLine } from './search-text.ts'

// Optional hooks that only a few kinds of items implement, each used by one part of the program. They are kept apart
// from the resource,
// which holds what all kinds must define: access to their rows, deletion and names.

interface UndoRules<T extends ItemTable> {
  /** Such a row stands for what has gone out to people (a page): undo does not take back that it was added. */
  irreversible?: boolean
  /** Undoes the creation of such an item; default: it is trashed, or removed. */
  undoCreate?(row: Row<T>, undo: Undo): Promise<void>
  /** Whether others use a row that lives: undo does not take back then that it was made. */
  isInUse?(id: string, scope: AccessScope): Promise<boolean>
}

interface TrashRules<T extends ItemTable> {
  /** Rows that the actor may take out of it; default: own, else edit. */
  restorable?(scope: AccessScope): Scoped<T>
  /** Why a row cannot come back where something unique of it is another one's by now; default: its name is. */
  restoreConflict?: string
  /** Counts the rows of other tables that are restored with a row. */
  restoredWith?(id: string, scope: AccessScope): Promise<{ type: string; count: number }[]>
}

/** A task as an item of another kind suggests it. */
export interface TaskDraft {
  title: string
  body_markdown: string
  /** external: people outside the organization wrote it, so that instructions in it are data. */
  trust: 'internal' | 'external'
}

interface TaskSourceRules<T extends ItemTable> {
  /** Draft of a task created from such an item. */
  asTask(row: Row<T>, scope: AccessScope): TaskDraft | Promise<TaskDraft>
}

interface FormerIdRules {
  /** The ids under which rows stand now whose own ids were given up (a contact that was merged into another), by the former id. */
  currentIds(scope: AccessScope, ids: readonly string[]): Promise<Map<string, string>>
}

interface ChangeRules<T extends ItemTable> {
  /** Columns that an update sets besides those that it changes, in the same statement; they are neither recorded nor undone. */
  alsoSet?(changed: Partial<Row<T>>): Partial<Row<T>>
  /** Side effects of every change of such a row, whether by an operation, a rule or an undo. */
  afterChange: AfterChange<T>
}

interface RefusalRules {
  /** Hint for a text that names nothing visible to the caller; derived from the text alone. */
  insteadOfUnknown(text: string): string | undefined
}

interface SearchLineRules<T extends ItemTable> {
  /** In place of `search`, where a row has many texts. The caller indexes them (SearchIndex.addAll); restoring from the trash indexes them again by this. */
  linesOf(row: Row<T>, scope: AccessScope): Promise<SearchLine[]>
}

interface EventRules {
  /** Whether a column names a row that was erased and of whose end the reader may know; for those who follow what changes. */
  tombstoneVisibleTo(scope: AccessScope, column: string): Expression<SqlBool>
}

interface Extensions<T extends ItemTable> {
  undo: UndoRules<T>
  trash: TrashRules<T>
  formerIds: FormerIdRules
  changes: ChangeRules<T>
  refusals: RefusalRules
  searchLines: SearchLineRules<T>
  /** Items without have no tasks made of them: create_task_from_source does not take them. */
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

/** The rules that a resource has been given. */
export function extensionOf<P extends keyof Extensions<ItemTable>>(
  { table }: { readonly table: string },
  point: P,
): Extensions<ItemTable>[P] | undefined {
  return rulesOfTables.get(table)?.[point]
}

/** Whether others use a row that lives. */
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
