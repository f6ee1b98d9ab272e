// Presence at the items that this tab shows. The server is told about them while the tab is visible and in use.

import { useEffect, useSyncExternalStore } from 'react'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import {
  onPresence,
  onStreamName,
  streamName,
  type ItemPresence,
  type TextPlace,
} from './stream.ts'
import { randomId } from './tabs.ts'

export type Looker = ItemPresence['people'][number]

/** Other viewers: the first ones, and the number of others. */
interface Lookers {
  people: readonly Looker[]
  more: number
}

/** The server expires presence after 30 seconds. */
const repeatMs = 10_000
/** Minimum time between two messages. */
const gapMs = 250
/** Time without activity after which a person no longer counts as viewing. */
const idleMs = 5 * 60_000
/** Milliseconds after a key for which someone counts as typing. */
const typingMs = 4000
const maxItems = 20
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
const noOne: Lookers = { people: [], more: 0 }

const tab = randomId()
/** Number of components in this tab that show an item. */
const viewCounts = new Map<string, number>()
const lookersByItem = new Map<string, Lookers>()
const listeners = new Set<() => void>()
let typing: string | undefined
let cursor: (TextPlace & { item: string }) | undefined
let typingTimer: ReturnType<typeof setTimeout> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let isRunning = false
let isSending = false
let isChanged = false
let isIdle = false
let lastInput = Date.now()
/** Earliest time for the next message. */
let freeAt = 0
/** True if the server knows what this tab shows. */
let isKnownThere = false

/** Other people looking at an item, which counts as shown by this tab while the component is mounted. */
export function useLookers(itemId: string): Lookers {
  useEffect(() => trackView(itemId), [itemId])
  return useSyncExternalStore(listen, () => lookersByItem.get(itemId) ?? noOne)
}

/** Reports typing at an item shown in this tab; `isOver`: it was sent or abandoned. */
export function typedAt(itemId: string, isOver = false): void {
  clearTimeout(typingTimer)
  if (!isOver) typingTimer = setTimeout(() => typedAt(itemId, true), typingMs)
  const now = isOver ? undefined : itemId
  if (typing === now) return
  typing = now
  schedulePresence()
}

/** Reports the own cursor in the text of an item that this tab shows; undefined: no longer anywhere. */
export function pointAt(itemId: string, place: TextPlace | undefined): void {
  if (!place && cursor?.item !== itemId) return
  if (cursor?.item === itemId && cursor.revision === place?.revision && cursor.at === place.at)
    return
  cursor = place && { item: itemId, ...place }
  schedulePresence()
}

/** Subscribes to other viewers of an item shown in this tab. Returns a function that unsubscribes. */
export function onLookers(
  itemId: string,
  listener: (people: readonly Looker[]) => void,
): () => void {
  let before: readonly Looker[] | undefined
  return listen(() => {
    const { people } = lookersByItem.get(itemId) ?? noOne
    if (people === before) return
    before = people
    listener(people)
  })
}

/** Starts reporting to the server. Returns a function that stops it and clears everything. */
export function startPresence(): () => void {
  isRunning = true
  const off = new AbortController()
  const { signal } = off
  const ends = [onPresence(heard), onStreamName(renamed)]
  document.addEventListener('visibilitychange', schedulePresence, { signal })
  for (const input of inputs)
    window.addEventListener(input, used, { signal, passive: true, capture: true })
  schedulePresence()
  return () => {
    isRunning = false
    off.abort()
    for (const end of ends) end()
    clearTimeout(timer)
    clearTimeout(typingTimer)
    timer = undefined
    typing = undefined
    cursor = undefined
    lookersByItem.clear()
    notifyListeners()
  }
}

function trackView(itemId: string): () => void {
  viewCounts.set(itemId, (viewCounts.get(itemId) ?? 0) + 1)
  schedulePresence()
  return () => {
    const left = (viewCounts.get(itemId) ?? 1) - 1
    if (left > 0) viewCounts.set(itemId, left)
    else {
      viewCounts.delete(itemId)
      lookersByItem.delete(itemId)
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

function heard(items: readonly ItemPresence[]): void {
  for (const { item, people, more = 0 } of items)
    if (viewCounts.has(item)) lookersByItem.set(item, { people, more })
  notifyListeners()
}

/** A new stream does not know this tab yet. */
function renamed(): void {
  lookersByItem.clear()
  notifyListeners()
  isKnownThere = false
  schedulePresence()
}

function used(): void {
  lastInput = Date.now()
  if (!isIdle) return
  isIdle = false
  schedulePresence()
}

/** Schedules a report to the server, which includes all changes until then. */
function schedulePresence(): void {
  isChanged = true
  if (!isRunning || isSending) return
  clearTimeout(timer)
  if (document.hidden) return void sendPresence()
  timer = setTimeout(() => void sendPresence(), Math.max(gapMs / 2, freeAt - Date.now()))
}

async function sendPresence(): Promise<void> {
  const stream = streamName()
  const items = document.hidden || isIdle ? [] : [...viewCounts.keys()].slice(0, maxItems)
  if (stream === undefined || (items.length === 0 && !isKnownThere)) return
  isSending = true
  isChanged = false
  let pauseMs = gapMs
  try {
    await post('/web/events/:stream', { stream, tab, items, ...doneAt(items) })
    isKnownThere = items.length > 0
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // the stream will have another name soon, or there is no connection: in both cases it is sent again
    pauseMs = error.retryAfter === undefined ? repeatMs : error.retryAfter * 1000
  } finally {
    isSending = false
    freeAt = Date.now() + pauseMs
    if (isRunning) timer = setTimeout(again, pauseMs)
  }
}

/** Activity at those items. */
const doneAt = (items: readonly string[]) => ({
  ...(typing !== undefined && items.includes(typing) ? { typing } : {}),
  ...(cursor && items.includes(cursor.item) ? { cursor } : {}),
})

/** Reports changes at once, and the unchanged state from time to time. */
function again(): void {
  isIdle = Date.now() - lastInput > idleMs
  if (isChanged || isIdle) return void sendPresence()
  if (isKnownThere) timer = setTimeout(() => void sendPresence(), repeatMs)
}
