// Unanswered writes on the disk of this browser.

import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { PendingWrite } from './pending-writes.ts'

interface OutboxSchema extends DBSchema {
  writes: { key: string; value: PendingWrite }
}

let databasePromise: Promise<IDBPDatabase<OutboxSchema> | undefined> | undefined

/** The database; undefined if the browser does not provide one, and writes are kept in memory only. */
function database(): Promise<IDBPDatabase<OutboxSchema> | undefined> {
  databasePromise ??= openDB<OutboxSchema>('workspace', 1, {
    upgrade: (db) => void db.createObjectStore('writes', { keyPath: 'id' }),
    terminated: () => {
      databasePromise = undefined
    },
  }).catch((error: Error) => {
    console.warn(`Changes are not kept on this disk: ${error.message}`)
    return undefined
  })
  return databasePromise
}

export async function storeWrite(write: PendingWrite): Promise<void> {
  await (await database())?.put('writes', write)
}

export async function deleteWrite(id: string): Promise<void> {
  await (await database())?.delete('writes', id)
}

/** A person's pending writes, in the order in which they were made. */
export async function storedWrites(personId: string): Promise<PendingWrite[]> {
  const writes = (await (await database())?.getAll('writes')) ?? []
  return writes.filter((write) => write.person === personId).sort((a, b) => a.order - b.order)
}
