import { chunks } from '../../../kernel/chunks.ts'
import type { FlagState } from '../../../connectors/imap/folder-changes.ts'
import {
  type ImapSession,
  MailFailure,
  type MailHeader,
  type OpenFolder,
} from '../../../connectors/imap/imap.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { applyFlags, applyVanished, erase, forgetOrigin } from './changes.ts'
import { takeHeaders } from './headers.ts'
import { writePieces } from './batches.ts'
import type { Line } from './sessions.ts'
import { changeFolder, movingFrom, type MailAccount, type FolderRow, type Store } from './store.ts'

/** Messages fetched at once, and put into the database in one transaction. */
const fetchedAtOnce = 200
const writtenAtOnce = 40
const flaggedAtOnce = 200

/** Messages that a visit found deleted; recorded after all folders were checked for new messages. */
export interface Visit {
  folder: FolderRow
  vanished: number[]
  /** Folder columns as of that visit. */
  seen: Partial<FolderRow>
}

export interface Work {
  /** Folders that the mailbox has on the server, once they were listed. */
  folderCount?: number
  outside: Outside
  account: MailAccount
  line: Line
  /** Folders, by id, whose messages got new UIDs during the run, and how often. */
  renumbered?: Map<string, number>
  /** Whether something was brought over since it began: then a server that goes away is no worse than one that comes back. */
  hasAdvanced?: boolean
}

/** Looks at what changed in a folder: flags, what is gone, what is new. */
export async function visit(work: Work, folder: FolderRow): Promise<Visit> {
  const { outside } = work
  const session = await work.line.session()
  const open = await session.open(folder.path)
  if (folder.uid_validity !== open.uidValidity) await beginFolder(work, folder, open)
  const { states, vanished } = await changesIn(work, session, folder, open)
  for (const batch of chunks(states, flaggedAtOnce)) {
    outside.signal.throwIfAborted()
    await outside.write((system) => applyFlags(system, work.account, folder, batch))
  }
  await takeNews(work, folder, open)
  return {
    folder,
    vanished,
    seen: {
      uid_next: open.uidNext,
      highest_modseq: open.modseq ?? null,
      server_total: open.messages,
      checked_at: outside.now(),
      problem: null,
    },
  }
}

/** Looks for what is new alone. */
export async function visitNews(work: Work, folder: FolderRow): Promise<void> {
  const open = await (await work.line.session()).open(folder.path)
  if (folder.uid_validity === open.uidValidity) await takeNews(work, folder, open)
}

/** Removes the deleted messages, and records the folder state that the visit saw. */
export async function finishVisit(
  { outside }: Work,
  { folder, vanished, seen }: Visit,
): Promise<void> {
  for (const batch of chunks(vanished, writtenAtOnce)) {
    outside.signal.throwIfAborted()
    await outside.write((system) => applyVanished(system, folder, batch))
  }
  await outside.write(async ({ all }) => {
    const unread = await all
      .selectFrom('emails')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('folder_id', '=', folder.id)
      .where('unread', '=', 1)
      .executeTakeFirstOrThrow()
    await changeFolder(
      all,
      folder,
      folder.is_complete ? { ...seen, server_unread: Number(unread.count) } : seen,
    )
  })
}

/**
 * A folder that is seen for the first time, or that was made anew under its name: then its messages have other UIDs, and those that are
 * here find theirs again by what they are.
 */
async function beginFolder(work: Work, folder: FolderRow, open: OpenFolder): Promise<void> {
  const { outside } = work
  if (folder.uid_validity !== null) {
    work.renumbered ??= new Map()
    work.renumbered.set(folder.id, (work.renumbered.get(folder.id) ?? 0) + 1)
  }
  for (;;) {
    const { numUpdatedRows } = await outside.write(async ({ all }) => {
      const emailBatch = all
        .selectFrom('emails')
        .select('id')
        .where('folder_id', '=', folder.id)
        .where('uid', 'is not', null)
        .limit(1000)
      return all
        .updateTable('emails')
        .set({ uid: null })
        .where('id', 'in', emailBatch)
        .executeTakeFirstOrThrow()
    })
    if (Number(numUpdatedRows) === 0) break
  }
  await outside.write(({ all }) => forgetOrigins(all, folder))
  const initialState = {
    uid_validity: open.uidValidity,
    uid_next: open.uidNext,
    highest_modseq: open.modseq ?? null,
    highest_uid: open.uidNext - 1,
    lowest_uid: open.uidNext,
    is_complete: 0,
  } as const
  await outside.write(({ all }) => changeFolder(all, folder, initialState))
}

/** Whether the server numbered the messages of a folder anew twice in one run: once is how it tells that the folder was made anew. */
export function isUnsteady({ renumbered }: Work, folder: Pick<FolderRow, 'id'>): boolean {
  return (renumbered?.get(folder.id) ?? 0) > 1
}

/** Moves that wait to be carried out of the folder do not know any more where in it their messages are. */
async function forgetOrigins(all: Store, folder: FolderRow): Promise<void> {
  for (const id of new Set((await movingFrom(all, folder)).values()))
    await forgetOrigin(all, { id })
}

async function changesIn(
  { outside }: Work,
  session: ImapSession,
  folder: FolderRow,
  open: OpenFolder,
): Promise<{ states: FlagState[]; vanished: number[] }> {
  if (folder.highest_modseq !== null && open.modseq !== undefined) {
    if (folder.highest_modseq === open.modseq) return { states: [], vanished: [] }
    const { changed, vanished } = await session.changesSince(folder.highest_modseq)
    if (session.reportsVanished)
      return {
        states: changed,
        vanished: vanished.isEmpty ? [] : vanished.intersect(await knownUids(outside, folder)),
      }
    return { states: changed, vanished: await missingFrom(outside, folder, await session.uids()) }
  }
  const states = await session.flags('all')
  return {
    states,
    vanished: await missingFrom(
      outside,
      folder,
      states.map((state) => state.uid),
    ),
  }
}

/** UIDs that the server had when it was asked last, of messages that are on their way out of the folder, too. */
function knownUids(outside: Outside, folder: FolderRow): Promise<number[]> {
  return outside.write(async ({ all }) => {
    const here = await all
      .selectFrom('emails')
      .select('uid')
      .where('folder_id', '=', folder.id)
      .where('uid', 'is not', null)
      .execute()
    return [...here.map((item) => item.uid!), ...(await movingFrom(all, folder)).keys()]
  })
}

/** UIDs that are here and not on the server. */
async function missingFrom(
  outside: Outside,
  folder: FolderRow,
  uids: readonly number[],
): Promise<number[]> {
  const there = new Set(uids)
  const here = await outside.write(({ all }) =>
    all
      .selectFrom('emails')
      .select('uid')
      .where('folder_id', '=', folder.id)
      .where('uid', 'is not', null)
      .execute(),
  )
  return here.map((item) => item.uid!).filter((uid) => !there.has(uid))
}

/** Takes in what came since the folder was looked at last, the oldest first. */
async function takeNews(work: Work, folder: FolderRow, open: OpenFolder): Promise<void> {
  const highest = folder.highest_uid ?? 0
  if (open.uidNext <= highest + 1) return
  const session = await work.line.session()
  const uids = await session.uids({ above: highest })
  for (const batch of chunks(uids, fetchedAtOnce)) {
    await takeFolderHeaders(
      work,
      folder,
      await fetchHeaders(work, folder, batch),
      true,
      (uids) => ({
        highest_uid: Math.max(...uids),
      }),
    )
  }
}

/** The rest of a folder's first sync, the newest first: one piece of it. Whether there is more. */
export async function takeHistory(
  work: Work,
  folder: FolderRow,
  uidsByFolder: Map<string, number[]>,
): Promise<boolean> {
  const session = await work.line.session()
  const open = await session.open(folder.path)
  if (open.uidValidity !== folder.uid_validity) {
    uidsByFolder.delete(folder.id)
    await beginFolder(work, folder, open)
    if (isUnsteady(work, folder)) return false // its UIDs are others by the next command: nothing can be fetched by them
  }
  const left =
    uidsByFolder.get(folder.id) ??
    (await session.uids({ below: folder.lowest_uid ?? open.uidNext }))
  uidsByFolder.set(folder.id, left)
  const uids = left.splice(-fetchedAtOnce)
  if (uids.length > 0) {
    const headers = await fetchHeaders(work, folder, uids)
    await takeFolderHeaders(
      work,
      folder,
      headers.sort((a, b) => b.uid - a.uid),
      false,
      (uids) => ({ lowest_uid: Math.min(...uids) }),
    )
    await work.outside.write(({ all }) =>
      changeFolder(all, folder, { lowest_uid: Math.min(...uids) }),
    ) // also below what was gone meanwhile
  }
  if (left.length > 0) return true
  await complete(work, folder)
  return false
}

/** The oldest was reached: what found no place on the server by then, and waits for none, is not there. */
async function complete({ outside }: Work, folder: FolderRow): Promise<void> {
  for (;;) {
    const removedCount = await outside.write(async ({ all }) => {
      const rows = await all
        .selectFrom('emails')
        .select('emails.id')
        .where('folder_id', '=', folder.id)
        .where('uid', 'is', null)
        .where('delivery', 'in', ['received', 'sent'])
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('mail_pushes')
                .select('mail_pushes.id')
                .whereRef('mail_pushes.email_id', '=', 'emails.id'),
            ),
          ),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('email_outbox')
                .select('email_outbox.email_id')
                .whereRef('email_outbox.email_id', '=', 'emails.id')
                .where('state', '<>', 'filed'),
            ),
          ),
        )
        .limit(writtenAtOnce)
        .execute()
      for (const row of rows) await erase(all, row)
      return rows.length
    })
    if (removedCount === 0) break
  }
  await outside.write(({ all }) => changeFolder(all, folder, { is_complete: 1 }))
}

async function takeFolderHeaders(
  work: Work,
  folder: FolderRow,
  headers: readonly MailHeader[],
  areNews: boolean,
  patch: (uids: number[]) => Partial<FolderRow>,
): Promise<void> {
  const { outside, account } = work
  const reached = (system: TickContext, headers: readonly MailHeader[]) =>
    changeFolder(system.all, folder, patch(headers.map((mailHeader) => mailHeader.uid)))
  await writePieces(
    outside,
    headers,
    writtenAtOnce,
    (headers) =>
      outside.write(async (system) => {
        await takeHeaders(system, account, folder, headers, areNews)
        await reached(system, headers)
      }),
    (mailHeader) => outside.write((system) => reached(system, [mailHeader])),
  )
  work.hasAdvanced = true
}

/** The headers of messages; of one that makes the server's answer unreadable only what is plain. It asks for less and less, until it knows which one that is. */
async function fetchHeaders(
  work: Work,
  folder: FolderRow,
  uids: readonly number[],
): Promise<MailHeader[]> {
  try {
    const headers = await (await work.line.session()).headers(uids)
    return headers.sort((a, b) => a.uid - b.uid)
  } catch (error) {
    if (!(error instanceof MailFailure) || !['unreadable', 'refused'].includes(error.trouble))
      throw error
    work.line.drop()
    await (await work.line.session()).open(folder.path)
    if (uids.length === 1) return (await work.line.session()).bareHeaders(uids)
    work.outside.log.warn('messages of a mailbox could not be listed together', {
      account: work.account.id,
      messages: uids.length,
      why: error.message,
    })
    const half = Math.ceil(uids.length / 2)
    return [
      ...(await fetchHeaders(work, folder, uids.slice(0, half))),
      ...(await fetchHeaders(work, folder, uids.slice(half))),
    ]
  }
}
