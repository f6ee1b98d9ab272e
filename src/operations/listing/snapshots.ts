import type { ReadContext } from '../context.ts'

/** All visible rows of a kind, in batches: the initial data of a page with very many rows. */
export interface Snapshot {
  /** The item type, such as `task`. */
  readonly type: string
  /** The fields of a row, in the order used by `pieces`. */
  readonly columns: readonly string[]
  /** Opens a snapshot and counts its rows. @throws Refusal if the query names something that the reader does not see */
  open(ctx: ReadContext, query: SnapshotQuery): Promise<OpenSnapshot>
}

export interface SnapshotQuery {
  project_id?: string | undefined
  /** Only items that are not done or cancelled. */
  open?: boolean | undefined
}

export interface OpenSnapshot {
  readonly count: number
  /** The next rows after a position, with a current context; `next` is undefined at the end. */
  piece(
    ctx: ReadContext,
    position: string | undefined,
  ): Promise<{ rows: readonly (readonly unknown[])[]; next: string | undefined }>
}
