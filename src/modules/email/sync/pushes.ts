import type { Load } from './load.ts'
import { MailFailure, type ImapSession } from '../../../connectors/imap/imap.ts'
import type { Row } from '../../../records/resource.ts'
import type { WantedFlags, WantedLabels, WantedMove } from '../messages/wanted-changes.ts'
import { recountThreads } from '../threads/access.ts'
import { keywordOf } from '../mailboxes/keywords.ts'
import { placeOfRole } from '../mailboxes/placement.ts'
import { erase } from './changes.ts'
import { pushDraft } from './drafts.ts'
import { fileCopy } from './copies.ts'
import type { EmailRow, FolderRow, Store } from './store.ts'
import type { Work } from './folder-visits.ts'

/**
 * Carries to the server what was done here. What a kill cuts off between the server and us is done again, and changes nothing then:
 * flags and labels are set as they shall be; of a move the message is looked for where it shall be. A push that changed under way stays.
 */

type Push = Row<'mail_pushes'>

const batchSize = 200
const firstWait = 10_000
const maxWaitMs = 3600_000
/** Milliseconds to wait before looking again for a message that the server does not have yet. */
const looksAgain = 30_000
/** Number of refusals after which a push is abandoned: the server's state then applies here, too (giveUp). */
const maxAttempts = 12

/** Carries what is due; whether there may be more. */
export async function carryPushes(work: Work): Promise<boolean> {
  const { outside, account } = work
  const loads = await outside.write(({ all, now }) => dueLoads(all, account.id, now))
  if (loads.length === 0) return false
  for (const kind of ['file', 'draft', 'flags', 'labels', 'move'] as const) {
    const kindLoads = loads.filter((load) => load.push.kind === kind)
    const bundles =
      kind === 'flags' || kind === 'labels'
        ? [
            ...Map.groupBy(
              kindLoads,
              (load) => `${load.at?.folder.id} ${load.push.wanted_json}`,
            ).values(),
          ]
        : kindLoads.map((load) => [load])
    for (const bundle of bundles) await carried(work, bundle)
  }
  return loads.length === batchSize
}

async function dueLoads(
  all: Store,
  accountId: FolderRow['account_id'],
  now: number,
): Promise<Load[]> {
  const pushes = await all
    .selectFrom('mail_pushes')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('not_before', '<=', now)
    .orderBy('created_at')
    .limit(batchSize)
    .execute()
  const loads: Load[] = []
  for (const push of pushes) {
    const email =
      push.email_id === null
        ? undefined
        : await all
            .selectFrom('emails')
            .selectAll()
            .where('id', '=', push.email_id as EmailRow['id'])
            .executeTakeFirst()
    loads.push({ push, email, at: email && (await whereIs(all, email)) })
  }
  return loads
}

/** Location of a message on the server: its old place while a move is pending. */
async function whereIs(all: Store, email: EmailRow): Promise<Load['at']> {
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

/** Carries pushes that are alike; where the server refuses, later again. */
async function carried(work: Work, bundle: Load[]): Promise<void> {
  const { outside } = work
  outside.signal.throwIfAborted()
  try {
    const done = await carry(work, bundle)
    await outside.write(async ({ all, now }) => {
      await strike(all, done)
      for (const { push } of bundle.filter((load) => !done.includes(load)))
        await all
          .updateTable('mail_pushes')
          .set({ not_before: now + looksAgain })
          .where('id', '=', push.id)
          .execute()
    })
  } catch (error) {
    if (!(error instanceof MailFailure) || error.trouble !== 'refused') throw error
    await outside.write(async ({ all, now }) => {
      for (const load of bundle) await putOff(all, load, error.message, now)
    })
  }
}

function carry(work: Work, bundle: Load[]): Promise<Load[]> {
  switch (bundle[0]!.push.kind) {
    case 'flags':
      return setFlags(work, bundle)
    case 'labels':
      return setLabels(work, bundle)
    case 'move':
      return move(work, bundle[0]!)
    case 'file':
      return fileCopy(work, bundle[0]!)
    case 'draft':
      return pushDraft(work, bundle[0]!)
  }
}

/** Deletes completed pushes, unless they changed in the meantime. */
async function strike(all: Store, loads: readonly Load[]): Promise<void> {
  for (const { push } of loads)
    await all
      .deleteFrom('mail_pushes')
      .where('id', '=', push.id)
      .where('version', '=', push.version)
      .execute()
}

async function putOff(all: Store, load: Load, problem: string, now: number): Promise<void> {
  const { push } = load
  const attempts = push.attempts + 1
  if (attempts >= maxAttempts) return giveUp(all, load)
  const not_before = now + Math.min(maxWaitMs, firstWait * 2 ** attempts)
  await all
    .updateTable('mail_pushes')
    .set({ attempts, problem: problem.slice(0, 300), not_before })
    .where('id', '=', push.id)
    .execute()
}

/** Strikes off what the server will never do, and lets what it has hold here: a message lies where it was, and its flags are compared anew. */
async function giveUp(all: Store, { push, email, at }: Load): Promise<void> {
  const { numDeletedRows } = await all
    .deleteFrom('mail_pushes')
    .where('id', '=', push.id)
    .where('version', '=', push.version)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n || !email) return
  if (push.kind === 'move')
    return backHome(all, email, (JSON.parse(push.wanted_json) as WantedMove).from)
  if (at)
    await all
      .updateTable('mail_folders')
      .set({ highest_modseq: null, checked_at: null })
      .where('id', '=', at.folder.id)
      .execute()
}

/** A message that cannot be where it was to go is where the server has it; where that is not known, it comes in again with its folder. */
async function backHome(all: Store, email: EmailRow, from: WantedMove['from']): Promise<void> {
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
  } else await erase(all, email)
  await recountThreads(all, [email.thread_id])
}

/** Opens the folder in which the server has messages; undefined where they cannot be told there any more. */
async function opened(
  { line }: Work,
  at: Load['at'],
): Promise<{ session: ImapSession; takesKeywords: boolean } | undefined> {
  if (!at) return undefined
  const session = await line.session()
  const { uidValidity, storesKeywords } = await session.open(at.folder.path)
  return uidValidity === at.folder.uid_validity
    ? { session, takesKeywords: storesKeywords }
    : undefined
}

async function setFlags(work: Work, bundle: Load[]): Promise<Load[]> {
  const { unread, starred, answered, spam } = JSON.parse(bundle[0]!.push.wanted_json) as WantedFlags
  const there = await opened(work, bundle[0]!.at)
  if (!there) return withoutEmail(bundle)
  const add: string[] = []
  const remove: string[] = []
  const set = (flag: string, on: boolean | undefined) =>
    on !== undefined && (on ? add : remove).push(flag)
  set('\\Seen', unread === undefined ? undefined : !unread)
  set('\\Flagged', starred)
  set('\\Answered', answered)
  if (there.takesKeywords && !there.session.hasLabels) {
    set('$Junk', spam)
    set('$NotJunk', spam === undefined ? undefined : !spam)
  }
  await there.session.changeFlags(
    bundle.map((load) => load.at!.uid),
    { add, remove },
  )
  return bundle
}

/** Without a place on the server there is nothing to be set: a message that is being moved or sent gets it later, one that is gone never. */
function withoutEmail(bundle: Load[]): Load[] {
  return bundle.filter((load) => !load.email)
}

async function setLabels(work: Work, bundle: Load[]): Promise<Load[]> {
  const { add, remove, inbox } = JSON.parse(bundle[0]!.push.wanted_json) as WantedLabels
  const there = await opened(work, bundle[0]!.at)
  if (!there) return withoutEmail(bundle)
  const uids = bundle.map((load) => load.at!.uid)
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
  return bundle // where the server keeps no keywords, the label is one of ours alone
}

async function move(work: Work, load: Load): Promise<Load[]> {
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
    return outside.write(({ all }) => backHome(all, email, wanted.from)).then(() => [load]) // the folder was removed meanwhile
  if (email.uid !== null && email.folder_id === target.id) return [load] // the sync found it there already
  const uid = await brought(work, load, target).then(
    (knownUid) => knownUid ?? uidInTarget(work, email, target),
    (error) => foundAnyhow(work, email, target, error),
  )
  await outside.write(async ({ all }) => {
    const now = await all
      .selectFrom('mail_pushes')
      .select('version')
      .where('id', '=', push.id)
      .executeTakeFirst()
    if (now?.version !== push.version)
      return startAgain(all, push, uid === undefined ? null : { folder_id: target.id, uid })
    if (uid !== undefined) return assignUid(all, email, target, uid)
    await erase(all, email) // it is neither where it was nor where it was to go
    await recountThreads(all, [email.thread_id])
  })
  return [load]
}

/** Moves it, and says where it is then; undefined where it is not where it was, or the server does not tell. */
async function brought(work: Work, { at }: Load, target: FolderRow): Promise<number | undefined> {
  const there = at && at.folder.id !== target.id ? await opened(work, at) : undefined
  if (!there) return at?.folder.id === target.id ? at.uid : undefined
  try {
    return await there.session.move(at!.uid, target.path)
  } catch (error) {
    if (
      !(error instanceof MailFailure) ||
      error.trouble !== 'refused' ||
      target.uid_validity !== null
    )
      throw error
    await there.session.makeFolder(target.path)
    await there.session.open(at!.folder.path)
    return there.session.move(at!.uid, target.path)
  }
}

/** Its UID where it was to go: there it is where an earlier try was cut off, or the server did not tell. */
async function uidInTarget(
  work: Work,
  email: EmailRow,
  target: FolderRow,
): Promise<number | undefined> {
  const { free, all } = await sameIn(work, email, target)
  return free[0] ?? all[0]
}

/** A server that refused the move may have made the copy that it begins with. Else the message is where it was. @throws what the server said */
async function foundAnyhow(
  work: Work,
  email: EmailRow,
  target: FolderRow,
  refusal: unknown,
): Promise<number> {
  if (!(refusal instanceof MailFailure) || refusal.trouble !== 'refused') throw refusal
  const { free } = target.uid_validity === null ? { free: [] } : await sameIn(work, email, target)
  if (free.length === 0) throw refusal
  return free[0]!
}

/** UIDs of messages in a folder with the same Message-ID, the newest first, and those of them that no other message here has. */
async function sameIn(
  { line, outside }: Work,
  email: EmailRow,
  target: FolderRow,
): Promise<{ free: number[]; all: number[] }> {
  const session = await line.session()
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
  return { free: uids.filter((uid) => !assignedUids.some((item) => item.uid === uid)), all: uids }
}

/** The message is there from now on; what the sync took for another one meanwhile is this one. */
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
    await erase(all, other)
    await recountThreads(all, [other.thread_id])
  }
  await all.updateTable('emails').set({ folder_id: id, uid }).where('id', '=', email.id).execute()
}

/** It was moved on here while it was on its way. */
async function startAgain(all: Store, push: Push, from: WantedMove['from']): Promise<void> {
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
