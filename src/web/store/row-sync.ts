// Keeps the rows up to date: an event provides only the id, and changed rows are reloaded together a moment later.

import type { Reading } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { namesItem, renameIn } from './references.ts'
import { readRows } from './row-reads.ts'
import { heldTables, table, type RowTable } from './rows.ts'
import { onEvent, onGap, type ServerEvent } from './stream/stream.ts'
import { broadcast, listenTabs } from './stream/tabs.ts'
import type { AnyRow, RowOf, RowType } from './types.ts'

/** Milliseconds for which reads are collected. */
const gatherMs = 50
/** Maximum rows per request. */
const maxRows = 200
const retryMs = 2000

const dirty = new Map<RowType, Set<string>>()
const reading = new Set<RowType>()
/** Types whose new rows are also loaded, with the number of interested screens. */
const followed = new Map<RowType, number>()
/** Own changes whose rows were in the answer: call and item. */
const echoes = new Set<string>()
const maxEchoes = 500
let timer: ReturnType<typeof setTimeout> | undefined
/** True if lists must be reloaded: the contents of an item that became accessible have no events of their own. */
let isReloadDue = false
const reloaders = new Set<() => void>()

/** Loads new rows of the type into the store while followed. Returns a function that stops it. */
export function followType(type: RowType): () => void {
  followed.set(type, (followed.get(type) ?? 0) + 1)
  return () => void followed.set(type, (followed.get(type) ?? 1) - 1)
}

/** Called when events may have been missed, to reload. Returns a function that unsubscribes. */
export function onReload(reload: () => void): () => void {
  reloaders.add(reload)
  return () => void reloaders.delete(reload)
}

/** Marks the event of this call on this item as redundant: the answer included the row. */
export function expectEcho(callId: string, itemId: string): void {
  echoes.add(`${callId} ${itemId}`)
  if (echoes.size > maxEchoes) for (const oldest of echoes) return void echoes.delete(oldest)
}

/** Stores rows of an answer, and notifies other tabs. Pass `reading` if newer answers may have arrived earlier. */
export function takeRows<T extends RowType>(
  type: T,
  rows: readonly RowOf<T>[],
  reading?: Reading,
): void {
  table(type).put(rows, reading)
  broadcast({ kind: 'rows', type, rows, position: reading?.position })
}

/** Reloads rows, a moment later. */
export function readAgain(type: RowType, ids: Iterable<string>): void {
  const noted = dirty.get(type) ?? new Set()
  dirty.set(type, noted)
  for (const id of ids) noted.add(id)
  flushSoon(gatherMs)
}

function flushSoon(ms: number): void {
  timer ??= setTimeout(flush, ms)
}

/** Starts keeping the rows up to date. Returns a function that stops it. */
export function startRowSync(): () => void {
  const leave = [
    onEvent(heard),
    onGap(reloadAll),
    listenTabs((message) => {
      if (message.kind === 'rows')
        table(message.type as RowType).put(message.rows as RowOf<RowType>[], {
          position: message.position,
        })
    }),
  ]
  return () => {
    for (const end of leave) end()
    clearTimeout(timer)
    timer = undefined
    dirty.clear()
  }
}

function reloadAll(): void {
  for (const [type, rows] of heldTables()) {
    rows.forgetReadings() // after a restored backup, positions begin anew
    readAgain(
      type,
      [...rows.all()].map((row) => row.id),
    )
  }
  reloadLists()
}

function reloadLists(): void {
  for (const reload of [...reloaders]) reload()
}

function heard(serverEvent: ServerEvent): void {
  const { item, event, call_id } = serverEvent
  if (!item) return
  if (event === 'access.lost') return forget(serverEvent)
  if (event === 'access.gained') {
    isReloadDue = true
    flushSoon(gatherMs)
  }
  if (call_id !== undefined && echoes.has(`${call_id} ${item.id}`))
    return noteNeighbours(serverEvent)
  const type = item.type as RowType
  const rows = table(type)
  if (isIncluded(rows, item.id, serverEvent)) return noteNeighbours(serverEvent)
  if (event.endsWith('.deleted')) rows.remove([item.id], { at: asOf(serverEvent), isDeleted: true })
  else if (rows.has(item.id)) {
    const row: AnyRow | undefined = rows.serverRow(item.id)
    if (serverEvent.revision === undefined || serverEvent.revision >= (row?.revision ?? 0))
      readAgain(type, [item.id])
  } else if ((followed.get(type) ?? 0) > 0) readAgain(type, [item.id])
  noteNeighbours(serverEvent)
}

/** True if a row was read after the change of an event. */
function isIncluded(rows: RowTable<AnyRow>, id: string, { position }: ServerEvent): boolean {
  const includedUpTo = rows.positionOf(id)
  return includedUpTo !== undefined && position !== undefined && position <= includedUpTo
}

/** The state immediately after an event. */
const asOf = ({ position }: ServerEvent): Reading => ({ position })

/** Notes rows affected by changes to related items: names, and for tasks their blockers and subtasks. */
function noteNeighbours(serverEvent: ServerEvent): void {
  const { item, event, changes } = serverEvent
  if (!item) return
  const { id, title, key } = item
  const isRenamed =
    title !== undefined &&
    changes?.some(({ field }) => /^(name|title|display_name|key)$/.test(field))
  for (const [type, rows] of heldTables()) {
    if (isRenamed) renameIn(rows, { id, title, ...(key === undefined ? {} : { key }) })
    if (item.type !== type) continue
    if (event.endsWith('.commented')) continue
    const near = neighboursOf(rows, id).filter((row) => !isIncluded(rows, row, serverEvent))
    if (near.length > 0) readAgain(type, near)
  }
}

/** The ids of the rows that refer to a row, and of its parent. */
function neighboursOf(rows: RowTable<AnyRow>, id: string): string[] {
  const naming = [...rows.all()].filter((row) => namesItem(row, id)).map((row) => row.id)
  const { parent } = (rows.serverRow(id) ?? {}) as { parent?: { id: string } }
  return parent ? [...naming, parent.id] : naming
}

/**
 * Access was lost: removes the item, and all rows in it. Reloads it once, since part of it may still be visible: a
 * public channel can be joined again.
 */
function forget(serverEvent: ServerEvent): void {
  const { id, type } = serverEvent.item ?? { id: '', type: '' }
  for (const [, rows] of heldTables()) {
    const inside = [...rows.all()].filter(
      (row) => (row.id === id || namesItem(row, id)) && !isIncluded(rows, row.id, serverEvent),
    )
    rows.remove(
      inside.map((row) => row.id),
      { at: asOf(serverEvent) },
    )
  }
  if ((followed.get(type as RowType) ?? 0) > 0) readAgain(type as RowType, [id])
}

function flush(): void {
  timer = undefined
  if (isReloadDue) reloadLists()
  isReloadDue = false
  for (const [type, noted] of dirty) {
    if (noted.size === 0 || reading.has(type)) continue
    const ids = [...noted].slice(0, maxRows)
    for (const id of ids) noted.delete(id)
    void readNoted(type, ids)
  }
}

async function readNoted(type: RowType, ids: string[]): Promise<void> {
  reading.add(type)
  try {
    const { rows, removedIds, reading } = await readRows(type, ids)
    const rowTable = table(type)
    rowTable.batch(() => {
      rowTable.put(rows, reading)
      rowTable.remove(removedIds, { at: reading })
    })
  } catch (error) {
    if (isLasting(error)) throw error
    const noted = dirty.get(type)
    for (const id of ids) noted?.add(id)
    flushSoon(retryMs)
    return
  } finally {
    reading.delete(type)
  }
  if ((dirty.get(type)?.size ?? 0) > 0) flushSoon(gatherMs)
}

/** True if a retry would not help. */
function isLasting(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  )
}
