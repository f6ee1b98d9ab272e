import type { Tick } from '../../../operations/jobs/tick.ts'
import { eraseOrphans, noteForm } from '../responses/access.ts'
import {
  anyWaiting,
  nextWaiting,
  noteWay,
  overdueForms,
  formsWithUnreportedResponses,
} from './access-work.ts'
import { fulfilResponse } from '../responses/fulfilment.ts'
import { closed } from './states.ts'
import { noticeIntervalMs } from '../responses/submissions.ts'

const piece = 20
const lostAfter = 10 * 60_000

/** Closes forms past their closing time, and notifies creators of new responses. */
export const tendForms: Tick = {
  name: 'tend_forms',
  async run(system) {
    const overdue = await overdueForms(system, piece)
    for (const row of overdue) {
      await system.as(row.created_by, async (ctx) => {
        const after = await closed(ctx, row, 'time')
        ctx.notify(
          'comment',
          [row.created_by],
          'forms',
          after,
          `“${row.title}” closed as scheduled`,
        )
      })
    }
    const unreported = await formsWithUnreportedResponses(system, noticeIntervalMs, piece)
    for (const { fresh, ...row } of unreported) {
      await system.as(row.created_by, async (ctx) => {
        await noteForm(ctx, row.id, { told_at: system.now })
        if (fresh > 0)
          ctx.notify(
            'comment',
            [row.created_by],
            'forms',
            row,
            `“${row.title}” has ${fresh} new response${fresh === 1 ? '' : 's'}`,
          )
      })
    }
    return (
      overdue.length === piece ||
      unreported.length === piece ||
      (await eraseOrphans(system, piece)) === piece
    )
  },
}

/** Delivers responses in the name of the form's creator: the respondent and their key are not involved. */
export const sendResponses: Tick = {
  name: 'send_form_responses',
  due: anyWaiting,
  async run(system) {
    const next = await nextWaiting(system.all, system.now - lostAfter)
    if (!next) return false
    await system.as(next.created_by, async (ctx) => {
      await ctx.job(fulfilResponse.name, { response_id: next.id }, { uniqueKey: next.id })
    })
    await noteWay(system, next.id, { destination_state: 'queued' })
    return true
  },
}
