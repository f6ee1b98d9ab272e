import type { PendingPush } from './load.ts'
import { MailFailure, type ImapSession } from '../../../connectors/imap/imap.ts'
import type { Row } from '../../../records/resource.ts'
import type { WantedFlags, WantedLabels, WantedMove } from '../messages/wanted-changes.ts'
import { recountThreads } from '../threads/access.ts'
import { keywordOf } from '../mailboxes/keywords.ts'
import { placeOfRole } from '../mailboxes/placement.ts'
import { eraseEmail } from './changes.ts'
import { pushDraft } from './drafts.ts'
import { storeSentCopy } from './copies.ts'
import type { EmailRow, FolderRow, Store } from './store.ts'
import type { MailSyncRun } from './folder-visits.ts'

/**
 * Pushes local changes to the server. Interrupted pushes are repeated, which changes nothing if they had succeeded:
 * flags and labels are set to their target state, and a moved message is searched in its target folder. A push that changed meanwhile stays.
 */

type Push = Row<'mail_pushes'>

const batchSize = 200
const firstDelayMs = 10_000
const maxWaitMs = 3600_000
/** Milliseconds to wait before looking again for a message that the server does not have yet. */
const recheckDelayMs = 30_000
/** Number of refusals after which a push is abandoned: the server's state then applies here, too (giveUp). */
const maxAttempts = 12

/** Executes due pushes. Returns whether there may be more. */
export async function executePushes(work: MailSyncRun): Promise<boolean> {
  const { outside, account } = work
  const duePushes = await outside.write(({ all, now }) => dueLoads(all, account.id, now))
  if (duePushes.length === 0) return false
  for (const kind of ['file', 'draft', 'flags', 'labels', 'move'] as const) {
    const kindLoads = duePushes.filter((load) => load.push.kind === kind)
    const bundles =
      kind === 'flags' || kind === 'labels'
        ? [
            ...Map.groupBy(
              kindLoads,
              (load) => `${load.location?.folder.id} ${load.push.wanted_json}`,
            ).values(),
          ]
        : kindLoads.map((load) => [load])
    for (const bundle of bundles) await executeBundle(work, bundle)
  }
  return duePushes.length === batchSize
}

async function dueLoads(
  all: Store,
  accountId: FolderRow['account_id'],
  now: number,
): Promise<PendingPush[]> {
  const pushes = await all
    .selectFrom('mail_pushes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('not_before', '<=', now)
    .orderBy('created_at')
    .limit(batchSize)
    .execute()
  const loads: PendingPush[] = []
  for (const push of pushes) {
    const email =
      push.email_id === null
        ? undefined
        : await all
            .selectFrom('emails')
            .selectAll()
            .where('id', '=', push.email_id as EmailRow['id'])
            .executeTakeFirst()
    loads.push({ push, email, location: email && (await serverLocationOf(all, email)) })
  }
  return loads
}

/** Location of a message on the server: its old place while a move is pending. */
async function serverLocationOf(all: Store, email: EmailRow): Promise<PendingPush['location']> {
  const move = await all
    .selectFrom('mail_pushes')
    .select('wanted_json')
    .where('email_id', '=', email.id)
    .where('kind', '=', 'move')
    .executeTakeFirst()
  const moved = move ? (JSON.parse(move.wanted_json) as WantedMove).from : null
  const at = email.uid === null ? moved : { folder_id: email.folder_id, uid: email.uid }
  if (!at || at.folder_id === null) return undefined
  const folder = await all
    .selectFrom('mail_folders')
    .selectAll()
    .where('id', '=', at.folder_id as FolderRow['id'])
    .executeTakeFirst()
  return folder && { folder, uid: at.uid }
}

/** Executes pushes with equal targets together; postpones them if the server refuses. */
async function executeBundle(work: MailSyncRun, bundle: PendingPush[]): Promise<void> {
  const { outside } = work
  outside.signal.throwIfAborted()
  try {
    const done = await execute(work, bundle)
    await outside.write(async ({ all, now }) => {
      await deleteCompleted(all, done)
      for (const { push } of bundle.filter((load) => !done.includes(load)))
        await all
          .updateTable('mail_pushes')
          .set({ not_before: now + recheckDelayMs })
          .where('id', '=', push.id)
          .execute()
    })
  } catch (error) {
    if (!(error instanceof MailFailure) || error.trouble !== 'refused') throw error
    await outside.write(async ({ all, now }) => {
      for (const load of bundle) await postpone(all, load, error.message, now)
    })
  }
}

function execute(work: MailSyncRun, bundle: PendingPush[]): Promise<PendingPush[]> {
  switch (bundle[0]!.push.kind) {
    case 'flags':
      return setFlags(work, bundle)
    case 'labels':
      return setLabels(work, bundle)
    case 'move':
      return move(work, bundle[0]!)
    case 'file':
      return storeSentCopy(work, bundle[0]!)
    case 'draft':
      return pushDraft(work, bundle[0]!)
  }
}

/** Deletes completed pushes, unless they changed in the meantime. */
async function deleteCompleted(all: Store, loads: readonly PendingPush[]): Promise<void> {
  for (const { push } of loads)
    await all
      .deleteFrom('mail_pushes')
      .where('id', '=', push.id)
      .where('version', '=', push.version)
      .execute()
}

async function postpone(
  all: Store,
  load: PendingPush,
  problem: string,
  now: number,
): Promise<void> {
  const { push } = load
  const attempts = push.attempts + 1
  if (attempts >= maxAttempts) return giveUp(all, load)
  const not_before = now + Math.min(maxWaitMs, firstDelayMs * 2 ** attempts)
  await all
    .updateTable('mail_pushes')
    .set({ attempts, problem: problem.slice(0, 300), not_before })
    .where('id', '=', push.id)
    .execute()
}

/** Abandons a push that the server keeps refusing, and restores the server's state here: the old location, and flags by a new comparison. */
async function giveUp(all: Store, { push, email, location }: PendingPush): Promise<void> {
  const { numDeletedRows } = await all
    .deleteFrom('mail_pushes')
    .where('id', '=', push.id)
    .where('version', '=', push.version)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n || !email) return
  if (push.kind === 'move')
    return restoreLocation(all, email, (JSON.parse(push.wanted_json) as WantedMove).from)
  if (location)
    await all
      .updateTable('mail_folders')
      .set({ highest_modseq: null, checked_at: null })
      .where('id', '=', location.folder.id)
      .execute()
}

/** Restores a message's location on the server after a failed move; if unknown, erases it, so that the next sync adds it again. */
async function restoreLocation(
  all: Store,
  email: EmailRow,
  from: WantedMove['from'],
): Promise<void> {
  const folder =
    from &&
    (await all
      .selectFrom('mail_folders')
      .selectAll()
      .where('id', '=', from.folder_id as FolderRow['id'])
      .executeTakeFirst())
  if (from && folder) {
    await assignUid(all, email, folder, from.uid)
    await all
      .updateTable('emails')
      .set({ place: placeOfRole(folder.role, undefined) })
      .where('id', '=', email.id)
      .execute()
    await all
      .updateTable('mail_folders')
      .set({ highest_modseq: null, checked_at: null })
      .where('id', '=', folder.id)
      .execute()
  } else await eraseEmail(all, email)
  await recountThreads(all, [email.thread_id])
}

/** Opens the folder of messages on the server; undefined if their UIDs are no longer valid. */
async function openFolderOf(
  { connection }: MailSyncRun,
  at: PendingPush['location'],
): Promise<{ session: ImapSession; takesKeywords: boolean } | undefined> {
  if (!at) return undefined
  const session = await connection.session()
  const { uidValidity, storesKeywords } = await session.open(at.folder.path)
  return uidValidity === at.folder.uid_validity
    ? { session, takesKeywords: storesKeywords }
    : undefined
}

async function setFlags(work: MailSyncRun, bundle: PendingPush[]): Promise<PendingPush[]> {
  const { unread, starred, answered, spam } = JSON.parse(bundle[0]!.push.wanted_json) as WantedFlags
  const openedFolder = await openFolderOf(work, bundle[0]!.location)
  if (!openedFolder) return withoutEmail(bundle)
  const add: string[] = []
  const remove: string[] = []
  const set = (flag: string, on: boolean | undefined) =>
    on !== undefined && (on ? add : remove).push(flag)
  set('\\Seen', unread === undefined ? undefined : !unread)
  set('\\Flagged', starred)
  set('\\Answered', answered)
  if (openedFolder.takesKeywords && !openedFolder.session.hasLabels) {
    set('$Junk', spam)
    set('$NotJunk', spam === undefined ? undefined : !spam)
  }
  await openedFolder.session.changeFlags(
    bundle.map((load) => load.location!.uid),
    { add, remove },
  )
  return bundle
}

/** Pushes without a location on the server: those of erased messages are completed, the others wait. */
function withoutEmail(bundle: PendingPush[]): PendingPush[] {
  return bundle.filter((load) => !load.email)
}

async function setLabels(work: MailSyncRun, bundle: PendingPush[]): Promise<PendingPush[]> {
  const { add, remove, inbox } = JSON.parse(bundle[0]!.push.wanted_json) as WantedLabels
  const there = await openFolderOf(work, bundle[0]!.location)
  if (!there) return withoutEmail(bundle)
  const uids = bundle.map((load) => load.location!.uid)
  if (there.session.hasLabels) {
    const server = (name: string) => (name === 'important' ? '\\Important' : name)
    const serverLabels = (names: readonly string[], on: boolean) => [
      ...names.map(server),
      ...(inbox === on ? ['\\Inbox'] : []),
    ]
    await there.session.changeLabels(uids, {
      add: serverLabels(add, true),
      remove: serverLabels(remove, false),
    })
  } else if (there.takesKeywords)
    await there.session.changeFlags(uids, {
      add: add.map(keywordOf),
      remove: remove.map(keywordOf),
    })
  return bundle // without keywords on the server, the label exists only locally
}

async function move(work: MailSyncRun, load: PendingPush): Promise<PendingPush[]> {
  const { push, email } = load
  const { outside } = work
  const wanted = JSON.parse(push.wanted_json) as WantedMove
  if (!email) return [load]
  const target = await outside.write(({ all }) =>
    all
      .selectFrom('mail_folders')
      .selectAll()
      .where('id', '=', wanted.folder_id as FolderRow['id'])
      .executeTakeFirst(),
  )
  if (!target)
    return outside.write(({ all }) => restoreLocation(all, email, wanted.from)).then(() => [load]) // the folder was removed in the meantime
  if (email.uid !== null && email.folder_id === target.id) return [load] // the sync found it there already
  const uid = await moveOnServer(work, load, target).then(
    (knownUid) => knownUid ?? uidInTarget(work, email, target),
    (error) => findCopyAfterRefusal(work, email, target, error),
  )
  await outside.write(async ({ all }) => {
    const now = await all
      .selectFrom('mail_pushes')
      .select('version')
      .where('id', '=', push.id)
      .executeTakeFirst()
    if (now?.version !== push.version)
      return updateOrigin(all, push, uid === undefined ? null : { folder_id: target.id, uid })
    if (uid !== undefined) return assignUid(all, email, target, uid)
    await eraseEmail(all, email) // it is in neither folder
    await recountThreads(all, [email.thread_id])
  })
  return [load]
}

/** Moves a message and returns its new UID; undefined if it is not in its old folder, or the server does not report the UID. */
async function moveOnServer(
  work: MailSyncRun,
  { location }: PendingPush,
  target: FolderRow,
): Promise<number | undefined> {
  const there =
    location && location.folder.id !== target.id ? await openFolderOf(work, location) : undefined
  if (!there) return location?.folder.id === target.id ? location.uid : undefined
  try {
    return await there.session.move(location!.uid, target.path)
  } catch (error) {
    if (
      !(error instanceof MailFailure) ||
      error.trouble !== 'refused' ||
      target.uid_validity !== null
    )
      throw error
    await there.session.makeFolder(target.path)
    await there.session.open(location!.folder.path)
    return there.session.move(location!.uid, target.path)
  }
}

/** Finds the UID in the target folder, after an interrupted attempt or if the server did not report it. */
async function uidInTarget(
  work: MailSyncRun,
  email: EmailRow,
  target: FolderRow,
): Promise<number | undefined> {
  const { free, all } = await uidsOfMessage(work, email, target)
  return free[0] ?? all[0]
}

/** Finds the copy that a server may have created before refusing a move. @throws the server's refusal if there is none */
async function findCopyAfterRefusal(
  work: MailSyncRun,
  email: EmailRow,
  target: FolderRow,
  refusal: unknown,
): Promise<number> {
  if (!(refusal instanceof MailFailure) || refusal.trouble !== 'refused') throw refusal
  const { free } =
    target.uid_validity === null ? { free: [] } : await uidsOfMessage(work, email, target)
  if (free.length === 0) throw refusal
  return free[0]!
}

/** UIDs in a folder with the same Message-ID, newest first; `free`: those not assigned to another local message. */
async function uidsOfMessage(
  { connection, outside }: MailSyncRun,
  email: EmailRow,
  target: FolderRow,
): Promise<{ free: number[]; all: number[] }> {
  const session = await connection.session()
  await session.open(target.path)
  const uids = (await session.findMessage(email.message_id)).sort((a, b) => b - a)
  if (uids.length === 0) return { free: [], all: [] }
  const assignedUids = await outside.write(({ all }) =>
    all
      .selectFrom('emails')
      .select('uid')
      .where('folder_id', '=', target.id)
      .where('uid', 'in', uids)
      .where('id', '<>', email.id)
      .execute(),
  )
  return {
    free: uids.filter((uid) => !assignedUids.some((item) => item.uid === uid)),
    all: uids,
  }
}

/** Sets a message's location, and erases the duplicate that the sync may have added there. */
async function assignUid(
  all: Store,
  email: EmailRow,
  { id }: FolderRow,
  uid: number,
): Promise<void> {
  const other = await all
    .selectFrom('emails')
    .select(['id', 'thread_id'])
    .where('folder_id', '=', id)
    .where('uid', '=', uid)
    .where('id', '<>', email.id)
    .executeTakeFirst()
  if (other) {
    await eraseEmail(all, other)
    await recountThreads(all, [other.thread_id])
  }
  await all.updateTable('emails').set({ folder_id: id, uid }).where('id', '=', email.id).execute()
}

/** Updates the origin of a move that was changed again during its push. */
async function updateOrigin(all: Store, push: Push, from: WantedMove['from']): Promise<void> {
  const now = await all
    .selectFrom('mail_pushes')
    .selectAll()
    .where('id', '=', push.id)
    .executeTakeFirst()
  if (!now) return
  const wanted: WantedMove = { ...(JSON.parse(now.wanted_json) as WantedMove), from }
  await all
    .updateTable('mail_pushes')
    .set({ wanted_json: JSON.stringify(wanted) })
    .where('id', '=', push.id)
    .execute()
}
