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
import { applyFlags, applyVanished, eraseEmail, forgetOrigin } from './changes.ts'
import { storeHeaders } from './headers.ts'
import { writeInBatches } from './batches.ts'
import type { MailConnection } from './sessions.ts'
import {
  updateFolder,
  pendingMovesFrom,
  type MailAccount,
  type FolderRow,
  type Store,
} from './store.ts'

/** Messages per fetch, and per database transaction. */
const fetchBatchSize = 200
const writeBatchSize = 40
const flagBatchSize = 200

/** Messages that a visit found deleted; recorded after all folders were checked for new messages. */
export interface Visit {
  folder: FolderRow
  vanished: number[]
  /** Folder columns as of that visit. */
  folderState: Partial<FolderRow>
}

export interface MailSyncRun {
  /** Number of folders on the server, once listed. */
  folderCount?: number
  outside: Outside
  account: MailAccount
  connection: MailConnection
  /** Number of times that folders were renumbered during the run, by folder id. */
  renumbered?: Map<string, number>
  /** Whether the run has stored anything: then a lost connection counts as a first failure. */
  hasAdvanced?: boolean
}

/** Syncs a folder: flags, removed and new messages. */
export async function visitFolder(work: MailSyncRun, folder: FolderRow): Promise<Visit> {
  const { outside } = work
  const session = await work.connection.session()
  const open = await session.open(folder.path)
  if (folder.uid_validity !== open.uidValidity) await startFolderSync(work, folder, open)
  const { states, vanished } = await folderChanges(work, session, folder, open)
  for (const batch of chunks(states, flagBatchSize)) {
    outside.signal.throwIfAborted()
    await outside.write((system) => applyFlags(system, work.account, folder, batch))
  }
  await addNewMessages(work, folder, open)
  return {
    folder,
    vanished,
    folderState: {
      uid_next: open.uidNext,
      highest_modseq: open.modseq ?? null,
      server_total: open.messages,
      checked_at: outside.now(),
      problem: null,
    },
  }
}

/** Syncs only new messages of a folder. */
export async function visitNewMessages(work: MailSyncRun, folder: FolderRow): Promise<void> {
  const open = await (await work.connection.session()).open(folder.path)
  if (folder.uid_validity === open.uidValidity) await addNewMessages(work, folder, open)
}

/** Removes the deleted messages, and records the folder state that the visit saw. */
export async function finishVisit(
  { outside }: MailSyncRun,
  { folder, vanished, folderState }: Visit,
): Promise<void> {
  for (const batch of chunks(vanished, writeBatchSize)) {
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
    await updateFolder(
      all,
      folder,
      folder.is_complete ? { ...folderState, server_unread: Number(unread.count) } : folderState,
    )
  })
}

/**
 * Starts the sync of a new folder, or of one that was recreated under its name: its messages then have other UIDs, and
 * the local ones are matched again by their content.
 */
async function startFolderSync(
  work: MailSyncRun,
  folder: FolderRow,
  open: OpenFolder,
): Promise<void> {
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
  await outside.write(({ all }) => updateFolder(all, folder, initialState))
}

/** Whether the server renumbered a folder's messages twice in one run; once is normal for a recreated folder. */
export function isUnstable({ renumbered }: MailSyncRun, folder: Pick<FolderRow, 'id'>): boolean {
  return (renumbered?.get(folder.id) ?? 0) > 1
}

/** Clears the origins of pending moves out of a folder. */
async function forgetOrigins(all: Store, folder: FolderRow): Promise<void> {
  for (const id of new Set((await pendingMovesFrom(all, folder)).values()))
    await forgetOrigin(all, { id })
}

async function folderChanges(
  { outside }: MailSyncRun,
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

/** UIDs known from the last visit, including those of messages with pending moves out of the folder. */
function knownUids(outside: Outside, folder: FolderRow): Promise<number[]> {
  return outside.write(async ({ all }) => {
    const here = await all
      .selectFrom('emails')
      .select('uid')
      .where('folder_id', '=', folder.id)
      .where('uid', 'is not', null)
      .execute()
    return [...here.map((item) => item.uid!), ...(await pendingMovesFrom(all, folder)).keys()]
  })
}

/** Local UIDs that are not on the server. */
async function missingFrom(
  outside: Outside,
  folder: FolderRow,
  uids: readonly number[],
): Promise<number[]> {
  const serverUids = new Set(uids)
  const here = await outside.write(({ all }) =>
    all
      .selectFrom('emails')
      .select('uid')
      .where('folder_id', '=', folder.id)
      .where('uid', 'is not', null)
      .execute(),
  )
  return here.map((item) => item.uid!).filter((uid) => !serverUids.has(uid))
}

/** Adds messages that arrived since the last visit, oldest first. */
async function addNewMessages(
  work: MailSyncRun,
  folder: FolderRow,
  open: OpenFolder,
): Promise<void> {
  const highest = folder.highest_uid ?? 0
  if (open.uidNext <= highest + 1) return
  const session = await work.connection.session()
  const uids = await session.uids({ above: highest })
  for (const batch of chunks(uids, fetchBatchSize)) {
    await storeFolderHeaders(
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

/** Continues a folder's first sync by one batch, newest first. Returns whether there is more. */
export async function addHistoryBatch(
  work: MailSyncRun,
  folder: FolderRow,
  uidsByFolder: Map<string, number[]>,
): Promise<boolean> {
  const session = await work.connection.session()
  const open = await session.open(folder.path)
  if (open.uidValidity !== folder.uid_validity) {
    uidsByFolder.delete(folder.id)
    await startFolderSync(work, folder, open)
    if (isUnstable(work, folder)) return false // UIDs change before the next command, so nothing can be fetched
  }
  const remainingUids =
    uidsByFolder.get(folder.id) ??
    (await session.uids({ below: folder.lowest_uid ?? open.uidNext }))
  uidsByFolder.set(folder.id, remainingUids)
  const uids = remainingUids.splice(-fetchBatchSize)
  if (uids.length > 0) {
    const headers = await fetchHeaders(work, folder, uids)
    await storeFolderHeaders(
      work,
      folder,
      headers.sort((a, b) => b.uid - a.uid),
      false,
      (uids) => ({ lowest_uid: Math.min(...uids) }),
    )
    await work.outside.write(({ all }) =>
      updateFolder(all, folder, { lowest_uid: Math.min(...uids) }),
    ) // also skips messages deleted in the meantime
  }
  if (remainingUids.length > 0) return true
  await completeFirstSync(work, folder)
  return false
}

/** Ends a folder's first sync: local messages without a UID and without pending pushes no longer exist on the server. */
async function completeFirstSync({ outside }: MailSyncRun, folder: FolderRow): Promise<void> {
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
        .limit(writeBatchSize)
        .execute()
      for (const row of rows) await eraseEmail(all, row)
      return rows.length
    })
    if (removedCount === 0) break
  }
  await outside.write(({ all }) => updateFolder(all, folder, { is_complete: 1 }))
}

async function storeFolderHeaders(
  work: MailSyncRun,
  folder: FolderRow,
  headers: readonly MailHeader[],
  areNews: boolean,
  patch: (uids: number[]) => Partial<FolderRow>,
): Promise<void> {
  const { outside, account } = work
  const recordProgress = (system: TickContext, headers: readonly MailHeader[]) =>
    updateFolder(system.all, folder, patch(headers.map((mailHeader) => mailHeader.uid)))
  await writeInBatches(
    outside,
    headers,
    writeBatchSize,
    (headers) =>
      outside.write(async (system) => {
        await storeHeaders(system, account, folder, headers, areNews)
        await recordProgress(system, headers)
      }),
    (mailHeader) => outside.write((system) => recordProgress(system, [mailHeader])),
  )
  work.hasAdvanced = true
}

/** Fetches headers; if the server's answer is unreadable, halves the request until it finds the faulty message, of which only basic fields are fetched. */
async function fetchHeaders(
  work: MailSyncRun,
  folder: FolderRow,
  uids: readonly number[],
): Promise<MailHeader[]> {
  try {
    const headers = await (await work.connection.session()).headers(uids)
    return headers.sort((a, b) => a.uid - b.uid)
  } catch (error) {
    if (!(error instanceof MailFailure) || !['unreadable', 'refused'].includes(error.trouble))
      throw error
    work.connection.discard()
    await (await work.connection.session()).open(folder.path)
    if (uids.length === 1) return (await work.connection.session()).bareHeaders(uids)
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
