import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'

/** The current row of a message, and whether its owner is active. */
export async function currentEmail(
  { all }: Pick<TickContext, 'all'>,
  id: Row<'emails'>['id'],
): Promise<{ row: Row<'emails'>; isActive: boolean } | undefined> {
  const row = await all.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst()
  const owner =
    row &&
    (await all
      .selectFrom('users')
      .select('status')
      .where('id', '=', row.owner_id as Row<'users'>['id'])
      .executeTakeFirst())
  return row && { row, isActive: owner?.status === 'active' }
}

/** Stores the delivery state of a message without recording a change: during delivery, or if its owner is not active. */
export async function setDelivery(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  patch: Partial<Pick<Row<'emails'>, 'delivery' | 'delivery_problem'>>,
): Promise<void> {
  await all
    .updateTable('emails')
    .set(patch)
    .where('id', '=', id as Row<'emails'>['id'])
    .execute()
}

/** The same for a scheduled message of a deactivated person: it is not sent, and becomes a draft again. */
export async function stopScheduled(
  { all }: Pick<TickContext, 'all'>,
  { id, draft_id }: Pick<Row<'scheduled_emails'>, 'id' | 'draft_id'>,
  problem: string,
): Promise<void> {
  await all
    .updateTable('scheduled_emails')
    .set({ status: 'failed', problem })
    .where('id', '=', id)
    .execute()
  await all
    .updateTable('email_drafts')
    .set({ state: 'draft' })
    .where('id', '=', draft_id as Row<'email_drafts'>['id'])
    .where('state', '=', 'scheduled')
    .execute()
}
