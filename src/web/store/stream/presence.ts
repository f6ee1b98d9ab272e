// Presence at the items that this tab shows. The server is told about them while the tab is visible and in use.

import { useEffect, useSyncExternalStore } from 'react'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import {
  onPresence,
  onStreamName,
  streamName,
  type ItemPresence,
  type TextPosition,
} from './stream.ts'
import { randomId } from './tabs.ts'

export type ItemViewer = ItemPresence['people'][number]

/** Other viewers: the first ones, and the number of others. */
interface ItemViewers {
  people: readonly ItemViewer[]
  more: number
}

/** The server expires presence after 30 seconds. */
const repeatMs = 10_000
/** Minimum time between two messages. */
const minIntervalMs = 250
/** Time without activity after which a person no longer counts as viewing. */
const idleMs = 5 * 60_000
/** Milliseconds after a key for which someone counts as typing. */
const typingMs = 4000
const maxItems = 20
const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
const noViewers: ItemViewers = { people: [], more: 0 }

const tab = randomId()
/** Number of components in this tab that show an item. */
const viewCounts = new Map<string, number>()
const viewersByItem = new Map<string, ItemViewers>()
const listeners = new Set<() => void>()
let typingItemId: string | undefined
let cursor: (TextPosition & { item: string }) | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isRunning = false
let isSending = false
let hasChanges = false
let isIdle = false
let lastInput = Date.now()
/** Earliest time for the next message. */
let nextReportAt = 0
/** True if the server knows what this tab shows. */
let isReported = false

/** Other viewers of an item, which counts as shown by this tab while the component is mounted. */
export function useItemViewers(itemId: string): ItemViewers {
  useEffect(() => trackView(itemId), [itemId])
  return useSyncExternalStore(listen, () => viewersByItem.get(itemId) ?? noViewers)
}

/** Reports typing at an item shown in this tab; `isOver`: it was sent or abandoned. */
export function typedAt(itemId: string, isOver = false): void {
  clearTimeout(typingTimer)
  if (!isOver) typingTimer = setTimeout(() => typedAt(itemId, true), typingMs)
  const currentItemId = isOver ? undefined : itemId
  if (typingItemId === currentItemId) return
  typingItemId = currentItemId
  schedulePresence()
}

/** Reports the own cursor in the text of an item that this tab shows; undefined: no longer anywhere. */
export function reportCursor(itemId: string, position: TextPosition | undefined): void {
  if (!position && cursor?.item !== itemId) return
  if (
    cursor?.item === itemId &&
    cursor.revision === position?.revision &&
    cursor.at === position.at
  )
    return
  cursor = position && { item: itemId, ...position }
  schedulePresence()
}

/** Subscribes to other viewers of an item shown in this tab. Returns a function that unsubscribes. */
export function onItemViewers(
  itemId: string,
  listener: (people: readonly ItemViewer[]) => void,
): () => void {
  let previous: readonly ItemViewer[] | undefined
  return listen(() => {
    const { people } = viewersByItem.get(itemId) ?? noViewers
    if (people === previous) return
    previous = people
    listener(people)
  })
}

/** Starts reporting to the server. Returns a function that stops it and clears everything. */
export function startPresence(): () => void {
  isRunning = true
  const controller = new AbortController()
  const { signal } = controller
  const unsubscribers = [onPresence(storePresence), onStreamName(handleNewStream)]
  document.addEventListener('visibilitychange', schedulePresence, { signal })
  for (const input of inputEvents)
    window.addEventListener(input, handleInput, { signal, passive: true, capture: true })
  schedulePresence()
  return () => {
    isRunning = false
    controller.abort()
    for (const unsubscribe of unsubscribers) unsubscribe()
    clearTimeout(timer)
    clearTimeout(typingTimer)
    timer = undefined
    typingItemId = undefined
    cursor = undefined
    viewersByItem.clear()
    notifyListeners()
  }
}

function trackView(itemId: string): () => void {
  viewCounts.set(itemId, (viewCounts.get(itemId) ?? 0) + 1)
  schedulePresence()
  return () => {
    const remaining = (viewCounts.get(itemId) ?? 1) - 1
    if (remaining > 0) viewCounts.set(itemId, remaining)
    else {
      viewCounts.delete(itemId)
      viewersByItem.delete(itemId)
    }
    schedulePresence()
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function notifyListeners(): void {
  for (const listener of [...listeners]) listener()
}

function storePresence(items: readonly ItemPresence[]): void {
  for (const { item, people, more = 0 } of items)
    if (viewCounts.has(item)) viewersByItem.set(item, { people, more })
  notifyListeners()
}

/** A new stream does not know this tab yet. */
function handleNewStream(): void {
  viewersByItem.clear()
  notifyListeners()
  isReported = false
  schedulePresence()
}

function handleInput(): void {
  lastInput = Date.now()
  if (!isIdle) return
  isIdle = false
  schedulePresence()
}

/** Schedules a report to the server, which includes all changes until then. */
function schedulePresence(): void {
  hasChanges = true
  if (!isRunning || isSending) return
  clearTimeout(timer)
  if (document.hidden) return void sendPresence()
  timer = setTimeout(
    () => void sendPresence(),
    Math.max(minIntervalMs / 2, nextReportAt - Date.now()),
  )
}

async function sendPresence(): Promise<void> {
  const stream = streamName()
  const items = document.hidden || isIdle ? [] : [...viewCounts.keys()].slice(0, maxItems)
  if (stream === undefined || (items.length === 0 && !isReported)) return
  isSending = true
  hasChanges = false
  let pauseMs = minIntervalMs
  try {
    await post('/web/events/:stream', { stream, tab, items, ...activityIn(items) })
    isReported = items.length > 0
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // the stream will have another name soon, or there is no connection: in both cases it is sent again
    pauseMs = error.retryAfter === undefined ? repeatMs : error.retryAfter * 1000
  } finally {
    isSending = false
    nextReportAt = Date.now() + pauseMs
    if (isRunning) timer = setTimeout(sendAgain, pauseMs)
  }
}

/** Activity at those items. */
const activityIn = (items: readonly string[]) => ({
  ...(typingItemId !== undefined && items.includes(typingItemId) ? { typing: typingItemId } : {}),
  ...(cursor && items.includes(cursor.item) ? { cursor } : {}),
})

/** Reports changes at once, and the unchanged state from time to time. */
function sendAgain(): void {
  isIdle = Date.now() - lastInput > idleMs
  if (hasChanges || isIdle) return void sendPresence()
  if (isReported) timer = setTimeout(() => void sendPresence(), repeatMs)
}
