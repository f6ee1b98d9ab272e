import { z } from 'zod'
import { datetime } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { dayLength, parseInstant, iso } from '../../../kernel/time/times.ts'
import { mailThread } from '../access.ts'
import { EmailThread } from '../shapes.ts'
import { presentThreads } from '../messages/presenter.ts'
import { hideThread } from './snooze-state.ts'

const maxSnoozeMs = 366 * dayLength

export const snoozeEmail = operation({
  name: 'snooze_email',
  searchHint: 'hide until, later, remind me of this mail, bring back on Monday',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/email-threads/{thread_id}/snooze',
  about: 'Hide a thread until a time or until someone replies; null time brings it back',
  on: { thread: mailThread.edit },
  input: {
    until: datetime()
      .nullable()
      .optional()
      .describe('then it is unread in the inbox again; null: now'),
    until_reply: z
      .boolean()
      .default(false)
      .describe('a reply from someone else brings it back sooner'),
  },
  output: EmailThread,
  async handle({ thread, until, until_reply }, ctx) {
    if (until === undefined && !until_reply)
      throw invalid(
        'until',
        'a duration is missing.',
        'Send until, or until_reply=true; until=null brings the thread back.',
      )
    if (until === null && until_reply)
      throw invalid(
        'until',
        'null brings the thread back, and until_reply hides it.',
        'Send one of them.',
      )
    const at = until == null ? null : parseInstant(until, ctx.actor.timezone, 'start', 'until')
    if (at !== null && at <= ctx.now)
      throw invalid('until', `${iso(at)} has passed.`, 'Send a time in the future.')
    if (at !== null && at > ctx.now + maxSnoozeMs) throw invalid('until', 'must be within a year.')
    const row = await hideThread(ctx, thread, { until: at, untilReply: until_reply })
    return (await presentThreads(ctx, [row]))[0]!
  },
})
