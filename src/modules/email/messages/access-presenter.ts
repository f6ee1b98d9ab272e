import { omitNullish } from '../../../kernel/present.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { ownAddresses } from '../threads/access.ts'

/** Paths of the folders of messages, by id. The caller must have access to the messages. */
export async function folderPaths(
  viewer: Viewer,
  rows: readonly Pick<Row<'emails'>, 'folder_id'>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap((row) => row.folder_id ?? []))]
  if (ids.length === 0) return new Map()
  const folderRows = await accessScopeOf(viewer)
    .all.selectFrom('mail_folders')
    .select(['id', 'path'])
    .where('id', 'in', ids)
    .execute()
  return new Map(folderRows.map((item) => [item.id, item.path]))
}

/** Labels of conversations: all labels of their messages. The caller must have access to the conversations. */
export async function labelsOfThreads(
  reader: Viewer,
  threads: readonly Pick<Row<'mail_threads'>, 'id'>[],
): Promise<Map<string, string[]>> {
  if (threads.length === 0) return new Map()
  const labelRows = await accessScopeOf(reader)
    .all.selectFrom('emails')
    .innerJoin('email_labels', 'email_labels.email_id', 'emails.id')
    .select(['emails.thread_id', 'email_labels.name'])
    .distinct()
    .where(
      'emails.thread_id',
      'in',
      threads.map((thread) => thread.id),
    )
    .orderBy('email_labels.name')
    .execute()
  return new Map(
    [...Map.groupBy(labelRows, (item) => item.thread_id)].map(([id, threadRows]) => [
      id,
      threadRows.map((item) => item.name),
    ]),
  )
}

/** Ids of the messages of conversations, by conversation id, to find linked items. */
export async function messagesOfThreads(
  viewer: Viewer,
  threads: readonly Pick<Row<'mail_threads'>, 'id'>[],
): Promise<Map<string, Row<'emails'>['id'][]>> {
  if (threads.length === 0) return new Map()
  const messageRows = await accessScopeOf(viewer)
    .all.selectFrom('emails')
    .select(['id', 'thread_id'])
    .where(
      'thread_id',
      'in',
      threads.map((thread) => thread.id),
    )
    .execute()
  return new Map(
    [...Map.groupBy(messageRows, (item) => item.thread_id)].map(([id, some]) => [
      id,
      some.map((item) => item.id),
    ]),
  )
}

/** Ids of conversations with messages by others than the owner. The caller must have access to them. */
export async function externalThreads(
  reader: Viewer,
  ids: readonly Row<'mail_threads'>['id'][],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await accessScopeOf(reader)
    .all.selectFrom('emails')
    .select('thread_id')
    .distinct()
    .where('thread_id', 'in', ids)
    .where('is_own', '=', 0)
    .execute()
  return new Set(rows.map((row) => row.thread_id))
}

/** The last message of conversations, and for those awaiting an answer the message with the question. */
export async function lastMessagesOfThreads(
  viewer: Viewer,
  threads: readonly Row<'mail_threads'>[],
): Promise<Map<string, { last?: Row<'emails'>; question?: Row<'emails'> }>> {
  const { all } = accessScopeOf(viewer)
  const endsByThread = new Map<string, { last?: Row<'emails'>; question?: Row<'emails'> }>()
  for (const { id, awaiting, waiting_since } of threads) {
    const newest = all
      .selectFrom('emails')
      .selectAll()
      .where('thread_id', '=', id)
      .orderBy('sent_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
    const last =
      (await newest.where('place', 'not in', ['drafts', 'spam', 'trash']).executeTakeFirst()) ??
      (await newest.executeTakeFirst())
    const question =
      awaiting === 'them' && waiting_since !== null
        ? await newest
            .where('is_own', '=', 1)
            .where('sent_at', '=', waiting_since)
            .where('place', 'not in', ['drafts', 'spam', 'trash'])
            .executeTakeFirst()
        : undefined
    endsByThread.set(id, omitNullish({ last, question }))
  }
  return endsByThread
}

/** The addresses of the caller, in lower case. */
export function addressesOfCaller(reader: Viewer): Promise<ReadonlySet<string>> {
  const { all, actor } = accessScopeOf(reader)
  return ownAddresses(all, actor.id)
}
