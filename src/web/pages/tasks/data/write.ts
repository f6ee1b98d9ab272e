import type { Input, OperationName, Output } from '../../../api/client.ts'
import { write, type RowChange, type WriteOptions } from '../../../store/index.ts'
import type { TaskPatch } from './rows.ts'

interface Deed<N extends OperationName> {
  operation: N
  input: Input<N>
  /** Tasks as they look after the change. */
  rows: ReadonlyMap<string, TaskPatch>
  /** Description of the change. */
  text: string
  /** Refusals handled elsewhere, and the notification of success. */
  more?: Pick<WriteOptions, 'handles' | 'noticeSeconds'>
}

/** Changes tasks: shown immediately, then sent to the server. Returns the answer, or undefined if it was refused. */
export async function writeTasks<N extends OperationName>({
  operation,
  input,
  rows,
  text,
  more,
}: Deed<N>): Promise<Output<N> | undefined> {
  const written = await write(operation, input, {
    rows: rowChanges(rows),
    text,
    ...more,
  })
  return written.state === 'done' ? written.value : undefined
}

/** Optimistic task changes for the store. */
export const rowChanges = (rows: ReadonlyMap<string, TaskPatch>): RowChange[] =>
  [...rows].map(([id, set]) => ({ type: 'task', id, set }))
