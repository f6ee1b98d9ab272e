import { sql, type Expression, type SqlBool } from 'kysely'
import type { Undo } from '../../../records/row-changes.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type AccessScope } from '../../../records/access-scope.ts'

/** Condition: a message has not been handed to the server; also true for received messages. */
export function isNotHandedOver(_: AccessScope): Expression<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from email_outbox as gone where gone.email_id = emails.id and gone.state <> 'queued')`
}

/** Removes a waiting message from the outbox: it is not sent, and its draft becomes editable again. */
export async function cancelQueued(row: Row<'emails'>, ctx: Undo): Promise<void> {
  const { all } = accessScopeOf(ctx)
  const outbox = await all
    .selectFrom('email_outbox')
    .select('draft_id')
    .where('email_id', '=', row.id)
    .executeTakeFirst()
  const draft =
    outbox?.draft_id == null
      ? undefined
      : await all
          .selectFrom('email_drafts')
          .selectAll()
          .where('id', '=', outbox.draft_id as Row<'email_drafts'>['id'])
          .executeTakeFirst()
  if (draft) await ctx.change('email_drafts', draft, { state: 'draft', email_id: null })
  await ctx.remove('emails', row)
}
