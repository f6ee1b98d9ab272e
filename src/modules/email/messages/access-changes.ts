import type { Kysely } from 'kysely'
import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import { recountThreads } from '../threads/access.ts'
import { reindexEmail } from '../sync/changes.ts'
import type { WantedFlags, WantedLabels, WantedMove } from './wanted-changes.ts'
import { omitUndefined } from '../../../kernel/present.ts'

/**
 * Changes to push to a mailbox's server. They derive automatically from every recorded change of messages
 * (`afterChange` in access.ts), including undo; the sync stores what the server reports directly in the tables and
 * adds nothing here.
 * Each message and kind has one row with the latest target state; `version` is incremented with each change, so that
 * a push of an older one is repeated. A column of `emails` is not updated from the server while a push of its kind is
 * pending.
 */

type Email = Row<'emails'>
type Kind = Row<'mail_pushes'>['kind']

/** Clears the uid of a moved message until the server reports the new one: the old uid may be another message's there. */
export function forgetUid(changed: Partial<Email>): Partial<Email> {
  return 'folder_id' in changed ? { uid: null } : {}
}

/** Queues the pushes for a change of a message, and recounts its conversation. */
export async function queueEmailPushes(
  after: Email | undefined,
  before: Email | undefined,
  scope: AccessScope,
): Promise<void> {
  if (after && before) {
    await pushFlags(scope, after, before)
    await pushMove(scope, after, before)
    if ((after.place === 'spam') !== (before.place === 'spam'))
      await reindexEmail(scope.all, after.id)
    if (await changesInbox(scope, after, before))
      await pushLabels(scope, after.id, { inbox: after.place === 'inbox' })
  }
  await recountThreads(
    scope.all,
    [after?.thread_id, before?.thread_id].filter((id) => id !== undefined),
  )
}

/** Whether a message of All Mail was added to or removed from the inbox, which is a label there. Leaving All Mail also removes it from the inbox. */
async function changesInbox(
  accessScope: AccessScope,
  after: Email,
  before: Email,
): Promise<boolean> {
  if (after.folder_id === before.folder_id)
    return (after.place === 'inbox') !== (before.place === 'inbox')
  if (after.place !== 'inbox' || after.folder_id === null) return false
  const folder = await accessScope.all
    .selectFrom('mail_folders')
    .select('role')
    .where('id', '=', after.folder_id)
    .executeTakeFirst()
  return folder?.role === 'all'
}

/** The same for an added or removed label. */
export async function queueLabelPush(
  after: Row<'email_labels'> | undefined,
  before: Row<'email_labels'> | undefined,
  scope: AccessScope,
): Promise<void> {
  const row = after ?? before!
  if (!after === !before) return
  await pushLabels(scope, row.email_id, after ? { add: row.name } : { remove: row.name })
}

async function pushFlags(accessScope: AccessScope, after: Email, before: Email): Promise<void> {
  const wanted: WantedFlags = {}
  for (const flag of ['unread', 'starred', 'answered'] as const)
    if (after[flag] !== before[flag]) wanted[flag] = after[flag] === 1
  if ((after.place === 'spam') !== (before.place === 'spam')) wanted.spam = after.place === 'spam'
  if (Object.keys(wanted).length === 0) return
  const pending = await pendingPush<WantedFlags>(accessScope.all, after.id, 'flags')
  await queueEmailPush(accessScope, after, 'flags', { ...pending?.wanted, ...wanted }, pending)
}

async function pushLabels(
  scope: AccessScope,
  emailId: string,
  change: { add?: string; remove?: string; inbox?: boolean },
): Promise<void> {
  const email = await scope.all
    .selectFrom('emails')
    .selectAll()
    .where('id', '=', emailId as Email['id'])
    .executeTakeFirst()
  if (!email) return
  const there = await pendingPush<WantedLabels>(scope.all, email.id, 'labels')
  const { add = [], remove = [], inbox } = there?.wanted ?? {}
  const labelName = change.add ?? change.remove
  const without = (names: readonly string[]) => names.filter((name) => name !== labelName)
  const wanted: WantedLabels = {
    add: change.add === undefined ? without(add) : [...without(add), change.add],
    remove: change.remove === undefined ? without(remove) : [...without(remove), change.remove],
    ...omitUndefined({ inbox: change.inbox ?? inbox }),
  }
  await queueEmailPush(scope, email, 'labels', wanted, there)
}

/**
 * Moving a message back is a push as well: the first move may be running at this moment. A message with a uid has
 * arrived, even if the push of its move is not deleted yet; the origin in that push is then outdated.
 */
async function pushMove(accessScope: AccessScope, after: Email, before: Email): Promise<void> {
  if (after.folder_id === before.folder_id || after.folder_id === null) return
  const there = await pendingPush<WantedMove>(accessScope.all, after.id, 'move')
  const place =
    before.folder_id !== null && before.uid !== null
      ? { folder_id: before.folder_id, uid: before.uid }
      : null
  const from = place ?? there?.wanted.from ?? null
  await queueEmailPush(accessScope, after, 'move', { folder_id: after.folder_id, from }, there)
}

interface Push<W> {
  id: string
  version: number
  wanted: W
}

async function pendingPush<W>(
  all: Kysely<Tables>,
  emailId: string,
  kind: Kind,
): Promise<Push<W> | undefined> {
  const row = await all
    .selectFrom('mail_pushes')
    .select(['id', 'version', 'wanted_json'])
    .where('email_id', '=', emailId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && { id: row.id, version: row.version, wanted: JSON.parse(row.wanted_json) as W }
}

async function queueEmailPush(
  scope: AccessScope,
  email: Email,
  kind: Kind,
  wanted: object,
  there: Push<unknown> | undefined,
): Promise<void> {
  const { all, now } = scope
  const will = { wanted_json: JSON.stringify(wanted), not_before: now, updated_at: now }
  if (there)
    await all
      .updateTable('mail_pushes')
      .set({ ...will, version: there.version + 1 })
      .where('id', '=', there.id as Row<'mail_pushes'>['id'])
      .execute()
  else
    await all
      .insertInto('mail_pushes')
      .values({
        ...will,
        id: newId('mps', now) as Row<'mail_pushes'>['id'],
        org_id: email.org_id,
        account_id: email.account_id,
        email_id: email.id,
        draft_id: null,
        kind,
        version: 1,
        attempts: 0,
        problem: null,
        created_at: now,
      })
      .execute()
}
