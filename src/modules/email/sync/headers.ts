import { omitUndefined } from '../../../kernel/present.ts'
import type { MailHeader } from '../../../connectors/imap/imap.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { SearchIndex } from '../../../search/index.ts'
import { ownAddresses, recountThreads, wakeAnswered } from '../threads/access.ts'
import { emailSearchLines } from '../messages/search-lines.ts'
import {
  addressRows,
  attachmentRows,
  newEmailRow,
  labelRows,
  messageLabelsOf,
  threadInputOf,
  type MessageContext,
} from './messages.ts'
import {
  loadEmailsByUid,
  insertMany,
  type MailAccount,
  type EmailRow,
  type FolderRow,
  type Store,
} from './store.ts'
import { Threads } from './threads.ts'
import { dayLength } from '../../../kernel/time/times.ts'

const search = new SearchIndex()
/**
 * Maximum age of new mail in milliseconds; older messages were added to the server by another program, and their
 * owner is not notified.
 */
const maxNewsAge = 2 * dayLength

/**
 * Adds messages of a folder, inside a transaction; known ones stay unchanged. `areNews`: they arrived after the
 * folder's first sync, so that their owner is notified and rules apply; otherwise they are history.
 */
export async function storeHeaders(
  system: TickContext,
  account: MailAccount,
  folder: FolderRow,
  headers: readonly MailHeader[],
  areNews: boolean,
): Promise<number> {
  const { all, now } = system
  const knownByUid = await loadEmailsByUid(
    all,
    folder,
    headers.map((header) => header.uid),
  )
  const context: MessageContext = {
    account,
    folder,
    ownAddresses: await ownAddresses(all, account.owner_id),
    labels: await labelNames(all, account, headers),
    now,
  }
  const drafts =
    folder.role === 'drafts'
      ? await ownDrafts(all, account, headers)
      : new Set<string | undefined>()
  const newMessages = headers
    .filter((header) => !knownByUid.has(header.uid) && !drafts.has(header.messageId))
    .map((header) => ({ header, row: newEmailRow(header, context) }))
  if (newMessages.length === 0) return 0
  const unplaced = await messagesWithSameIds(
    all,
    account,
    newMessages.map((item) => item.row),
  )
  const threads = new Threads(all, account, now)
  const { added, duplicates } = await adoptKnown(all, newMessages, unplaced, threads)
  const threaded = added.map(({ row, header }) => threadInputOf(row, header))
  await threads.prepare(threaded)
  for (const [i, { row }] of added.entries()) row.thread_id = await threads.find(threaded[i]!)
  await threads.save()
  for (const [i, { row }] of added.entries()) row.thread_id = await threads.find(threaded[i]!) // a later message may have merged two conversations
  await insertEmails(all, added, context)
  const news = areNews
    ? added.map((item) => item.row).filter((row) => isNews(row, now) && !duplicates.has(row.id))
    : []
  await recountThreads(all, threads.touched)
  if (news.length > 0) await announceNewMail(system, account, news)
  return added.length
}

interface FreshMessage {
  header: MailHeader
  row: EmailRow
}

/**
 * Assigns headers to local messages without a location on the server. Returns the messages still to be added;
 * `duplicates`: ids of those that are already stored with another location.
 */
async function adoptKnown(
  all: Store,
  fresh: readonly FreshMessage[],
  unplaced: Awaited<ReturnType<typeof messagesWithSameIds>>,
  threads: Threads,
): Promise<{ added: FreshMessage[]; duplicates: Set<string> }> {
  const added: FreshMessage[] = []
  const duplicates = new Set<string>()
  for (const item of fresh) {
    const sameIdRows = unplaced.get(item.row.message_id) ?? []
    const unplacedRow = sameIdRows.find((there) => isSameMessage(there, item.row))
    if (unplacedRow) {
      unplaced.set(
        item.row.message_id,
        sameIdRows.filter((there) => there !== unplacedRow),
      )
      await assignLocation(all, unplacedRow, item.row)
      threads.touched.add(unplacedRow.thread_id)
      continue
    }
    if (sameIdRows.some((there) => there.size_bytes === item.row.size_bytes))
      duplicates.add(item.row.id)
    added.push(item)
  }
  return { added, duplicates }
}

async function insertEmails(
  all: Store,
  added: readonly { header: MailHeader; row: EmailRow }[],
  around: MessageContext,
): Promise<void> {
  await insertMany(
    all,
    'emails',
    added.map((item) => item.row),
  )
  await insertMany(
    all,
    'email_addresses',
    added.flatMap(({ row, header }) => addressRows(row, header)),
  )
  await insertMany(
    all,
    'email_labels',
    added.flatMap(({ row, header }) =>
      labelRows(row, messageLabelsOf(header.flags, header.labels, around.labels)),
    ),
  )
  const attached = added.map(({ row, header }) => attachmentRows(row, header))
  await insertMany(all, 'email_attachments', attached.flat())
  const lines = added.flatMap(({ row }, i) =>
    emailSearchLines(
      row,
      '',
      attached[i]!.filter((item) => item.is_inline === 0),
    ),
  )
  await search.addAll(all, around.account.org_id, lines)
}

/** Queues rules for new messages, ends snoozes that wait for a reply, and emits events for the owner. */
async function announceNewMail(
  system: TickContext,
  account: MailAccount,
  rows: readonly EmailRow[],
): Promise<void> {
  const { org_id, owner_id } = account
  const queued = rows.filter((row) => row.place === 'inbox')
  await insertMany(
    system.all,
    'email_rule_queue',
    queued.map((row) => ({
      email_id: row.id,
      org_id,
      owner_id,
      rule_id: null,
      added_at: system.now,
    })),
  )
  await wakeAnswered(
    system.all,
    rows.map((row) => row.thread_id),
  )
  await system.as(owner_id, async (ctx) => {
    for (const row of rows) ctx.event('email.received', 'emails', row, owner_id)
  })
}

function isNews(row: EmailRow, now: number): boolean {
  return (
    row.is_own === 0 &&
    ['inbox', 'archive', 'folder'].includes(row.place) &&
    row.received_at > now - maxNewsAge
  )
}

/** Message-IDs of local drafts, of which the server has only copies. */
async function ownDrafts(
  all: Store,
  account: MailAccount,
  headers: readonly MailHeader[],
): Promise<ReadonlySet<string | undefined>> {
  const ids = headers.flatMap((header) => header.messageId ?? [])
  if (ids.length === 0) return new Set()
  const rows = await all
    .selectFrom('email_drafts')
    .select('message_id')
    .where('account_id', '=', account.id)
    .where('message_id', 'in', ids)
    .where('state', '<>', 'sent')
    .execute()
  return new Set(rows.map((row) => row.message_id))
}

/** Messages of the account with the same ids as these. */
async function messagesWithSameIds(
  all: Store,
  account: MailAccount,
  rows: readonly EmailRow[],
): Promise<Map<string, EmailRow[]>> {
  const matchingRows = await all
    .selectFrom('emails')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('message_id', 'in', [...new Set(rows.map((row) => row.message_id))])
    .execute()
  return Map.groupBy(matchingRows, (row) => row.message_id)
}

/** Whether a local message without a known location (recreated folder, moved, being sent) is the one listed by the server. */
function isSameMessage(there: EmailRow, incoming: EmailRow): boolean {
  if (there.uid !== null) return false
  if (there.folder_id === incoming.folder_id)
    return there.size_bytes === incoming.size_bytes || there.delivery !== 'received'
  return there.folder_id === null && incoming.is_own === 1
}

async function assignLocation(all: Store, mine: EmailRow, serverRow: EmailRow): Promise<void> {
  const { folder_id, uid, size_bytes, modseq, server_message, server_thread } = serverRow
  await all
    .updateTable('emails')
    .set(
      omitUndefined({
        folder_id,
        uid,
        size_bytes,
        modseq,
        server_message,
        server_thread,
        place: mine.delivery === 'received' ? undefined : serverRow.place,
      }),
    )
    .where('id', '=', mine.id)
    .execute()
}

async function labelNames(
  all: Store,
  account: MailAccount,
  headers: readonly MailHeader[],
): Promise<string[]> {
  if (!headers.some((header) => header.flags.some((flag) => !flag.startsWith('\\')))) return []
  const rows = await all
    .selectFrom('email_labels')
    .select('name')
    .distinct()
    .where('account_id', '=', account.id)
    .limit(1000)
    .execute()
  return rows.map((row) => row.name)
}
