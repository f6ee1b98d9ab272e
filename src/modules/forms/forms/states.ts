import { omitNullish } from '../../../kernel/present.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

type Form = Row<'forms'>

/** Whether a form accepts responses at the given time, and if not, why; its status may change seconds later. */
export function stateAt(
  { status, closed_why, closes_at }: Pick<Form, 'status' | 'closed_why' | 'closes_at'>,
  now: number,
): 'open' | 'draft' | 'person' | 'time' | 'limit' {
  if (status === 'draft') return 'draft'
  if (status === 'closed') return closed_why!
  return closes_at !== null && closes_at <= now ? 'time' : 'open'
}

/** @throws Refusal conflict if a form accepts no responses */
export function requireOpenForm(row: Form, now: number): void {
  const state = stateAt(row, now)
  if (state === 'open') return
  const why = {
    draft: 'is a draft',
    person: 'was closed',
    time: `closed at ${iso(row.closes_at ?? now)}`,
    limit: `has reached its limit of ${quantity(row.response_limit ?? 0, 'response')}`,
  }[state]
  throw new Refusal(
    'conflict',
    `This form ${why} and does not accept responses.`,
    omitNullish({
      context: row.closed_message === null ? undefined : { closed_message: row.closed_message },
      hint:
        state === 'draft'
          ? 'Its owner can open it with publish_form.'
          : 'Its owner can reopen it with publish_form.',
    }),
  )
}

/** Closes a form that is open. */
export async function markClosed(
  ctx: WriteContext,
  row: Form,
  why: NonNullable<Form['closed_why']>,
  message?: string,
): Promise<Form> {
  const after = await ctx.change('forms', row, {
    status: 'closed',
    closed_why: why,
    closed_message: message ?? null,
  })
  ctx.event('form.closed', 'forms', after)
  return after
}
