// Unconfirmed changes to a page, stored on the disk of this browser.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { UnsentChanges } from '../../editor/live/live-text.ts'
import { randomId } from '../../store/stream/tabs.ts'
import { forgetDraftsOf } from '../../ui/work/kept-drafts.ts'

/** A text that was made from a revision of a page. */
export interface PageDraft extends UnsentChanges {
  /** Person and page; of a text that is written live, also the editor. */
  key: string
  /** The text at the revision from which it was made. */
  base: string
  revision: number
  text: string
}

/** A draft as it is kept: where `text` is left out, it is the base with what was typed. */
export type KeptDraft = Omit<PageDraft, 'text'> & Partial<Pick<PageDraft, 'text'>>

interface DraftSchema extends DBSchema {
  pages: { key: string; value: KeptDraft }
}

let opened: Promise<IDBPDatabase<DraftSchema> | undefined> | undefined

/** The database; undefined where the browser has none to give. */
function database(): Promise<IDBPDatabase<DraftSchema> | undefined> {
  opened ??= openDB<DraftSchema>('workspace-drafts', 1, {
    upgrade: (db) => void db.createObjectStore('pages', { keyPath: 'key' }),
    terminated: () => {
      opened = undefined
    },
  }).catch((error: Error) => {
    console.warn(`Drafts are not kept on this disk: ${error.message}`)
    return undefined
  })
  return opened
}

export const draftKey = (personId: string, pageId: string) => `${personId} ${pageId}`

/** The key of one editor: several tabs may write in a page. */
export const editorKey = (personId: string, pageId: string) =>
  `${draftKey(personId, pageId)} ${randomId()}`

/** The key under which what is written about a page, or as an answer, is kept. */
export const commentDraft = (pageId: string, replyTo?: string) =>
  ['comment', pageId, ...(replyTo === undefined ? [] : [replyTo])].join(' ')

const draftKeyRange = (personId: string, pageId: string) => {
  const key = draftKey(personId, pageId)
  return IDBKeyRange.bound(key, `${key} \uffff`)
}

/** Reads a person's unconfirmed drafts of a page. */
export async function readDrafts(personId: string, pageId: string): Promise<KeptDraft[]> {
  return (await (await database())?.getAll('pages', draftKeyRange(personId, pageId))) ?? []
}

/**
 * The first draft of a page that no other tab has open; it is this tab's until `release` is called.
 */
export async function takeDraft(
  personId: string,
  pageId: string,
): Promise<{ draft: KeptDraft; release: () => void } | null> {
  for (const { key } of await readDrafts(personId, pageId)) {
    const release = await holdDraft(key)
    const draft = release && (await (await database())?.get('pages', key))
    if (release && draft) return { draft, release }
    release?.()
  }
  return null
}

/** Holds a draft for this tab; undefined where another one holds it. */
export function holdDraft(key: string): Promise<(() => void) | undefined> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return Promise.resolve(() => {})
  return new Promise((resolve, fail) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined)
    locks.request(`workspace draft ${key}`, { ifAvailable: true }, hold).catch(fail)
  })
}

/** Keeps a draft. It is there also where the page is left right after this was called. */
export async function storeDraft(draft: KeptDraft): Promise<void> {
  const change = (await database())?.transaction('pages', 'readwrite')
  if (!change) return
  const written = change.store.put(draft)
  change.commit() // what waits to be committed by itself is given up when the page is left
  await Promise.all([written, change.done])
}

export async function deleteDraft(key: string): Promise<void> {
  await (await database())?.delete('pages', key)
}

/** Removes all that a person has written into a page, and about it. */
export async function deleteDrafts(personId: string, pageId: string): Promise<void> {
  forgetDraftsOf(commentDraft(pageId))
  await (await database())?.delete('pages', draftKeyRange(personId, pageId))
}
