import { isCommitFailure } from '../../db/database-errors.ts'
import type { WriteContext } from '../../operations/context.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import type { Row } from '../../records/resource.ts'
import { email, emailRule, mailThread } from './access.ts'
import {
  hasQueuedEmails,
  dequeue,
  recordHits,
  queuedEmails,
  eligibleEmails,
  setSweep,
  nextSweepRule,
} from './rules/access.ts'
import { dueWaitingThreads, dueSnoozes, markNotified } from './threads/access-waiting.ts'
import { MailOrganizer } from './messages/action-changes.ts'
import { withoutIncomingOnly, type MailRuleAction } from './rules/actions.ts'
import { actionsOf, runRule } from './rules/execution.ts'
import { hideThread } from './threads/snooze-state.ts'

type Email = Row<'emails'>

/** Messages processed per batch. */
const batchSize = 10
const sweepBatchSize = 100

/** Applies the owner's rules to incoming mail, in order and once each: effects and progress share a transaction. */
export const runEmailRules: Tick = {
  name: 'run_email_rules',
  due: hasQueuedEmails,
  async run(system) {
    const batch = await queuedEmails(system.all, system.now, batchSize)
    for (const { email_id, owner_id } of batch) {
      await system.as(owner_id, (ctx) => applyRulesTo(ctx, email_id))
      await dequeue(system.all, email_id)
    }
    return batch.length === batchSize
  },
}

async function applyRulesTo(ctx: WriteContext, emailId: string): Promise<void> {
  const row = await email.find(ctx, emailId, 'edit')
  if (!row) return
  for (const rule of await rulesInOrder(ctx)) {
    const current: Email | undefined = await email.find(ctx, emailId, 'edit')
    if (current) await applyRule(ctx, rule, [current])
  }
}

/**
 * Applies a rule to messages. A failing message is skipped, and the error stored with the rule, so that others do not
 * wait forever.
 */
async function applyRule(
  ctx: WriteContext,
  rule: Row<'email_rules'>,
  rows: readonly Email[],
  actions?: readonly MailRuleAction[],
): Promise<void> {
  try {
    await ctx.attempt(() => runRule(ctx, rule, rows, actions))
  } catch (error) {
    if (isCommitFailure(error)) throw error
    if (rows.length > 1) for (const row of rows) await applyRule(ctx, rule, [row], actions)
    else
      await recordHits(
        ctx,
        rule,
        0,
        `A message could not be checked against it: ${(error as Error).message}`.slice(0, 500),
      )
  }
}

function rulesInOrder(ctx: WriteContext): Promise<Row<'email_rules'>[]> {
  return emailRule
    .visibleTo(ctx)
    .selectAll('email_rules')
    .where('email_rules.enabled', '=', 1)
    .orderBy('email_rules.position')
    .orderBy('email_rules.id')
    .execute()
}

/** Applies rules to earlier mail, from the newest on, in batches. */
export const sweepEmailRules: Tick = {
  name: 'sweep_email_rules',
  due: async (all) => (await nextSweepRule(all)) !== undefined,
  async run(system) {
    const rule = await nextSweepRule(system.all)
    if (!rule) return false
    const last =
      rule.enabled === 1 && rule.deleted_at === null
        ? await system.as(rule.owner_id, (ctx) => sweep(ctx, rule))
        : undefined
    await setSweep(system.all, rule, last ? { at: last.received_at, id: last.id } : null)
    return true
  },
}

/** Applies a rule to the next batch of earlier mail. Returns the last message of the batch; undefined at the end. */
async function sweep(ctx: WriteContext, rule: Row<'email_rules'>): Promise<Email | undefined> {
  const rows = await eligibleEmails(email.editableBy(ctx), rule.account_id)
    .selectAll('emails')
    .where((eb) =>
      eb.or([
        eb('emails.received_at', '<', rule.sweep_at!),
        eb.and([
          eb('emails.received_at', '=', rule.sweep_at!),
          eb('emails.id', '<', rule.sweep_id as Email['id']),
        ]),
      ]),
    )
    .orderBy('emails.received_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(sweepBatchSize)
    .execute()
  await applyRule(ctx, rule, rows, withoutIncomingOnly(actionsOf(rule)))
  return rows.length === sweepBatchSize ? rows.at(-1) : undefined
}

/** Returns due snoozed conversations: unread in the inbox, with a notification. */
export const wakeSnoozed: Tick = {
  name: 'wake_snoozed_threads',
  async run(system) {
    const batch = await dueSnoozes(system.all, system.now, batchSize)
    for (const { id, owner_id } of batch) await system.as(owner_id, (ctx) => endSnooze(ctx, id))
    return batch.length === batchSize
  },
}

async function endSnooze(ctx: WriteContext, threadId: string): Promise<void> {
  const thread = await mailThread.demand(ctx, threadId, 'edit', 'thread_id')
  await hideThread(ctx, thread, { until: null, untilReply: false })
  const messages = email
    .editableBy(ctx)
    .selectAll('emails')
    .where('emails.thread_id', '=', thread.id)
    .where('emails.place', 'in', ['inbox', 'archive', 'folder'])
  const last = await messages
    .where('emails.is_own', '=', 0)
    .orderBy('emails.sent_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) {
    const organizing = new MailOrganizer(ctx)
    await organizing.loadMailboxes([last.account_id])
    await organizing.place(last, 'inbox')
    await organizing.read(last, false)
  }
  ctx.notify(
    'reminder',
    [thread.owner_id],
    'mail_threads',
    thread,
    'A conversation that you snoozed is back',
  )
}

/** Notifies people once of a conversation that has awaited their answer for more than a day. */
export const notifyAwaiting: Tick = {
  name: 'tell_threads_awaiting_reply',
  async run(system: TickContext) {
    const batch = await dueWaitingThreads(system.all, system.now, batchSize)
    for (const { id, owner_id } of batch) {
      await markNotified(system.all, system.now, id)
      await system.as(owner_id, async (ctx) => {
        ctx.event(
          'thread.awaiting_reply',
          'mail_threads',
          await mailThread.demand(ctx, id, 'see', 'thread_id'),
          owner_id,
        )
      })
    }
    return batch.length === batchSize
  },
}
