// The single event stream of this browser: the leading tab has the connection and forwards events to the others.

import { handleSessionEnd } from '../../api/client.ts'
import { followStream } from './event-source.ts'
import { RecentEvents } from './recent-events.ts'
import {
  electLeadingTab,
  listenTabs,
  broadcast,
  type StreamState,
  type TabMessage,
} from './tabs.ts'

/** An event from the server. */
export interface ServerEvent {
  event: string
  /** Position of its change: data read at a position includes all changes up to it. */
  position?: number
  at?: string
  actor?: { id: string; title: string }
  via?: string
  item?: { type: string; id: string; key?: string; title?: string; url?: string }
  changes?: { field: string; from?: unknown; to?: unknown }[]
  revision?: number
  key?: { title?: string; owner: { id: string; title: string } }
  automation?: { id: string; title: string }
  call_id?: string
  [name: string]: unknown
}

/** A position in the text of a revision. */
export interface TextPosition {
  revision: number
  at: number
}

export interface ItemPresence {
  item: string
  people: readonly {
    person: { id: string; title: string }
    since: string
    typing: boolean
    cursor?: TextPosition
  }[]
  more?: number
}

const retryDelaysMs = [1000, 2000, 5000, 10_000, 15_000, 30_000]
/** Retry delay if the server has no capacity for a stream. */
const pausedDelayMs = 30_000

const eventListeners = new Set<(event: ServerEvent) => void>()
const gapListeners = new Set<() => void>()
const stateListeners = new Set<() => void>()
const presenceListeners = new Set<(items: readonly ItemPresence[]) => void>()
const nameListeners = new Set<() => void>()
let state: StreamState = 'connecting'
/** Name of the stream at the server, used to report the visible items. */
let currentName: string | undefined
let lastEventId: string | undefined
/** This tab has all events up to here, or has reloaded everything since. */
let position = 0
/** The latest events, for tabs that open or wake up later. */
const recentEvents = new RecentEvents()
let controller: AbortController | undefined
let isLeading = false
let closeStream: (() => void) | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0

/** Subscribes to every event visible to the signed-in person. Returns a function that unsubscribes. */
export function onEvent(listener: (event: ServerEvent) => void): () => void {
  eventListeners.add(listener)
  return () => void eventListeners.delete(listener)
}

/**
 * Called when events after a position are no longer available: displayed data must be reloaded. Returns a function
 * that unsubscribes.
 */
export function onGap(listener: () => void): () => void {
  gapListeners.add(listener)
  return () => void gapListeners.delete(listener)
}

/** Subscribes to other viewers of the items viewed here. Returns a function that unsubscribes. */
export function onPresence(listener: (items: readonly ItemPresence[]) => void): () => void {
  presenceListeners.add(listener)
  return () => void presenceListeners.delete(listener)
}

/** Returns the name of this browser's stream at the server; undefined if it is not open. */
export function streamName(): string | undefined {
  return currentName
}

/** Called when the stream has a new name. Returns a function that unsubscribes. */
export function onStreamName(listener: () => void): () => void {
  nameListeners.add(listener)
  return () => void nameListeners.delete(listener)
}

export function streamState(): StreamState {
  return state
}

export function onStreamState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => void stateListeners.delete(listener)
}

/** Start of the events: a position, and the cursor for the server. */
export interface StreamStart {
  position: number
  cursor: string
}

/**
 * Starts listening for a signed-in person; does nothing if already started.
 * @param start obtained before any read, so that each change is either in the data or among the events
 */
export function startStream(start: StreamStart): void {
  if (controller) return
  controller = new AbortController()
  lastEventId = start.cursor
  position = start.position
  recentEvents.reset(start.position)
  const { signal } = controller
  signal.addEventListener('abort', listenTabs(handleTabMessage), { once: true })
  electLeadingTab('stream', signal, () => {
    isLeading = true
    connect()
  })
  requestMissedEvents()
  window.addEventListener('online', retryNow, { signal })
  window.addEventListener('focus', handleReturn, { signal })
  document.addEventListener('visibilitychange', handleReturn, { signal })
}

/** Stops it after a sign-out. */
export function stopStream(): void {
  controller?.abort()
  controller = undefined
  closeStream?.()
  closeStream = undefined
  clearTimeout(timer)
  lastEventId = undefined
  isLeading = false
  failures = 0
  setName(undefined)
  setState('connecting')
}

function connect(): void {
  clearTimeout(timer)
  closeStream?.()
  closeStream = followStream('/web/events', lastEventId, {
    onOpen: () => {
      failures = 0
      setState('live')
    },
    onEvent: ({ id, event, data }) => {
      const message = { kind: 'event', id, event, data, previous: position } as const
      broadcast(message)
      handleEvent(message)
    },
    onEnd: handleEnd,
  })
}

function handleEnd(status: number, retryAfterSeconds = 0): void {
  closeStream = undefined
  setName(undefined)
  if (status === 401) return handleSessionEnd()
  const isFull = status === 429 || status === 503
  // the server ends streams when it stops, and for slow readers: usually the next one opens immediately
  const isExpectedEnd = status === 200 && failures === 0
  if (!isExpectedEnd) setState(isFull ? 'paused' : 'reconnecting')
  const backoffMs = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? pausedDelayMs
  const delayMs = isFull ? retryAfterSeconds * 1000 || pausedDelayMs : backoffMs
  timer = setTimeout(connect, isExpectedEnd ? 250 : delayMs * (0.75 + Math.random() / 2))
}

type EventMessage = TabMessage & { kind: 'event' }

function handleEvent(message: EventMessage): void {
  const { id, event, data } = message
  if (id !== '' && !recentEvents.has(id)) lastEventId = id
  if (event === '') return
  if (event === 'presence') return emitPresence(data)
  if (event === 'ready' || event === 'reset') return handleGreeting(event, data)
  const serverEvent = JSON.parse(data) as ServerEvent
  const isNew = recentEvents.add(message, serverEvent.position ?? 0)
  if (message.previous <= position) position = Math.max(position, serverEvent.position ?? 0)
  else requestMissedEvents() // the browser had suspended this tab, which missed earlier events
  if (isNew) for (const listener of [...eventListeners]) listener(serverEvent)
}

function handleGreeting(event: 'ready' | 'reset', data: string): void {
  const greeting = JSON.parse(data) as { stream?: string; position?: number }
  setName(greeting.stream)
  if (event === 'reset') reportGap(greeting.position ?? position)
}

/** Events up to a position are missing: everything is reloaded, which includes them. */
function reportGap(newPosition: number): void {
  position = newPosition // lower than before if the server was restored from a backup
  recentEvents.reset(newPosition)
  for (const listener of [...gapListeners]) listener()
}

function emitPresence(data: string): void {
  const { items } = JSON.parse(data) as { items: readonly ItemPresence[] }
  for (const listener of [...presenceListeners]) listener(items)
}

function setName(name: string | undefined): void {
  if (name === currentName) return
  currentName = name
  for (const listener of [...nameListeners]) listener()
}

/**
 * Requests missed events from the leading tab: from before this tab was open, or while the browser had suspended it.
 */
function requestMissedEvents(): void {
  if (!isLeading) broadcast({ kind: 'hello', position })
}

function handleTabMessage(message: TabMessage): void {
  if (message.kind === 'event') handleEvent(message)
  else if (message.kind === 'state' && !isLeading) {
    setName(message.stream)
    setState(message.state)
  } else if (message.kind === 'gap' && !isLeading && position < message.position)
    reportGap(message.position)
  else if (message.kind === 'hello' && isLeading) answerHello(message.position)
}

/** Every tab receives the answer, and skips events it already has. */
function answerHello(afterPosition: number): void {
  broadcast({ kind: 'state', state, stream: currentName })
  const missing = recentEvents.eventsAfter(afterPosition)
  if (missing) for (const message of missing) broadcast(message)
  else broadcast({ kind: 'gap', position })
}

function setState(newState: StreamState): void {
  if (newState === state) return
  state = newState
  if (isLeading) broadcast({ kind: 'state', state, stream: currentName })
  for (const listener of [...stateListeners]) listener()
}

function retryNow(): void {
  if (isLeading && !closeStream) connect()
}

/** Without live updates, displayed data is reloaded when the person returns to the tab. */
function handleReturn(): void {
  if (document.hidden) return
  if (state === 'paused') reportGap(position)
  requestMissedEvents()
  retryNow()
}
