import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { jobKind, NoRights, TryLater } from '../../../operations/jobs/job.ts'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dueScheduled, scheduledRow } from '../outbox/access.ts'
import { hasRepliesSince } from '../outbox/access-addresses.ts'
import { stopScheduled } from '../outbox/access-outcomes.ts'
import { sendDraft } from '../drafts/changes.ts'

type Scheduled = Row<'scheduled_emails'>
type Draft = Row<'email_drafts'>

const noAccessMessage = 'Its sender no longer has access.'

/** Sends a message at its scheduled time, with the rights of the key that scheduled it. Nothing is sent while the clock cannot be trusted. */
export const sendScheduled = jobKind({
  name: 'send_scheduled_email',
  about: 'Sends a message at its scheduled time',
  args: z.strictObject({ scheduled_id: z.string() }),
  maxAttempts: 1000,
  async run({ scheduled_id }, job) {
    if (!job.mayErase()) throw new TryLater(60_000, 'The clock of the server cannot be trusted.')
    const problem = await job
      .write((system) => beginScheduledSend(system, scheduled_id))
      .catch(scheduleErrorText)
    if (problem !== undefined)
      await job.write((system) => failScheduled(system, scheduled_id, problem))
    return { sent: problem === undefined }
  },
})

/** Moves a message to the outbox. Returns the problem if it cannot be sent. */
async function beginScheduledSend(system: TickContext, id: string): Promise<string | undefined> {
  const scheduled = await scheduledRow(system, id)
  if (scheduled?.row.status !== 'queued' || scheduled.row.send_at > system.now) return undefined
  const { row, draft, isActive } = scheduled
  if (!isActive) return noAccessMessage
  return system.as(row.owner_id, (ctx) => sendScheduledDraft(ctx, row, draft), { key: row.key_id })
}

async function sendScheduledDraft(
  ctx: WriteContext,
  row: Scheduled,
  draft: Draft,
): Promise<string | undefined> {
  if (draft.state !== 'scheduled' || draft.deleted_at !== null) return 'Its draft no longer exists.'
  if (
    row.cancel_if_replied === 1 &&
    draft.thread_id !== null &&
    (await hasRepliesSince(ctx, draft.thread_id, row.created_at))
  )
    return cancelAfterReply(ctx, row, draft)
  if (ctx.actor.key?.hold_outbound)
    return 'The key that scheduled it may no longer send without approval: send the draft yourself, or schedule it again.'
  const refusal = ctx.refusalFor(ctx.catalogue.requireEntry('schedule_email'))
  if (refusal) return refusal.message
  await ctx.change('scheduled_emails', row, { status: 'sending' })
  await sendDraft(ctx, draft)
  return undefined
}

async function cancelAfterReply(
  ctx: WriteContext,
  row: Scheduled,
  draft: Draft,
): Promise<undefined> {
  await ctx.change('scheduled_emails', row, {
    status: 'cancelled',
    problem: 'Someone has already replied.',
  })
  ctx.notify(
    'reminder',
    [row.owner_id],
    'email_drafts',
    await ctx.change('email_drafts', draft, { state: 'draft' }),
    'A scheduled message was not sent because someone has replied; it is a draft again.',
  )
}

/** Describes why an email cannot go out. */
function scheduleErrorText(error: unknown): string {
  if (error instanceof NoRights) return 'The key that scheduled it is no longer valid.'
  if (error instanceof Refusal) return error.body().message
  throw error
}

/** Marks a scheduled message as failed: it stays a draft, and its owner is notified with the reason. */
async function failScheduled(system: TickContext, id: string, problem: string): Promise<void> {
  const scheduled = await scheduledRow(system, id)
  if (scheduled?.row.status !== 'queued') return
  const { row, draft, isActive } = scheduled
  const patch = { status: 'failed' as const, problem: problem.slice(0, 500) }
  if (!isActive) return stopScheduled(system, row, patch.problem)
  await system.as(row.owner_id, async (ctx) => {
    await ctx.change('scheduled_emails', row, patch)
    const draftRow =
      draft.state === 'scheduled'
        ? await ctx.change('email_drafts', draft, { state: 'draft' })
        : draft
    ctx.notify(
      'reminder',
      [row.owner_id],
      'email_drafts',
      draftRow,
      `A scheduled message was not sent; it is a draft again. ${problem}`.slice(0, 300),
    )
  })
}

/** Requests jobs for due messages. */
export const requestDueMessages: Tick = {
  name: 'ask_scheduled_emails',
  async run(system) {
    const due = await dueScheduled(system.all, system.now, 50)
    for (const item of due.filter(({ ownerStatus }) => ownerStatus !== 'active'))
      await stopScheduled(system, item, noAccessMessage)
    for (const { id, owner_id } of due.filter(({ ownerStatus }) => ownerStatus === 'active'))
      await system.as(
        owner_id,
        async (ctx) =>
          void (await ctx.job(
            sendScheduled.name,
            { scheduled_id: id },
            { uniqueKey: id, priority: 'high' },
          )),
      )
    return due.length === 50
  },
}
