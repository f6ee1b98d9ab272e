import type { Input, OperationName, Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { randomId } from '../stream/tabs.ts'
import type { RowChange } from '../types.ts'
import { notify } from './notices.ts'
import { undoLast } from './undo.ts'
import { write } from './write.ts'

/** One of several writes that are made and undone together; created by `groupedWrite`. */
interface GroupedWrite {
  operation: OperationName
  input: Input<OperationName>
  rows: readonly RowChange[]
}

export function groupedWrite<N extends OperationName>(
  operation: N,
  input: Input<N>,
  rows: readonly RowChange[],
): GroupedWrite {
  return { operation, input, rows }
}

/**
 * Makes several writes that people see as one change: one notification, and one `z` undoes all. Each can be refused
 * individually; returns the answers of the others.
 */
export async function writeGroup(
  text: string,
  writes: readonly GroupedWrite[],
): Promise<Output<OperationName>[]> {
  const group = randomId()
  const results = await Promise.all(
    writes.map(({ operation, input, rows }) =>
      write(operation, input, { rows, text, noticeSeconds: 0, group }),
    ),
  )
  const completed = results.filter((result) => result.state === 'done')
  const callId = completed.findLast((result) => result.callId !== undefined)?.callId
  if (callId !== undefined)
    notify({
      text,
      seconds: 20,
      actions: [{ label: t.app.sync.undo, run: () => void undoLast(callId) }],
    })
  return completed.flatMap(({ value }) => (value === undefined ? [] : [value]))
}
