// A page with only the store, for store.web.ts.

import { QueryClient } from '@tanstack/react-query'
import { table, undoLast, redoLast, write } from '../web/store/index.ts'
import { loadSnapshot } from '../web/store/load.ts'
import { readSession } from '../web/session/session.ts'
import { startStore } from '../web/store/start.ts'
import { streamState } from '../web/store/stream/stream.ts'
import { onNotices, currentNotices } from '../web/store/writing/notices.ts'
import { storedWrites } from '../web/store/writing/outbox.ts'
import { outboxState } from '../web/store/writing/write-queue.ts'

const notices: { text: string; problem?: string; actions: readonly { run: () => void }[] }[] = []
onNotices(() => {
  const newest = currentNotices().at(-1)
  if (newest && !newest.id.startsWith('connection')) notices.push(newest)
})

let personId = ''
const storeApi = {
  notices,
  start: async (person: { id: string; title: string }) => {
    personId = person.id
    const session = await readSession()
    if (!session.signed_in) return
    const { position, since_cursor: cursor } = session
    startStore(person, new QueryClient(), { position, cursor })
  },
  load: () => loadSnapshot('task', {}, new AbortController().signal),
  tasks: () => [...table('task').all()],
  task: (key: string) => [...table('task').all()].find((task) => task.key === key),
  table,
  write,
  undoLast,
  redoLast,
  streamState,
  outboxState,
  /** Writes stored on this device that are not settled. */
  storedWrites: () => storedWrites(personId),
}

/** API that tests evaluate in the page. */
export type StorePage = typeof storeApi

Object.assign(window, { store: storeApi })
