import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import type { Actor } from '../../../kernel/actor.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { App } from '../../../operations/app.ts'
import { readAsUser, readOn } from '../../../operations/call/index.ts'
import type { CallRequest } from '../../../operations/call/request.ts'
import { cursorNow, feedOf } from '../../../operations/event-feed.ts'
import type { OpenSnapshot, Snapshot } from '../../../operations/listing/snapshots.ts'
import { describe } from '../../../db/failures.ts'
import { answerJson, takesGzip, type HeaderList } from '../../transport/answers.ts'
import { parseInput } from './input.ts'
import type { ScreenRequest } from './screen-page.ts'

const maxRows = 50_000

const input = {
  type: z.string().min(1).max(40),
  project_id: z.string().min(1).max(200).optional(),
  open: z.stringbool().optional(),
}

interface Opened {
  since_cursor: string
  columns: readonly string[]
  snapshot: OpenSnapshot
}

/**
 * GET /web/snapshot: all rows of a type as lines of JSON. The first line has `since_cursor`, `columns` and `count`, each
 * further one is a row, and the last one, `{"end": <rows>}`, says that nothing was cut off. Rows that change meanwhile may be
 * told as they were before or after; the events behind `since_cursor` tell of them.
 */
export const snapshotRequest: ScreenRequest<typeof input> = {
  method: 'GET',
  path: '/web/snapshot',
  tool: 'read_snapshot',
  input,
  sent: async ({ url }) => Object.fromEntries(url.searchParams),
  parse: (sent) => parseInput(input, sent),
  async answer({ services: { app }, actor, incoming, request, input: { type, ...query } }) {
    const { columns, open } = snapshotOf(app, type)
    const args = { type, ...query }
    const opened = await readAsUser(app, actor, { ...request, args }, async (ctx) => ({
      since_cursor: await cursorNow(feedOf(app.catalogue), ctx),
      columns: [...columns, 'last_change'],
      snapshot: await open(ctx, query),
    }))
    const { count } = opened.snapshot
    if (count > maxRows)
      throw new Refusal(
        'too_large',
        `These are ${count} rows; a snapshot has at most ${maxRows}.`,
        {
          hint: 'Name a project, or ask for what is open only.',
        },
      )
    return streamed(app, incoming, linesOf(app, actor, request, opened))
  },
}

/** @throws Refusal invalid_argument */
function snapshotOf({ catalogue }: App, type: string): Snapshot {
  const snapshots = catalogue.modules.flatMap((module) => module.snapshots ?? [])
  const found = snapshots.find((item) => item.type === type)
  if (found) return found
  const known = snapshots.map((item) => item.type).sort()
  throw invalid('type', 'there is no snapshot of this type.', `Known: ${known.join(', ')}.`)
}

/** Each piece is read with the rights that its reader has by then; once there are none, the answer breaks off. */
async function* linesOf(
  app: App,
  actor: Actor,
  request: CallRequest,
  { since_cursor, columns, snapshot }: Opened,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ since_cursor, columns, count: snapshot.count })}\n`
  let position: string | undefined
  let rows = 0
  do {
    const reader = await app.keys.present(actor)
    if (!reader) throw new Error('The session ended.')
    const piece = await readOn(app, reader, request, async (ctx) => {
      const { rows, next } = await snapshot.piece(ctx, position)
      const last = await feedOf(app.catalogue).lastChanges(
        ctx,
        rows.map((row) => row[0] as string),
      )
      return {
        lines: rows.map((row) => JSON.stringify([...row, last.get(row[0] as string)])),
        next,
      }
    })
    rows += piece.lines.length
    if (piece.lines.length > 0) yield `${piece.lines.join('\n')}\n`
    position = piece.next
    await turn() // others are answered between the pieces
  } while (position !== undefined)
  yield `${JSON.stringify({ end: rows })}\n`
}

type Incoming = Parameters<typeof answerJson>[0]

function streamed(app: App, incoming: Incoming, lines: AsyncGenerator<string>): Response {
  const text = Readable.from(lines, { objectMode: false })
  const headers: HeaderList = [
    ['content-type', 'application/x-ndjson'],
    ['vary', 'accept-encoding'],
  ]
  const failed = (error: Error) =>
    app.log.info('a snapshot was cut off', { error: describe(error) })
  text.on('error', failed)
  if (!takesGzip(incoming.header('accept-encoding')))
    return answerJson(incoming, 200, bodyOf(text), headers)
  const small = createGzip({ level: 5 })
  text.on('error', (error) => small.destroy(error))
  small.on('close', () => text.destroy())
  return answerJson(incoming, 200, bodyOf(text.pipe(small)), [
    ...headers,
    ['content-encoding', 'gzip'],
  ])
}

function bodyOf(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}
