import type { ReadContext } from './context.ts'
import type { ItemTable, Resource, Row } from '../records/resource.ts'

/** Shows rows of one kind as the lists of that kind do: the web app reads rows again that way when they change. */
export interface RowLister {
  /** The item type, such as `task`. */
  readonly type: string
  /** The rows that the reader may see now, in any order. */
  show(ctx: ReadContext, ids: readonly string[]): Promise<readonly ListedRow[]>
}

export interface ListedRow {
  readonly id: string
}

/** A lister of a resource whose lists show its rows by `show`. */
export function rowLister<T extends ItemTable>(
  resource: Resource<T>,
  show: (ctx: ReadContext, rows: Row<T>[]) => Promise<readonly ListedRow[]>,
): RowLister {
  return {
    type: resource.definition.type,
    show: async (ctx, ids) => show(ctx, [...(await resource.among(ctx, ids)).values()]),
  }
}

/** All rows of a kind that the reader may see, piece by piece: what a screen of very many rows begins with. */
export interface Snapshot {
  /** The item type, such as `task`. */
  readonly type: string
  /** The fields of a row, in the order in which `pieces` has them. */
  readonly columns: readonly string[]
  /** How many there are. @throws Refusal where the query names something that the reader does not see */
  open(ctx: ReadContext, query: SnapshotQuery): Promise<OpenSnapshot>
}

export interface SnapshotQuery {
  project_id?: string | undefined
  /** Only what is not done or cancelled. */
  open?: boolean | undefined
}

export interface OpenSnapshot {
  readonly count: number
  /** The next rows behind a position, with a context of that moment; `next` is undefined at the end. */
  piece(
    ctx: ReadContext,
    position: string | undefined,
  ): Promise<{ rows: readonly (readonly unknown[])[]; next: string | undefined }>
}
