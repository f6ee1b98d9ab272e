// Keeps the rows up to date: an event provides only the id, and changed rows are reloaded together a moment later.

import type { ReadStamp } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { refersToItem, renameIn } from './references.ts'
import { readRows } from './row-reads.ts'
import { allTables, table, type RowTable } from './rows.ts'
import { onEvent, onGap, type ServerEvent } from './stream/stream.ts'
import { broadcast, listenTabs } from './stream/tabs.ts'
import type { AnyRow, RowOf, RowType } from './types.ts'

/** Milliseconds for which reads are collected. */
const batchMs = 50
/** Maximum rows per request. */
const maxRows = 200
const retryMs = 2000

const dirtyIds = new Map<RowType, Set<string>>()
const loadingTypes = new Set<RowType>()
/** Types whose new rows are also loaded, with the number of interested screens. */
const followCounts = new Map<RowType, number>()
/** Own changes whose rows were in the answer: call and item. */
const echoes = new Set<string>()
const maxEchoes = 500
let timer: ReturnType<typeof setTimeout> | undefined
/** True if lists must be reloaded: the contents of an item that became accessible have no events of their own. */
let isReloadDue = false
const reloadListeners = new Set<() => void>()

/** Loads new rows of the type into the store while followed. Returns a function that stops it. */
export function followType(type: RowType): () => void {
  followCounts.set(type, (followCounts.get(type) ?? 0) + 1)
  return () => void followCounts.set(type, (followCounts.get(type) ?? 1) - 1)
}

/** Called when events may have been missed, to reload. Returns a function that unsubscribes. */
export function onReload(reload: () => void): () => void {
  reloadListeners.add(reload)
  return () => void reloadListeners.delete(reload)
}

/** Marks the event of this call on this item as redundant: the answer included the row. */
export function expectEcho(callId: string, itemId: string): void {
  echoes.add(`${callId} ${itemId}`)
  if (echoes.size > maxEchoes) for (const oldest of echoes) return void echoes.delete(oldest)
}

/** Stores rows of an answer, and notifies other tabs. Pass `stamp` if newer answers may have arrived earlier. */
export function storeRows<T extends RowType>(
  type: T,
  rows: readonly RowOf<T>[],
  stamp?: ReadStamp,
): void {
  table(type).put(rows, stamp)
  broadcast({ kind: 'rows', type, rows, position: stamp?.position })
}

/** Reloads rows, a moment later. */
export function scheduleReload(type: RowType, ids: Iterable<string>): void {
  const pendingIds = dirtyIds.get(type) ?? new Set()
  dirtyIds.set(type, pendingIds)
  for (const id of ids) pendingIds.add(id)
  flushSoon(batchMs)
}

function flushSoon(ms: number): void {
  timer ??= setTimeout(flush, ms)
}

/** Starts keeping the rows up to date. Returns a function that stops it. */
export function startRowSync(): () => void {
  const unsubscribers = [
    onEvent(handleEvent),
    onGap(reloadAll),
    listenTabs((message) => {
      if (message.kind === 'rows')
        table(message.type as RowType).put(message.rows as RowOf<RowType>[], {
          position: message.position,
        })
    }),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
    clearTimeout(timer)
    timer = undefined
    dirtyIds.clear()
  }
}

function reloadAll(): void {
  for (const [type, rows] of allTables()) {
    rows.clearReadStamps() // after a restored backup, positions begin anew
    scheduleReload(
      type,
      [...rows.all()].map((row) => row.id),
    )
  }
  reloadLists()
}

function reloadLists(): void {
  for (const reload of [...reloadListeners]) reload()
}

function handleEvent(serverEvent: ServerEvent): void {
  const { item, event, call_id } = serverEvent
  if (!item) return
  if (event === 'access.lost') return removeInaccessible(serverEvent)
  if (event === 'access.gained') {
    isReloadDue = true
    flushSoon(batchMs)
  }
  if (call_id !== undefined && echoes.has(`${call_id} ${item.id}`))
    return reloadRelatedRows(serverEvent)
  const type = item.type as RowType
  const rows = table(type)
  if (isIncluded(rows, item.id, serverEvent)) return reloadRelatedRows(serverEvent)
  if (event.endsWith('.deleted'))
    rows.remove([item.id], { stamp: eventStamp(serverEvent), isDeleted: true })
  else if (rows.has(item.id)) {
    const row: AnyRow | undefined = rows.serverRow(item.id)
    if (serverEvent.revision === undefined || serverEvent.revision >= (row?.revision ?? 0))
      scheduleReload(type, [item.id])
  } else if ((followCounts.get(type) ?? 0) > 0) scheduleReload(type, [item.id])
  reloadRelatedRows(serverEvent)
}

/** True if a row was read after the change of an event. */
function isIncluded(rows: RowTable<AnyRow>, id: string, { position }: ServerEvent): boolean {
  const includedUpTo = rows.positionOf(id)
  return includedUpTo !== undefined && position !== undefined && position <= includedUpTo
}

/** The state immediately after an event. */
const eventStamp = ({ position }: ServerEvent): ReadStamp => ({ position })

/** Reloads rows affected by changes to related items: names, and for tasks their blockers and subtasks. */
function reloadRelatedRows(serverEvent: ServerEvent): void {
  const { item, event, changes } = serverEvent
  if (!item) return
  const { id, title, key } = item
  const isRenamed =
    title !== undefined &&
    changes?.some(({ field }) => /^(name|title|display_name|key)$/.test(field))
  for (const [type, rows] of allTables()) {
    if (isRenamed) renameIn(rows, { id, title, ...(key === undefined ? {} : { key }) })
    if (item.type !== type) continue
    if (event.endsWith('.commented')) continue
    const relatedIds = relatedRowIds(rows, id).filter(
      (rowId) => !isIncluded(rows, rowId, serverEvent),
    )
    if (relatedIds.length > 0) scheduleReload(type, relatedIds)
  }
}

/** The ids of the rows that refer to a row, and of its parent. */
function relatedRowIds(rows: RowTable<AnyRow>, id: string): string[] {
  const referringIds = [...rows.all()].filter((row) => refersToItem(row, id)).map((row) => row.id)
  const { parent } = (rows.serverRow(id) ?? {}) as { parent?: { id: string } }
  return parent ? [...referringIds, parent.id] : referringIds
}

/**
 * Access was lost: removes the item, and all rows in it. Reloads it once, since part of it may still be visible: a
 * public channel can be joined again.
 */
function removeInaccessible(serverEvent: ServerEvent): void {
  const { id, type } = serverEvent.item ?? { id: '', type: '' }
  for (const [, rows] of allTables()) {
    const affectedRows = [...rows.all()].filter(
      (row) => (row.id === id || refersToItem(row, id)) && !isIncluded(rows, row.id, serverEvent),
    )
    rows.remove(
      affectedRows.map((row) => row.id),
      { stamp: eventStamp(serverEvent) },
    )
  }
  if ((followCounts.get(type as RowType) ?? 0) > 0) scheduleReload(type as RowType, [id])
}

function flush(): void {
  timer = undefined
  if (isReloadDue) reloadLists()
  isReloadDue = false
  for (const [type, pendingIds] of dirtyIds) {
    if (pendingIds.size === 0 || loadingTypes.has(type)) continue
    const ids = [...pendingIds].slice(0, maxRows)
    for (const id of ids) pendingIds.delete(id)
    void reloadBatch(type, ids)
  }
}

async function reloadBatch(type: RowType, ids: string[]): Promise<void> {
  loadingTypes.add(type)
  try {
    const { rows, removedIds, stamp } = await readRows(type, ids)
    const rowTable = table(type)
    rowTable.batch(() => {
      rowTable.put(rows, stamp)
      rowTable.remove(removedIds, { stamp })
    })
  } catch (error) {
    if (isPermanent(error)) throw error
    const pendingIds = dirtyIds.get(type)
    for (const id of ids) pendingIds?.add(id)
    flushSoon(retryMs)
    return
  } finally {
    loadingTypes.delete(type)
  }
  if ((dirtyIds.get(type)?.size ?? 0) > 0) flushSoon(batchMs)
}

/** True if a retry would not help. */
function isPermanent(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  )
}
