import type { Input, OperationName, Output } from '../../../api/client.ts'
import { write, type RowChange } from '../../../store/index.ts'
import type { TaskPatch } from './rows.ts'

interface Deed<N extends OperationName> {
  operation: N
  input: Input<N>
  /** What the tasks look like once it is done. */
  rows: ReadonlyMap<string, TaskPatch>
  /** What was done, in words. */
  text: string
}

/** Changes tasks: at once on the screen, then on the server. Returns the answer, or undefined where it was refused. */
export async function writeTasks<N extends OperationName>({
  operation,
  input,
  rows,
  text,
}: Deed<N>): Promise<Output<N> | undefined> {
  const changes = [...rows].map(([id, set]): RowChange => ({ type: 'task', id, set }))
  const written = await write(operation, input, { rows: changes, text })
  return written.state === 'done' ? written.value : undefined
}
