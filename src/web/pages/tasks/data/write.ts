import type { Input, OperationName, Output } from '../../../api/client.ts'
import { write, type RowChange, type WriteOptions } from '../../../store/index.ts'
import type { TaskPatch } from './rows.ts'

interface TaskWrite<N extends OperationName> {
  operation: N
  input: Input<N>
  /** Tasks as they look after the change. */
  rows: ReadonlyMap<string, TaskPatch>
  /** Description of the change. */
  text: string
  /** Handler of refusals, and the duration of the notification. */
  writeOptions?: Pick<WriteOptions, 'handles' | 'noticeSeconds'>
}

/** Changes tasks: shown immediately, then sent to the server. Returns the answer, or undefined if it was refused. */
export async function writeTasks<N extends OperationName>({
  operation,
  input,
  rows,
  text,
  writeOptions,
}: TaskWrite<N>): Promise<Output<N> | undefined> {
  const result = await write(operation, input, {
    rows: rowChanges(rows),
    text,
    ...writeOptions,
  })
  return result.state === 'done' ? result.value : undefined
}

/** Optimistic task changes for the store. */
export const rowChanges = (rows: ReadonlyMap<string, TaskPatch>): RowChange[] =>
  [...rows].map(([id, set]) => ({ type: 'task', id, set }))
