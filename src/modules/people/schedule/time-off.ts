import type { ReadContext } from '../../../operations/context.ts'
import { date, paging, pageOf, secret, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person, team, teamMember, timeOff } from '../../directory/access.ts'
import { checkPeriod } from './days.ts'
import { presentTimeOff, TimeOff, timeOffKinds } from '../shapes.ts'

/** Three years: parental leave is the longest planned absence. */
const maxDays = 3 * 366

export const listTimeOff = operation({
  name: 'list_time_off',
  searchHint:
    'who is away, out of office, on vacation, off sick, absent, on leave, public holidays',
  kind: 'read',
  rest: 'GET /api/time-off',
  about: 'Time off and holidays in a period, used by scheduling and on-call',
  on: { person: person.see.maybe, team: team.see.maybe },
  input: {
    from: date().optional().describe('default: today'),
    to: date().optional().describe('last day; default: open-ended'),
    ...paging,
  },
  output: pageOf(TimeOff),
  async handle({ person: who, team, limit, cursor, ...period }, ctx) {
    const from = period.from ?? dayAt(ctx.now, ctx.actor.timezone)
    if (period.to !== undefined && period.to < from)
      throw invalid(
        'to',
        `${period.to} is before from, ${from}.`,
        period.from ? undefined : 'For past days, send from as well.',
      )
    let query = timeOff.visibleTo(ctx).selectAll('time_off').where('time_off.ends_on', '>=', from)
    if (period.to !== undefined) query = query.where('time_off.starts_on', '<=', period.to)
    if (who) query = query.where('time_off.person_id', '=', who.id)
    if (team)
      query = query.where(
        'time_off.person_id',
        'in',
        teamMember.of(ctx, [team.id]).select('team_members.person_id'),
      )
    const page = await paged(
      query,
      [
        { by: 'time_off.starts_on', as: 'starts_on', dir: 'asc' },
        { by: 'time_off.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentTimeOff(ctx, page.items))
  },
})

export const createTimeOff = operation({
  name: 'create_time_off',
  searchHint: 'vacation, holiday, leave, sick day, PTO, out of office, day off, book vacation',
  kind: 'write',
  rest: 'POST /api/time-off',
  about: 'Record your time off; warns if it overlaps an on-call shift or a due task',
  input: {
    starts_on: date(),
    ends_on: date().describe('last day away'),
    kind: timeOffKinds.describe('others see sick as other'),
    note: secret(shortText(2000)).optional().describe('visible only to you'),
  },
  output: TimeOff,
  async handle({ starts_on, ends_on, kind, note }, ctx) {
    checkPeriod(starts_on, ends_on, { from: 'starts_on', to: 'ends_on', maxDays })
    await requireFreeDays(ctx, starts_on, ends_on)
    const row = await ctx.add('time_off', {
      person_id: ctx.actor.id,
      starts_on,
      ends_on,
      kind,
      note: note?.trim() || null,
    })
    return (await presentTimeOff(ctx, [row]))[0]!
  },
})

export const cancelTimeOff = operation({
  name: 'cancel_time_off',
  searchHint: 'not going on vacation after all, back from leave early',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/time-off/{time_off_id}',
  about: 'Cancel your time off',
  on: { time_off: timeOff.own },
  output: DeletedRef,
  async handle({ time_off: row }, ctx) {
    if (row.ends_on < dayAt(ctx.now, ctx.actor.timezone))
      throw new Refusal(
        'conflict',
        `This time off ended on ${row.ends_on} and can no longer be cancelled.`,
        { field: 'time_off_id' },
      )
    await ctx.trash('time_off', row)
    return deletedRef(ctx, timeOff.ref(row, ctx.baseUrl))
  },
})

/** Absences must not overlap: days would be counted twice everywhere. */
async function requireFreeDays(ctx: ReadContext, from: string, to: string): Promise<void> {
  const other: Row<'time_off'> | undefined = await timeOff
    .ownedBy(ctx)
    .selectAll('time_off')
    .where('time_off.starts_on', '<=', to)
    .where('time_off.ends_on', '>=', from)
    .executeTakeFirst()
  if (!other) return
  throw new Refusal(
    'conflict',
    `You already have time off from ${other.starts_on} to ${other.ends_on} (${other.kind.replace('_', ' ')}).`,
    {
      field: 'starts_on',
      hint: 'Choose other days, or cancel that time off first.',
      context: { existing_id: other.id },
      next: { tool: 'cancel_time_off', arguments: { time_off_id: other.id } },
    },
  )
}
