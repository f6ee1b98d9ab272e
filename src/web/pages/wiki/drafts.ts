// What one has written into a page and not saved yet, on the disk of this browser.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

/** A text that was made from a revision of a page. */
export interface PageDraft {
  /** Person and page. */
  key: string
  /** The text at the revision from which it was made. */
  base: string
  revision: number
  text: string
}

interface DraftSchema extends DBSchema {
  pages: { key: string; value: PageDraft }
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

export async function readDraft(key: string): Promise<PageDraft | null> {
  return (await (await database())?.get('pages', key)) ?? null
}

export async function storeDraft(draft: PageDraft): Promise<void> {
  await (await database())?.put('pages', draft)
}

export async function deleteDraft(key: string): Promise<void> {
  await (await database())?.delete('pages', key)
}
