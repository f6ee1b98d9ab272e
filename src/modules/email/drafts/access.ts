import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'

/**
 * The server's copy of drafts follows from every recorded change of them: what is a draft, or waits to be sent, stands in its folder of
 * drafts as it is now; what was sent or discarded does not.
 */
interface WantedDraft {
  remove?: true
}

type Draft = Row<'email_drafts'>

export async function settleDraft(
  after: Draft | undefined,
  before: Draft | undefined,
  scope: AccessScope,
): Promise<void> {
  const row = after ?? before!
  const isKept = after !== undefined && after.deleted_at === null && after.state !== 'sent'
  if (
    isKept &&
    before &&
    before.deleted_at === null &&
    before.state !== 'sent' &&
    isSameDraft(after, before)
  )
    return
  await queueDraftPush(scope, row, isKept ? {} : { remove: true })
}

export async function settleDraftFile(
  after: Row<'email_draft_files'> | undefined,
  before: Row<'email_draft_files'> | undefined,
  accessScope: AccessScope,
): Promise<void> {
  const draft = await accessScope.all
    .selectFrom('email_drafts')
    .selectAll()
    .where('id', '=', (after ?? before)!.draft_id)
    .executeTakeFirst()
  if (draft && draft.deleted_at === null && draft.state !== 'sent')
    await queueDraftPush(accessScope, draft, {})
}

/** Whether a draft says something else than what its owner was asked to release: then that has to be released, too. */
export async function changesWhatWaits(
  after: Draft,
  before: Draft | undefined,
  scope: AccessScope,
): Promise<boolean> {
  return (
    before !== undefined && !isSameDraft(after, before) && (await waitsForRelease(scope, after.id))
  )
}

/** The same for a template: a call that waits names it, and says what it says only once it is made. */
export async function changesTemplateThatWaits(
  after: Row<'email_templates'>,
  before: Row<'email_templates'> | undefined,
  accessScope: AccessScope,
): Promise<boolean> {
  const isSaid =
    before !== undefined &&
    (after.subject !== before.subject || after.body_markdown !== before.body_markdown)
  return isSaid && (await waitsFor(accessScope, ['send_email'], after.id))
}

/** Whether a call that sends this draft waits until its owner releases it. */
export function waitsForRelease(scope: AccessScope, draftId: string): Promise<boolean> {
  return waitsFor(scope, ['send_email_draft', 'schedule_email'], draftId)
}

async function waitsFor(
  { all, actor, now }: AccessScope,
  tools: readonly string[],
  id: string,
): Promise<boolean> {
  const pendingApproval = await all
    .selectFrom('approvals')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .where('tool', 'in', tools)
    .where('arguments_json', 'like', `%${id}%`)
    .limit(1)
    .executeTakeFirst()
  return pendingApproval !== undefined
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    [
      'subject',
      'body_markdown',
      'to_json',
      'cc_json',
      'bcc_json',
      'answers_id',
      'answers_as',
      'quote',
    ] as const
  ).every((column) => a[column] === b[column])
}

async function queueDraftPush(
  { all, now }: AccessScope,
  row: Draft,
  wanted: WantedDraft,
): Promise<void> {
  const there = await all
    .selectFrom('mail_pushes')
    .select(['id', 'version'])
    .where('draft_id', '=', row.id)
    .where('kind', '=', 'draft')
    .executeTakeFirst()
  const will = { wanted_json: JSON.stringify(wanted), not_before: now, updated_at: now }
  if (there)
    await all
      .updateTable('mail_pushes')
      .set({ ...will, version: there.version + 1 })
      .where('id', '=', there.id)
      .execute()
  else
    await all
      .insertInto('mail_pushes')
      .values({
        ...will,
        id: newId('mps', now) as Row<'mail_pushes'>['id'],
        org_id: row.org_id,
        account_id: row.account_id as Row<'accounts'>['id'],
        email_id: null,
        draft_id: row.id,
        kind: 'draft',
        version: 1,
        attempts: 0,
        problem: null,
        created_at: now,
      })
      .execute()
}
