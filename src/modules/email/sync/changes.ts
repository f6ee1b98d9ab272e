import type { FlagState } from '../../../connectors/imap/folder-changes.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { SearchIndex } from '../../../search/index.ts'
import type { WantedFlags, WantedLabels, WantedMove } from '../messages/wanted-changes.ts'
import { recountThreads } from '../threads/access.ts'
import { placeOfRole } from '../mailboxes/placement.ts'
import { emailSearchLines } from '../messages/search-lines.ts'
import { flagColumns, messageLabelsOf } from './messages.ts'
import {
  loadEmailsByUid,
  insertMany,
  pendingMovesFrom,
  pendingPushesOf,
  type MailAccount,
  type EmailRow,
  type FolderRow,
  type Store,
} from './store.ts'

const search = new SearchIndex()

/** Stores the server's flags and labels; local changes not pushed yet stay. Inside a transaction. */
export async function applyFlags(
  system: TickContext,
  account: MailAccount,
  folder: FolderRow,
  states: readonly FlagState[],
): Promise<void> {
  const { all, now } = system
  const rows = await loadEmailsByUid(
    all,
    folder,
    states.map((state) => state.uid),
  )
  const pending = await pendingPushesOf(
    all,
    [...rows.values()].map((row) => row.id),
  )
  const touched = new Set<string>()
  const changed: EmailRow[] = []
  const labelNames = states.some(
    (state) => state.labels !== undefined || state.flags.some((flag) => !flag.startsWith('\\')),
  )
    ? await knownLabels(all, account)
    : []
  for (const state of states) {
    const row = rows.get(state.uid)
    if (!row) continue
    const pendingPushes = pending.get(row.id)
    const patch = {
      ...flagsPatch(state, pendingPushes?.get('flags') as WantedFlags | undefined),
      ...(pendingPushes?.has('move')
        ? {}
        : placePatch(folder, row, state, pendingPushes?.get('labels') as WantedLabels | undefined)),
    }
    const isChanged = Object.entries(patch).some(
      ([column, value]) => row[column as keyof EmailRow] !== value,
    )
    const haveLabelsChanged = await applyLabels(
      all,
      row,
      messageLabelsOf(state.flags, state.labels, labelNames),
      pendingPushes?.get('labels') as WantedLabels | undefined,
      now,
    )
    if (!isChanged && !haveLabelsChanged) continue
    await all
      .updateTable('emails')
      .set({ ...patch, modseq: state.modseq ?? null, revision: row.revision + 1, updated_at: now })
      .where('id', '=', row.id)
      .execute()
    touched.add(row.thread_id)
    changed.push({ ...row, ...patch })
  }
  await recountThreads(all, touched)
  await emitChanged(system, account, changed)
}

/** Emits events for changes by other programs, so that followers receive them, too. */
async function emitChanged(
  system: TickContext,
  { owner_id }: Pick<MailAccount, 'owner_id'>,
  rows: readonly EmailRow[],
): Promise<void> {
  if (rows.length === 0) return
  await system.as(
    owner_id,
    async (ctx) => {
      for (const row of rows) ctx.event('email.updated', 'emails', row, owner_id)
    },
    { via: 'sync' },
  )
}

function flagsPatch(state: FlagState, wanted: WantedFlags = {}): Partial<EmailRow> {
  const columns = flagColumns(state.flags)
  return Object.fromEntries(Object.entries(columns).filter(([column]) => !(column in wanted)))
}

/** Location columns of a message; in a mailbox with labels, these determine its place. */
function placePatch(
  folder: FolderRow,
  row: EmailRow,
  state: FlagState,
  wanted: WantedLabels | undefined,
): Partial<EmailRow> {
  if (
    folder.role !== 'all' ||
    !state.labels ||
    wanted?.inbox !== undefined ||
    row.folder_id !== folder.id
  )
    return {}
  return { place: placeOfRole(folder.role, state.labels) }
}

async function applyLabels(
  all: Store,
  row: EmailRow,
  serverLabels: readonly string[],
  wanted: WantedLabels | undefined,
  now: number,
): Promise<boolean> {
  const wantedNames = new Set([
    ...serverLabels.filter((name) => !wanted?.remove.includes(name)),
    ...(wanted?.add ?? []),
  ])
  const currentNames = new Set(
    (
      await all.selectFrom('email_labels').select('name').where('email_id', '=', row.id).execute()
    ).map((item) => item.name),
  )
  const removedNames = [...currentNames].filter((name) => !wantedNames.has(name))
  const addedNames = [...wantedNames].filter((name) => !currentNames.has(name))
  if (removedNames.length > 0)
    await all
      .deleteFrom('email_labels')
      .where('email_id', '=', row.id)
      .where('name', 'in', removedNames)
      .execute()
  await insertMany(
    all,
    'email_labels',
    addedNames.map((name) => ({
      email_id: row.id,
      name,
      org_id: row.org_id,
      account_id: row.account_id,
      added_at: now,
    })),
  )
  return removedNames.length + addedNames.length > 0
}

async function knownLabels(all: Store, account: MailAccount): Promise<string[]> {
  const rows = await all
    .selectFrom('email_labels')
    .select('name')
    .distinct()
    .where('account_id', '=', account.id)
    .limit(1000)
    .execute()
  return rows.map((row) => row.name)
}

/**
 * Applies the removal of messages from a folder. If the same message is now elsewhere, another program moved it: it
 * keeps its id and takes the new location. The others are erased. Callers must have checked all folders for new messages first. Inside a transaction.
 */
export async function applyVanished(
  system: TickContext,
  folder: FolderRow,
  uids: readonly number[],
): Promise<void> {
  const { all, now } = system
  const moved: EmailRow[] = []
  const moving = await pendingMovesFrom(all, folder)
  const rows = await loadEmailsByUid(all, folder, uids)
  const touched = new Set<string>()
  for (const [uid, row] of rows) {
    touched.add(row.thread_id)
    if (moving.has(uid)) await forgetOrigin(all, row)
    else {
      const movedCopy = await findMovedCopy(all, row)
      if (movedCopy) {
        touched.add(movedCopy.thread_id)
        await takeLocation(all, row, movedCopy, now)
        moved.push(row)
      } else await eraseEmail(all, row)
    }
  }
  await recountThreads(all, touched)
  if (moved.length > 0) await emitChanged(system, moved[0]!, moved)
}

/** For a message moved here that another program moved or erased: the push then has to search for it. */
export async function forgetOrigin(all: Store, row: Pick<EmailRow, 'id'>): Promise<void> {
  const push = await all
    .selectFrom('mail_pushes')
    .selectAll()
    .where('email_id', '=', row.id)
    .where('kind', '=', 'move')
    .executeTakeFirst()
  if (!push) return
  const wanted: WantedMove = { ...(JSON.parse(push.wanted_json) as WantedMove), from: null }
  await all
    .updateTable('mail_pushes')
    .set({ wanted_json: JSON.stringify(wanted), version: push.version + 1 })
    .where('id', '=', push.id)
    .execute()
}

function findMovedCopy(all: Store, row: EmailRow): Promise<EmailRow | undefined> {
  return all
    .selectFrom('emails')
    .selectAll()
    .where('account_id', '=', row.account_id)
    .where('message_id', '=', row.message_id)
    .where('size_bytes', '=', row.size_bytes)
    .where('id', '>', row.id) // added later
    .where('uid', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

async function takeLocation(all: Store, row: EmailRow, twin: EmailRow, now: number): Promise<void> {
  await eraseEmail(all, twin)
  const { folder_id, uid, place, unread, starred, answered, modseq } = twin
  await all
    .updateTable('emails')
    .set({
      folder_id,
      uid,
      place,
      unread,
      starred,
      answered,
      modseq,
      revision: row.revision + 1,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute()
  if ((row.place === 'spam') !== (place === 'spam')) await reindexEmail(all, row.id)
}

/** Erases a local message with its related rows. */
export async function eraseEmail(all: Store, row: Pick<EmailRow, 'id'>): Promise<void> {
  await search.remove(all, row.id)
  await all.deleteFrom('mail_pushes').where('email_id', '=', row.id).execute()
  await all
    .updateTable('email_drafts')
    .set({ email_id: null, folder_id: null, uid: null, pushed_revision: null })
    .where('email_id', '=', row.id)
    .where('state', '<>', 'sent')
    .execute()
  await all.deleteFrom('emails').where('id', '=', row.id).execute()
}

/** Updates the word index of a message. */
export async function reindexEmail(all: Store, id: EmailRow['id']): Promise<void> {
  await search.remove(all, id)
  const row = await all.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return
  const body = await all
    .selectFrom('email_bodies')
    .select('own_markdown')
    .where('email_id', '=', id)
    .executeTakeFirst()
  const attached: Pick<Row<'email_attachments'>, 'id' | 'name' | 'text'>[] = await all
    .selectFrom('email_attachments')
    .select(['id', 'name', 'text'])
    .where('email_id', '=', id)
    .where('is_inline', '=', 0)
    .orderBy('position')
    .execute()
  await search.addAll(
    all,
    row.org_id,
    emailSearchLines(row, body?.own_markdown ?? row.snippet, attached),
  )
}
