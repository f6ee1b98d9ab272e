// The single event stream of this browser: the leading tab has the connection and forwards events to the others.

import { sessionEnded } from '../../api/client.ts'
import { followStream } from './event-source.ts'
import { RecentEvents } from './recent-events.ts'
import { leadTabs, listenTabs, broadcast, type StreamState, type TabMessage } from './tabs.ts'

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
export interface TextPlace {
  revision: number
  at: number
}

export interface ItemPresence {
  item: string
  people: readonly {
    person: { id: string; title: string }
    since: string
    typing: boolean
    cursor?: TextPlace
  }[]
  more?: number
}

const retryDelaysMs = [1000, 2000, 5000, 10_000, 15_000, 30_000]
/** Retry delay if the server has no capacity for a stream. */
const pausedDelayMs = 30_000

const eventListeners = new Set<(event: ServerEvent) => void>()
const gapListeners = new Set<() => void>()
const heardState = new Set<() => void>()
const heardPresence = new Set<(items: readonly ItemPresence[]) => void>()
const heardName = new Set<() => void>()
let state: StreamState = 'connecting'
/** Name of the stream at the server, used to report the visible items. */
let currentName: string | undefined
let lastId: string | undefined
/** This tab has all events up to here, or has reloaded everything since. */
let position = 0
/** The latest events, for tabs that open or wake up later. */
const recent = new RecentEvents()
let running: AbortController | undefined
let isLeading = false
let close: (() => void) | undefined
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
  heardPresence.add(listener)
  return () => void heardPresence.delete(listener)
}

/** Returns the name of this browser's stream at the server; undefined if it is not open. */
export function streamName(): string | undefined {
  return currentName
}

/** Called when the stream has a new name. Returns a function that unsubscribes. */
export function onStreamName(listener: () => void): () => void {
  heardName.add(listener)
  return () => void heardName.delete(listener)
}

export function streamState(): StreamState {
  return state
}

export function onStreamState(listener: () => void): () => void {
  heardState.add(listener)
  return () => void heardState.delete(listener)
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
  if (running) return
  running = new AbortController()
  lastId = start.cursor
  position = start.position
  recent.begin(start.position)
  const { signal } = running
  signal.addEventListener('abort', listenTabs(heardFromTab), { once: true })
  leadTabs('stream', signal, () => {
    isLeading = true
    connect()
  })
  hello()
  window.addEventListener('online', retryNow, { signal })
  window.addEventListener('focus', seen, { signal })
  document.addEventListener('visibilitychange', seen, { signal })
}

/** Stops it after a sign-out. */
export function stopStream(): void {
  running?.abort()
  running = undefined
  close?.()
  close = undefined
  clearTimeout(timer)
  lastId = undefined
  isLeading = false
  failures = 0
  setName(undefined)
  setState('connecting')
}

function connect(): void {
  clearTimeout(timer)
  close?.()
  close = followStream('/web/events', lastId, {
    opened: () => {
      failures = 0
      setState('live')
    },
    event: ({ id, event, data }) => {
      const message = { kind: 'event', id, event, data, previous: position } as const
      broadcast(message)
      takeEvent(message)
    },
    ended,
  })
}

function ended(status: number, retryAfterSeconds = 0): void {
  close = undefined
  setName(undefined)
  if (status === 401) return sessionEnded()
  const isFull = status === 429 || status === 503
  // the server ends streams when it stops, and for slow readers: usually the next one opens immediately
  const isPlain = status === 200 && failures === 0
  if (!isPlain) setState(isFull ? 'paused' : 'reconnecting')
  const step = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? pausedDelayMs
  const delay = isFull ? retryAfterSeconds * 1000 || pausedDelayMs : step
  timer = setTimeout(connect, isPlain ? 250 : delay * (0.75 + Math.random() / 2))
}

type EventMessage = TabMessage & { kind: 'event' }

function takeEvent(message: EventMessage): void {
  const { id, event, data } = message
  if (id !== '' && !recent.has(id)) lastId = id
  if (event === '') return
  if (event === 'presence') return emitPresence(data)
  if (event === 'ready' || event === 'reset') return takeGreeting(event, data)
  const serverEvent = JSON.parse(data) as ServerEvent
  const isNew = recent.add(message, serverEvent.position ?? 0)
  if (message.previous <= position) position = Math.max(position, serverEvent.position ?? 0)
  else hello() // the browser had stopped this tab: there were events before this one
  if (isNew) for (const listener of [...eventListeners]) listener(serverEvent)
}

function takeGreeting(event: 'ready' | 'reset', data: string): void {
  const greeting = JSON.parse(data) as { stream?: string; position?: number }
  setName(greeting.stream)
  if (event === 'reset') reportGap(greeting.position ?? position)
}

/** Events up to a position are missing: everything is reloaded, which includes them. */
function reportGap(upTo: number): void {
  position = upTo // lower than before where the server was restored from a backup
  recent.begin(upTo)
  for (const listener of [...gapListeners]) listener()
}

function emitPresence(data: string): void {
  const { items } = JSON.parse(data) as { items: readonly ItemPresence[] }
  for (const listener of [...heardPresence]) listener(items)
}

function setName(now: string | undefined): void {
  if (now === currentName) return
  currentName = now
  for (const listener of [...heardName]) listener()
}

/**
 * Requests missed events from the leading tab: from before this tab was open, or while the browser had suspended it.
 */
function hello(): void {
  if (!isLeading) broadcast({ kind: 'hello', position })
}

function heardFromTab(message: TabMessage): void {
  if (message.kind === 'event') takeEvent(message)
  else if (message.kind === 'state' && !isLeading) {
    setName(message.stream)
    setState(message.state)
  } else if (message.kind === 'gap' && !isLeading && position < message.position)
    reportGap(message.position)
  else if (message.kind === 'hello' && isLeading) answerHello(message.position)
}

/** Every tab receives the answer, and skips events it already has. */
function answerHello(after: number): void {
  broadcast({ kind: 'state', state, stream: currentName })
  const missing = recent.after(after)
  if (missing) for (const message of missing) broadcast(message)
  else broadcast({ kind: 'gap', position })
}

function setState(now: StreamState): void {
  if (now === state) return
  state = now
  if (isLeading) broadcast({ kind: 'state', state, stream: currentName })
  for (const listener of [...heardState]) listener()
}

function retryNow(): void {
  if (isLeading && !close) connect()
}

/** Without live updates, displayed data is reloaded when the person returns to the tab. */
function seen(): void {
  if (document.hidden) return
  if (state === 'paused') reportGap(position)
  hello()
  retryNow()
}
