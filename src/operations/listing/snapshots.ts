import type { ReadContext } from '../context.ts'

/** All rows of a kind that the reader may see, piece by piece: what a screen of very many rows begins with. */
export interface Snapshot {
  /** The item type, such as `task`. */
  readonly type: string
  /** The fields of a row, in the order in which `pieces` has them. */
  readonly columns: readonly string[]
  /** Opens a snapshot and counts its rows. @throws Refusal if the query names something that the reader does not see */
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
