import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { describeError } from '../../../db/failures.ts'
import type { App } from '../../../operations/app.ts'
import { answerJson, acceptsGzip, type HeaderList } from '../../transport/answers.ts'
import type { Incoming } from '../../transport/request-info.ts'

const headers: HeaderList = [
  ['content-type', 'application/x-ndjson'],
  ['vary', 'accept-encoding'],
]

/** Sends lines of JSON as they are produced. `what`: their subject, for the log if the answer is cut off. */
export function answerLines(
  { log }: Pick<App, 'log'>,
  incoming: Incoming,
  what: string,
  lines: AsyncIterable<string>,
): Response {
  const text = Readable.from(lines, { objectMode: false })
  text.on('error', (error) =>
    log.info('an answer was cut off', { what, error: describeError(error) }),
  )
  if (!acceptsGzip(incoming.header('accept-encoding')))
    return answerJson(incoming, 200, webStreamOf(text), headers)
  const compressed = createGzip({ level: 5 })
  text.on('error', (error) => compressed.destroy(error))
  compressed.on('close', () => text.destroy())
  return answerJson(incoming, 200, webStreamOf(text.pipe(compressed)), [
    ...headers,
    ['content-encoding', 'gzip'],
  ])
}

function webStreamOf(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}
