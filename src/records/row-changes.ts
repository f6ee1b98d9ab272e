import type { Id } from '../kernel/ids.ts'
import type { JobOptions } from '../kernel/job-options.ts'
import type { ItemTable, Row, TableName } from './row.ts'
import type { Viewer } from './access-scope.ts'

/** Columns that add() sets. */
type Stamped =
  | 'id'
  | 'org_id'
  | 'revision'
  | 'created_at'
  | 'updated_at'
  | 'created_by'
  | 'created_via'
  | 'added_at'
  | 'deleted_at'
  | 'deleted_by'
  | 'deleted_with'

type Optional<R> = { [K in keyof R as null extends R[K] ? K : never]?: R[K] }
type Required_<R> = { [K in keyof R as null extends R[K] ? never : K]: R[K] }

/** The columns that a new row needs; nullable ones are optional. */
export type NewRow<T extends TableName> = Required_<Omit<Row<T>, Stamped>> &
  Optional<Omit<Row<T>, Stamped>>

/** Reports events and access changes of items affected by a change of other rows. */
export interface Tell {
  /**
   * Adds an event of this call on an item, such as `task.completed`; `<type>.created`, `.updated` and `.deleted` are
   * added automatically. With a person: visible only to them.
   */
  event<T extends ItemTable>(name: string, table: T, row: Row<T>, personId?: string): void
  /** Records that a person gained or lost access to an item. */
  access<T extends ItemTable>(
    op: 'access_gained' | 'access_lost',
    table: T,
    row: Row<T>,
    personId: string,
  ): void
}

/** Writes rows: each change is recorded for activity, undo and search. */
export interface RowChanges extends Tell {
  /** Inserts a row with the common columns; recorded for activity, undo and search. */
  add<T extends TableName>(table: T, values: NewRow<T>): Promise<Row<T>>
  /** Changes columns of a row; an empty patch writes nothing. Returns the current row. */
  change<T extends ItemTable>(table: T, row: Row<T>, patch: Partial<Row<T>>): Promise<Row<T>>
  /** Changes a row of a part table (members, assignees), found by its unique columns. */
  changePart<T extends TableName>(table: T, row: Row<T>, patch: Partial<Row<T>>): Promise<Row<T>>
  /** Deletes a row permanently: parts of items, comments, and kinds without a trash. */
  remove<T extends TableName>(table: T, row: Row<T>): Promise<void>
  /** Moves an item to the trash, with the dependent rows of its own table. */
  trash<T extends ItemTable>(table: T, row: Row<T>, along?: Row<T>[]): Promise<void>
  /** Restores an item from the trash, with the rows deleted along with it. */
  restore<T extends ItemTable>(table: T, row: Row<T>): Promise<Row<T>>
  /** Restores a removed row as it was; for undo. */
  putBack<T extends TableName>(table: T, row: Row<T>): Promise<Row<T>>
  /** Runs work atomically: if it throws, its changes are rolled back and the call continues. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** Context for undoing the creation of an item. */
export interface Undo extends Viewer, RowChanges {
  readonly now: number
  /** Queues a job, as in a call. */
  job(kind: string, args: Record<string, unknown>, options?: JobOptions): Promise<Id<'jobs'>>
}
