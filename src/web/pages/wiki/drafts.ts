// Unconfirmed changes to a page, stored on the disk of this browser.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { UnsentChanges } from '../../editor/live/live-text.ts'
import { randomId } from '../../store/stream/tabs.ts'
import { deleteDraftsWithPrefix } from '../../ui/work/kept-drafts.ts'

/** A text based on a revision of a page. */
export interface PageDraft extends UnsentChanges {
  /** Person and page; for live editing, also the editor. */
  key: string
  /** The text of the base revision. */
  base: string
  revision: number
  text: string
}

/** A stored draft: without `text`, it is the base with the typed changes. */
export type StoredDraft = Omit<PageDraft, 'text'> & Partial<Pick<PageDraft, 'text'>>

interface DraftSchema extends DBSchema {
  pages: { key: string; value: StoredDraft }
}

let databasePromise: Promise<IDBPDatabase<DraftSchema> | undefined> | undefined

/** The database; undefined if the browser does not provide one. */
function database(): Promise<IDBPDatabase<DraftSchema> | undefined> {
  databasePromise ??= openDB<DraftSchema>('workspace-drafts', 1, {
    upgrade: (db) => void db.createObjectStore('pages', { keyPath: 'key' }),
    terminated: () => {
      databasePromise = undefined
    },
  }).catch((error: Error) => {
    console.warn(`Drafts are not kept on this disk: ${error.message}`)
    return undefined
  })
  return databasePromise
}

export const draftKey = (personId: string, pageId: string) => `${personId} ${pageId}`

/** The key of one editor: several tabs may edit a page. */
export const editorKey = (personId: string, pageId: string) =>
  `${draftKey(personId, pageId)} ${randomId()}`

/** Storage key of a comment or reply being written about a page. */
export const commentDraftKey = (pageId: string, replyTo?: string) =>
  ['comment', pageId, ...(replyTo === undefined ? [] : [replyTo])].join(' ')

const draftKeyRange = (personId: string, pageId: string) => {
  const key = draftKey(personId, pageId)
  return IDBKeyRange.bound(key, `${key} \uffff`)
}

/** Reads a person's unconfirmed drafts of a page. */
export async function readDrafts(personId: string, pageId: string): Promise<StoredDraft[]> {
  return (await (await database())?.getAll('pages', draftKeyRange(personId, pageId))) ?? []
}

/** The first draft of a page that no other tab has open; reserved for this tab until `release` is called. */
export async function claimDraft(
  personId: string,
  pageId: string,
): Promise<{ draft: StoredDraft; release: () => void } | null> {
  for (const { key } of await readDrafts(personId, pageId)) {
    const release = await lockDraft(key)
    const draft = release && (await (await database())?.get('pages', key))
    if (release && draft) return { draft, release }
    release?.()
  }
  return null
}

/** Reserves a draft for this tab; undefined if another tab has it. */
export function lockDraft(key: string): Promise<(() => void) | undefined> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined)
    locks.request(`workspace draft ${key}`, { ifAvailable: true }, hold).catch(reject)
  })
}

/** Stores a draft, even if the page is left immediately afterwards. */
export async function storeDraft(draft: StoredDraft): Promise<void> {
  const transaction = (await database())?.transaction('pages', 'readwrite')
  if (!transaction) return
  const putRequest = transaction.store.put(draft)
  transaction.commit() // an automatic commit would be lost when the page is left
  await Promise.all([putRequest, transaction.done])
}

export async function deleteDraft(key: string): Promise<void> {
  await (await database())?.delete('pages', key)
}

/** Deletes all of a person's drafts of a page and of comments on it. */
export async function deleteDrafts(personId: string, pageId: string): Promise<void> {
  deleteDraftsWithPrefix(commentDraftKey(pageId))
  await (await database())?.delete('pages', draftKeyRange(personId, pageId))
}
