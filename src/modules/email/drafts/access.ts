import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { type AccessScope, accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/**
 * Each recorded change of a draft also updates its copy on the mail server: drafts and scheduled messages have one in
 * the Drafts folder; sent or discarded ones have none.
 */
interface WantedDraft {
  remove?: true
}

type Draft = Row<'email_drafts'>

export async function queueDraftChange(
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

export async function queueDraftFileChange(
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

/** Whether a change alters a draft whose sending waits for approval: then the change needs approval, too. */
export async function changesDraftAwaitingApproval(
  after: Draft,
  before: Draft | undefined,
  scope: AccessScope,
): Promise<boolean> {
  return (
    before !== undefined &&
    !isSameDraft(after, before) &&
    (await isAwaitingApproval(scope, after.id))
  )
}

/** The same for a template: a waiting call refers to it, and uses its text only when it is executed. */
export async function changesTemplateAwaitingApproval(
  after: Row<'email_templates'>,
  before: Row<'email_templates'> | undefined,
  accessScope: AccessScope,
): Promise<boolean> {
  const isTextChanged =
    before !== undefined &&
    (after.subject !== before.subject || after.body_markdown !== before.body_markdown)
  return isTextChanged && (await hasPendingApproval(accessScope, ['send_email'], after.id))
}

/** Whether a call that sends this draft waits for approval. */
export function isAwaitingApproval(viewer: Viewer, draftId: string): Promise<boolean> {
  return hasPendingApproval(accessScopeOf(viewer), ['send_email_draft', 'schedule_email'], draftId)
}

async function hasPendingApproval(
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
  const existing = await all
    .selectFrom('mail_pushes')
    .select(['id', 'version'])
    .where('draft_id', '=', row.id)
    .where('kind', '=', 'draft')
    .executeTakeFirst()
  const pushColumns = { wanted_json: JSON.stringify(wanted), not_before: now, updated_at: now }
  if (existing)
    await all
      .updateTable('mail_pushes')
      .set({ ...pushColumns, version: existing.version + 1 })
      .where('id', '=', existing.id)
      .execute()
  else
    await all
      .insertInto('mail_pushes')
      .values({
        ...pushColumns,
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
