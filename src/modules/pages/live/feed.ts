import type { ReadContext } from '../../../operations/context.ts'
import type { Subscription, PersonStream } from '../../../operations/event-feed.ts'
import { page } from '../access.ts'
import { stepsOf } from './access-steps.ts'
import { canCatchUp, presentSteps } from './steps.ts'

/** Steps sent per batch. */
const batchSize = 100
/** Position of a reader who has lost access to the page. */
const noAccessPlace = -1

/** Stream of changes to the text of a page, for its editors. */
export const pageSteps: PersonStream = {
  path: '/web/pages/:id/steps/stream',
  name: 'follow_page_steps',
  permissionsOf: 'get_page',
  async follow(ctx, id, since) {
    const row = await page.demand(ctx, id, 'see', 'page_id')
    const isKnown = since <= row.revision
    const canContinue = isKnown && (await canCatchUp(ctx, row, since))
    const start = canContinue ? since : row.revision
    const reset = isKnown ? 'too_old' : 'unknown'
    return {
      start,
      reset: canContinue ? undefined : reset,
      cursor: String,
      next: (ctx, from) => next(ctx, row.id, from),
    }
  },
}

async function next(
  ctx: ReadContext,
  id: string,
  from: number,
): ReturnType<Subscription<number>['next']> {
  if (from === noAccessPlace) return { events: [], place: from, more: false }
  const row = await page.find(ctx, id, 'see')
  if (!row) {
    const last = {
      event: 'gone',
      id: String(from),
      payload: { event: 'gone' },
      place: noAccessPlace,
    }
    return { events: [last], place: noAccessPlace, more: false }
  }
  const steps = await stepsOf(ctx, row, { after: from, limit: batchSize })
  const events = (await presentSteps(ctx, steps)).map((step) => ({
    event: 'step',
    id: String(step.revision),
    payload: step,
    place: step.revision,
  }))
  return { events, place: steps.at(-1)?.revision ?? from, more: steps.length === batchSize }
}
