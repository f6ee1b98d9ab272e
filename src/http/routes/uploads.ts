import { Refusal } from '../../kernel/refusal.ts'
import type { Incoming } from '../transport/request-info.ts'

/** Milliseconds without data after which an upload has ended. */
const idleTimeoutMs = 30_000

/**
 * The bytes of a body as they arrive, with backpressure. The connection stays open for an answer.
 * @throws Refusal invalid_argument if it ends early or stalls
 */
export async function* uploadChunks(incoming: Incoming): AsyncGenerator<Uint8Array> {
  if (!incoming.hasBody) return
  const { node } = incoming
  const pieces = (
    node
      ? node.iterator({ destroyOnReturn: false })
      : incoming.request.body![Symbol.asyncIterator]()
  ) as AsyncIterator<Uint8Array>
  try {
    for (
      let next = await withIdleTimeout(pieces.next());
      !next.done;
      next = await withIdleTimeout(pieces.next())
    )
      yield next.value
  } finally {
    void pieces.return?.()
  }
}

async function withIdleTimeout<T>(next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(incompleteUpload('No data received for half a minute.')),
      idleTimeoutMs,
    )
  })
  try {
    return await Promise.race([
      next.catch(() => Promise.reject(incompleteUpload('The file ended before it was complete.'))),
      timeout,
    ])
  } finally {
    clearTimeout(timer)
  }
}

const incompleteUpload = (why: string) =>
  new Refusal('invalid_argument', why, 'Send it again from the beginning.')
