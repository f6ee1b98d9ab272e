import type { Kysely } from 'kysely'
import { newId } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { AccessScope } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import { recountThreads } from '../threads/access.ts'
import { searchAgain } from '../sync/changes.ts'
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

/** In its new folder a message has no uid until the server has told it: that of the old one may be another message's there. */
export function forgetUid(changed: Partial<Email>): Partial<Email> {
  return 'folder_id' in changed ? { uid: null } : {}
}

/** Leaves what the server has to hear of a change of a message, and counts its conversation anew. */
export async function settleEmail(
  after: Email | undefined,
  before: Email | undefined,
  scope: AccessScope,
): Promise<void> {
  if (after && before) {
    await pushFlags(scope, after, before)
    await pushMove(scope, after, before)
    if ((after.place === 'spam') !== (before.place === 'spam'))
      await searchAgain(scope.all, after.id)
    if (await changesInbox(scope, after, before))
      await pushLabels(scope, after.id, { inbox: after.place === 'inbox' })
  }
  await recountThreads(
    scope.all,
    [after?.thread_id, before?.thread_id].filter((id) => id !== undefined),
  )
}

/** Whether a message of All Mail came to the inbox, or left it, which there is a label. A message that leaves All Mail leaves the inbox with it. */
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

/** The same for a label that came to a message, or left it. */
export async function settleLabel(
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
  const there = await pushOf<WantedFlags>(accessScope.all, after.id, 'flags')
  await queueEmailPush(accessScope, after, 'flags', { ...there?.wanted, ...wanted }, there)
}

async function pushLabels(
  scope: AccessScope,
  emailId: string,
  will: { add?: string; remove?: string; inbox?: boolean },
): Promise<void> {
  const email = await scope.all
    .selectFrom('emails')
    .selectAll()
    .where('id', '=', emailId as Email['id'])
    .executeTakeFirst()
  if (!email) return
  const there = await pushOf<WantedLabels>(scope.all, email.id, 'labels')
  const { add = [], remove = [], inbox } = there?.wanted ?? {}
  const labelName = will.add ?? will.remove
  const without = (names: readonly string[]) => names.filter((name) => name !== labelName)
  const wanted: WantedLabels = {
    add: will.add === undefined ? without(add) : [...without(add), will.add],
    remove: will.remove === undefined ? without(remove) : [...without(remove), will.remove],
    ...omitUndefined({ inbox: will.inbox ?? inbox }),
  }
  await queueEmailPush(scope, email, 'labels', wanted, there)
}

/**
 * A way back home is a push as well: the way out may be under way at this very moment. A message with a uid has arrived, although the push
 * that brought it there may not be deleted yet; the place that this push names is out of date then.
 */
async function pushMove(accessScope: AccessScope, after: Email, before: Email): Promise<void> {
  if (after.folder_id === before.folder_id || after.folder_id === null) return
  const there = await pushOf<WantedMove>(accessScope.all, after.id, 'move')
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

async function pushOf<W>(
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
