import { sql, type SqlBool } from 'kysely'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'

/**
 * Whether a change of content affects something about to be sent: a call that awaits approval names the file, or
 * it is attached to a draft that is scheduled or named by such a call. A key that may not send may not change it.
 */
export async function changesPendingOutbound(
  after: Row<'files'>,
  before: Row<'files'> | undefined,
  { all, actor, now }: AccessScope,
): Promise<boolean> {
  if (!before || (after.version === before.version && after.sha256 === before.sha256)) return false
  const pendingApprovals = all
    .selectFrom('approvals')
    .select('approvals.id')
    .where('approvals.owner_id', '=', actor.id)
    .where('approvals.state', '=', 'pending')
    .where('approvals.expires_at', '>', now)
  const waitingCall = await pendingApprovals
    .where('approvals.arguments_json', 'like', `%${after.id}%`)
    .limit(1)
    .executeTakeFirst()
  if (waitingCall) return true
  const attachedDraft = await all
    .selectFrom('email_draft_files')
    .innerJoin('email_drafts', (join) =>
      join.onRef('email_drafts.id', '=', 'email_draft_files.draft_id'),
    )
    .select('email_drafts.id')
    .where('email_draft_files.source_id', '=', after.id)
    .where('email_drafts.owner_id', '=', actor.id)
    .where('email_drafts.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('email_drafts.state', '=', 'scheduled'),
        eb.and([
          eb('email_drafts.state', '=', 'draft'),
          eb.exists(
            pendingApprovals.where(
              sql<SqlBool>`approvals.arguments_json like '%' || email_drafts.id || '%'`,
            ),
          ),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return attachedDraft !== undefined
}
