import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { page, pageComment } from '../../pages/access.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { taskRef } from '../../tasks/shapes.ts'
import { postmortem } from './access.ts'
import { followUps } from '../incidents/follow-ups.ts'
import { incidentRef, type Postmortem } from '../shapes.ts'

type Shape = z.infer<typeof Postmortem>

/** A visible incident's postmortem. */
export function postmortemRowOf(
  ctx: ReadContext,
  { id }: Pick<Row<'incidents'>, 'id'>,
): Promise<Row<'postmortems'> | undefined> {
  return postmortem.of(ctx, [id]).selectAll('postmortems').executeTakeFirst()
}

export async function postmortemOf(
  ctx: ReadContext,
  incident: Row<'incidents'>,
): Promise<Shape | undefined> {
  const row = await postmortemRowOf(ctx, incident)
  return row && presentPostmortem(ctx, incident, row)
}

export async function presentPostmortem(
  ctx: ReadContext,
  incidentRow: Row<'incidents'>,
  row: Row<'postmortems'>,
): Promise<Shape> {
  const people = await peopleRefs(ctx, [row.created_by, row.author_id])
  const pageRow = (await page.among(ctx, [row.page_id])).get(row.page_id)
  return omitNullish({
    ...commonOf(row, postmortem.url(row, ctx.baseUrl), people),
    incident: incidentRef(incidentRow),
    page: omitNullish({
      id: row.page_id,
      title: pageRow?.title ?? '',
      url: pageRow ? page.url(pageRow, ctx.baseUrl) : undefined,
    }),
    author: people.get(row.author_id) ?? { id: row.author_id, title: '' },
    due_on: row.due_on,
    overdue:
      row.published_at === null &&
      row.due_on !== null &&
      row.due_on < dayAt(ctx.now, ctx.actor.timezone),
    status: row.published_at === null ? await draftStatus(ctx, row.page_id) : 'published',
    action_tasks: (await followUps(ctx, incidentRow.id)).map(taskRef),
  })
}

/** A draft is in review while comments on its page are open, and a draft again when all are resolved. */
/** A draft is in review as long as comments on its page are open. */
async function draftStatus(ctx: ReadContext, pageId: Id<'pages'>): Promise<'in_review' | 'draft'> {
  return (await hasOpenComments(ctx, pageId)) ? 'in_review' : 'draft'
}

async function hasOpenComments(ctx: ReadContext, pageId: Id<'pages'>): Promise<boolean> {
  const open = await pageComment
    .of(ctx, [pageId])
    .select('page_comments.id')
    .where('page_comments.reply_to_id', 'is', null)
    .where('page_comments.resolved', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
