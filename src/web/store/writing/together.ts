import type { Input, OperationName, Output } from '../../api/client.ts'
import { t } from '../../texts/index.ts'
import { randomId } from '../stream/tabs.ts'
import type { RowChange } from '../types.ts'
import { notify } from './notices.ts'
import { undoLast } from './undo.ts'
import { write } from './write.ts'

/** One of several writes that are made and undone together; created by `writing`. */
interface Writing {
  operation: OperationName
  input: Input<OperationName>
  rows: readonly RowChange[]
}

export function writing<N extends OperationName>(
  operation: N,
  input: Input<N>,
  rows: readonly RowChange[],
): Writing {
  return { operation, input, rows }
}

/**
 * Makes several writes that are one change for people: one notification, and one `z` undoes them. Each can be refused
 * individually; returns the answers of the others.
 */
export async function writeTogether(
  text: string,
  writes: readonly Writing[],
): Promise<Output<OperationName>[]> {
  const group = randomId()
  const results = await Promise.all(
    writes.map(({ operation, input, rows }) =>
      write(operation, input, { rows, text, noticeSeconds: 0, group }),
    ),
  )
  const done = results.filter((result) => result.state === 'done')
  const callId = done.findLast((result) => result.callId !== undefined)?.callId
  if (callId !== undefined)
    notify({
      text,
      seconds: 20,
      actions: [{ label: t.app.sync.undo, run: () => void undoLast(callId) }],
    })
  return done.flatMap(({ value }) => (value === undefined ? [] : [value]))
}
