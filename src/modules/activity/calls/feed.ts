// The call log as a stream: followers are notified of each entry soon after it was made.

import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { CallFeed, CallQuery, Subscription } from '../../../operations/event-feed.ts'
import { isId } from '../../../kernel/ids.ts'
import { decodeCursor, encodeCursor } from '../../../records/paging.ts'
import { denied, invalid, notFound } from '../../../kernel/refusal.ts'
import { callsBetween, newestCallSeq, seqOfCall } from './access-calls.ts'
import { keyNames } from '../access.ts'
import { presentLogged } from './log.ts'

/**
 * A reader with a larger backlog of the organization's calls must list again, which is quicker for both sides.
 */
const maxLag = 20_000
/** Calls sent per batch. */
const batchSize = 100

export const callFeed: CallFeed = {
  permissionsOf: 'list_api_calls',
  async follow(ctx, query) {
    const { of, key_id } = query
    if (of === 'organization' && !isAdmin(ctx.actor))
      throw denied('Only administrators see the calls of others.')
    if (key_id !== undefined && !(await keyNames(ctx, [key_id])).has(key_id))
      throw notFound('API key', 'key_id')
    const filter = { isOrganizationWide: of === 'organization', keyId: key_id }
    return {
      ...(await callFeedStart(ctx, query)),
      cursor,
      next: (ctx, from) => next(ctx, filter, from),
    }
  },
}

async function callFeedStart(
  ctx: ReadContext,
  { of, since }: CallQuery,
): Promise<Pick<Subscription<number>, 'start' | 'reset'>> {
  const newest = await newestCallSeq(ctx)
  if (since === undefined) return { start: newest, reset: undefined }
  const start = isId('clg', since)
    ? await seqOfCall(ctx, of === 'organization', since)
    : parseCallCursor(since)
  if (start === undefined || start > newest) return { start: newest, reset: 'unknown' }
  return newest - start > maxLag ? { start: newest, reset: 'too_old' } : { start, reset: undefined }
}

function parseCallCursor(text: string): number {
  const [stream, seq] = decodeCursor(text, 'since')
  if (stream === 'call_stream' && Number.isSafeInteger(seq)) return seq as number
  throw invalid(
    'since',
    'is not a position in the call log.',
    'Send the id of a call, or the id of an event, unchanged.',
  )
}

function cursor(seq: number): string {
  return encodeCursor(['call_stream', seq])
}

async function next(
  ctx: ReadContext,
  filter: Parameters<typeof callsBetween>[1],
  from: number,
): ReturnType<Subscription<number>['next']> {
  const to = await newestCallSeq(ctx)
  const rows = to > from ? await callsBetween(ctx, filter, { from, to }, batchSize) : []
  const entries = await presentLogged(ctx, rows)
  const events = rows.map((row, i) => ({
    event: 'call',
    id: row.id,
    payload: entries[i]!,
    place: row.seq,
  }))
  const more = rows.length === batchSize
  return { events, place: more ? rows.at(-1)!.seq : to, more }
}
