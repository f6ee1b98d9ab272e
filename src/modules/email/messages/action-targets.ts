import type { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { itemsWithWords } from '../../../operations/search/hits.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { ItemRef, Row, Scoped } from '../../../records/resource.ts'
import type { BulkResult } from '../../../records/shapes.ts'
import { email, mailThread } from '../access.ts'
import { filterByQuery, ownMailboxes } from './access-queries.ts'
import { MailOrganizer, type ChangeOutcome } from './action-changes.ts'
import { parseMailQuery } from './queries.ts'
import type { EmailPlace } from '../mailboxes/placement.ts'

type Email = Row<'emails'>
type Result = z.infer<typeof BulkResult>

/** Maximum ids of one call, and messages of whole conversations. */
export const maxTargets = 200
const maxMessages = 2000

/** Target of a call: a message, or a conversation with its selected messages. */
interface ActionTarget {
  ref: ItemRef
  rows: Email[]
}

export interface MailTargets {
  emails?: Email[] | undefined
  threads?: Row<'mail_threads'>[] | undefined
  query?: string | undefined
  max_items?: number | undefined
}

/** Applies an action to the messages of a call, each separately: a failure is rolled back and does not affect the others. */
export async function applyToMail(
  ctx: WriteContext,
  targets: MailTargets,
  places: readonly EmailPlace[],
  apply: (organizing: MailOrganizer, row: Email) => Promise<ChangeOutcome>,
  organizing = new MailOrganizer(ctx),
): Promise<Result> {
  const units = await unitsOf(ctx, targets, places)
  await organizing.loadMailboxes(units.flatMap((unit) => unit.rows.map((row) => row.account_id)))
  const result: Result = {
    requested: units.length,
    matched: units.length,
    changed: 0,
    skipped: [],
    failed: [],
    items: [],
    dry_run: ctx.dryRun,
    ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
  }
  const processedIds = new Set<string>()
  for (const [i, unit] of units.entries()) {
    ctx.progress(i, units.length, 'messages processed')
    await applyToTarget(
      ctx,
      unit,
      async (row) => {
        if (processedIds.has(row.id)) return 'it was already named'
        processedIds.add(row.id)
        return apply(organizing, row)
      },
      result,
    )
  }
  return result
}

async function applyToTarget(
  ctx: WriteContext,
  unit: ActionTarget,
  apply: (row: Email) => Promise<ChangeOutcome>,
  result: Result,
): Promise<void> {
  const reasons: string[] = []
  try {
    const changed = await ctx.attempt(async () => {
      let count = 0
      for (const row of unit.rows) {
        const outcome = await apply(row)
        if (outcome === true) count++
        else reasons.push(outcome)
      }
      return count
    })
    if (changed === 0)
      return void result.skipped.push({
        id: unit.ref.id,
        title: unit.ref.title,
        reason: reasons[0] ?? 'none of its messages match',
      })
    result.changed++
    result.items.push(unit.ref)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    result.failed.push({
      id: unit.ref.id,
      title: unit.ref.title,
      code: error.code,
      message: error.body().message,
    })
  }
}

async function unitsOf(
  ctx: WriteContext,
  { emails = [], threads = [], query, max_items = maxTargets }: MailTargets,
  places: readonly EmailPlace[],
): Promise<ActionTarget[]> {
  const targetCount = emails.length + threads.length
  if (query !== undefined) {
    if (targetCount > 0) throw invalid('query', 'send either ids or a query.')
    return (await findEmailsMatching(ctx, query, max_items, places)).map((row) => ({
      ref: email.ref(row, ctx.baseUrl),
      rows: [row],
    }))
  }
  if (targetCount === 0)
    throw invalid('email_ids', 'no messages are given.', 'Send email_ids or thread_ids.')
  if (targetCount > Math.min(maxTargets, max_items))
    throw tooManyMessages(targetCount, Math.min(maxTargets, max_items))
  const messageUnits = emails.map((row) => ({ ref: email.ref(row, ctx.baseUrl), rows: [row] }))
  return [...messageUnits, ...(await conversations(ctx, threads, places))]
}

async function conversations(
  ctx: WriteContext,
  threads: readonly Row<'mail_threads'>[],
  places: readonly EmailPlace[],
): Promise<ActionTarget[]> {
  if (threads.length === 0) return []
  const rows = await email
    .editableBy(ctx)
    .selectAll('emails')
    .where(
      'emails.thread_id',
      'in',
      threads.map((thread) => thread.id),
    )
    .where('emails.place', 'in', places)
    .where('emails.delivery', 'in', ['received', 'sent'])
    .orderBy('emails.sent_at')
    .orderBy('emails.id')
    .limit(maxMessages + 1)
    .execute()
  if (rows.length > maxMessages)
    throw new Refusal('too_large', `These conversations have more than ${maxMessages} messages.`, {
      field: 'thread_ids',
      hint: 'Send fewer at once.',
    })
  const byThread = Map.groupBy(rows, (row) => row.thread_id as string)
  return threads.map((thread) => ({
    ref: mailThread.ref(thread, ctx.baseUrl),
    rows: byThread.get(thread.id) ?? [],
  }))
}

/** Messages that match a query, newest first. */
async function findEmailsMatching(
  ctx: WriteContext,
  text: string,
  limit: number,
  places: readonly EmailPlace[],
): Promise<Email[]> {
  const query = parseMailQuery(text)
  if (
    query.words.trim() === '' &&
    query.conditions.every((condition) => condition.not) &&
    query.excludedWords.length === 0
  )
    throw invalid(
      'query',
      'it would match every message.',
      'Send words, or operators such as from: or before:.',
    )
  const narrow = (items: Scoped<'emails'>) =>
    filterByQuery(ctx, items, query).where('emails.place', 'in', places)
  let editableQuery = narrow(email.editableBy(ctx))
  if (query.words.trim() !== '') {
    const hits = await itemsWithWords(ctx, query.words, {
      resource: email,
      containers: await ownMailboxes(ctx),
      narrow,
    })
    if (hits.length === 0) return []
    editableQuery = editableQuery.where(
      'emails.id',
      'in',
      hits.map((hit) => hit.id as Email['id']),
    )
  }
  const rows = await editableQuery
    .selectAll('emails')
    .orderBy('emails.received_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(limit + 1)
    .execute()
  if (rows.length <= limit) return rows
  const { count } = await editableQuery
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  throw tooManyMessages(count, limit)
}

function tooManyMessages(count: number, limit: number): Refusal {
  return new Refusal(
    'too_large',
    `${count} messages match; at most ${limit} are allowed at once.`,
    {
      field: 'max_items',
      hint:
        limit < maxTargets ? 'Narrow it, or raise max_items.' : 'Narrow it and proceed in parts.',
      context: { matched: count },
    },
  )
}
