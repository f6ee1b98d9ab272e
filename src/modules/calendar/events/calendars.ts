import { pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { calendarAccount } from '../../accounts/access.ts'
import { calendar } from '../access.ts'
import { Calendar, presentCalendars } from '../shapes.ts'

export const listCalendars = operation({
  name: 'list_calendars',
  searchHint: 'my calendars, google calendar, shared calendars',
  kind: 'read',
  rest: 'GET /api/calendars',
  about: "Calendars of the key owner's connected accounts (Google, CalDAV) plus the built-in one",
  on: { account: calendarAccount.maybe },
  input: { ...paging },
  output: pageOf(Calendar),
  async handle({ account, limit, cursor }, ctx) {
    const calendarQuery = account
      ? calendar.visibleTo(ctx).where('calendars.account_id', '=', account.id)
      : calendar.visibleTo(ctx)
    const page = await paged(
      calendarQuery.selectAll('calendars'),
      [{ by: 'calendars.id', as: 'id', dir: 'asc' }],
      { limit, cursor },
    )
    return pageWithItems(page, await presentCalendars(ctx, page.items))
  },
})
