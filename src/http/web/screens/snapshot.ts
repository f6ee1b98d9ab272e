import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import type { Actor } from '../../../kernel/actor.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { App } from '../../../operations/app.ts'
import { readAsUser, readWithoutLogging } from '../../../operations/call/index.ts'
import type { CallRequest } from '../../../operations/call/request.ts'
import { LineReply } from '../../../operations/endpoints/endpoint.ts'
import { cursorNow, feedOf } from '../../../operations/event-feed.ts'
import type { OpenSnapshot, Snapshot } from '../../../operations/listing/snapshots.ts'
import { endpoint } from '../endpoint.ts'

const maxRows = 50_000

interface OpenedSnapshot {
  since_cursor: string
  columns: readonly string[]
  snapshot: OpenSnapshot
}

/** Rows changed during the read may have their old or new state; events after `since_cursor` report the changes. */
export const readSnapshotEndpoint = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/snapshot',
  name: 'read_snapshot',
  about:
    'up to 50,000 rows as lines of JSON: first `since_cursor`, `columns` and `count`, then an array for each row, last `{"end": …}` with the number of rows. One entry in the call log',
  input: {
    type: z.string().min(1).max(40).describe('`task`'),
    project_id: z.string().min(1).max(200).optional(),
    open: z.stringbool().optional().describe('true: without what is done or cancelled'),
  },
  output: z.unknown(),
  logsItself: 'always',
  streamsLines: true,
  async handle({ type, ...query }, { app, actor, callRequest }) {
    const request = { ...callRequest, args: { type, ...query } }
    const opened = await readAsUser(app, actor, request, async (ctx) => {
      const { columns, open } = snapshotOf(app, type)
      return {
        since_cursor: await cursorNow(feedOf(app.catalogue), ctx),
        columns: [...columns, 'last_change'],
        snapshot: await open(ctx, query),
      }
    })
    const { count } = opened.snapshot
    if (count > maxRows)
      throw new Refusal(
        'too_large',
        `These are ${count} rows; a snapshot has at most ${maxRows}.`,
        {
          hint: 'Name a project, or ask for what is open only.',
        },
      )
    return new LineReply(snapshotLinesOf(app, actor, callRequest, opened))
  },
})

/** @throws Refusal invalid_argument */
function snapshotOf({ catalogue }: App, type: string): Snapshot {
  const snapshots = catalogue.modules.flatMap((module) => module.snapshots ?? [])
  const snapshot = snapshots.find((item) => item.type === type)
  if (snapshot) return snapshot
  const types = snapshots.map((item) => item.type).sort()
  throw invalid('type', 'there is no snapshot of this type.', `Known: ${types.join(', ')}.`)
}

/** Each batch is read with the reader's current rights; once there are none, the answer breaks off. */
async function* snapshotLinesOf(
  app: App,
  actor: Actor,
  request: CallRequest,
  { since_cursor, columns, snapshot }: OpenedSnapshot,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ since_cursor, columns, count: snapshot.count })}\n`
  let position: string | undefined
  let rows = 0
  do {
    const reader = await app.keys.currentActor(actor)
    if (!reader) throw new Error('The session ended.')
    const batch = await readWithoutLogging(app, reader, request, async (ctx) => {
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
    rows += batch.lines.length
    if (batch.lines.length > 0) yield `${batch.lines.join('\n')}\n`
    position = batch.next
    await yieldToOthers() // other requests run between the batches
  } while (position !== undefined)
  yield `${JSON.stringify({ end: rows })}\n`
}
