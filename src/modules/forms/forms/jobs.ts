import type { Tick } from '../../../operations/jobs/tick.ts'
import { eraseOrphans, updateFormTimes } from '../responses/access.ts'
import {
  hasWaitingResponse,
  nextToDeliver,
  recordDelivery,
  overdueForms,
  formsWithUnreportedResponses,
} from './access-work.ts'
import { fulfilResponse } from '../responses/fulfilment.ts'
import { markClosed } from './states.ts'
import { noticeIntervalMs } from '../responses/submissions.ts'

const batchSize = 20
const lostAfterMs = 10 * 60_000

/** Closes forms past their closing time, and notifies creators of new responses. */
export const maintainForms: Tick = {
  name: 'tend_forms',
  async run(system) {
    const overdue = await overdueForms(system, batchSize)
    for (const row of overdue) {
      await system.as(row.created_by, async (ctx) => {
        const closedForm = await markClosed(ctx, row, 'time')
        ctx.notify(
          'comment',
          [row.created_by],
          'forms',
          closedForm,
          `“${row.title}” closed as scheduled`,
        )
      })
    }
    const unreported = await formsWithUnreportedResponses(system, noticeIntervalMs, batchSize)
    for (const { fresh, ...row } of unreported) {
      await system.as(row.created_by, async (ctx) => {
        await updateFormTimes(ctx, row.id, { told_at: system.now })
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
      overdue.length === batchSize ||
      unreported.length === batchSize ||
      (await eraseOrphans(system, batchSize)) === batchSize
    )
  },
}

/** Delivers responses in the name of the form's creator: the respondent and their key are not involved. */
export const deliverResponses: Tick = {
  name: 'send_form_responses',
  due: hasWaitingResponse,
  async run(system) {
    const next = await nextToDeliver(system.all, system.now - lostAfterMs)
    if (!next) return false
    await system.as(next.created_by, async (ctx) => {
      await ctx.job(fulfilResponse.name, { response_id: next.id }, { uniqueKey: next.id })
    })
    await recordDelivery(system, next.id, { destination_state: 'queued' })
    return true
  },
}
