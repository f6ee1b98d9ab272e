import { useEffect, useRef } from 'react'

/** One connection per stream for all listeners in this tab: browsers allow few per server, shared by all tabs. */
interface Connection {
  source: EventSource | undefined
  readonly listeners: Set<StreamListener>
  readonly events: Set<string>
  timer: ReturnType<typeof setTimeout> | undefined
}

interface StreamListener {
  event: string
  onData: (data: unknown) => void
  onMissed: () => void
}

const connections = new Map<string, Connection>()
/** Milliseconds for which a hidden tab keeps its connections, and waits after the server refused one. */
const retryDelayMs = 30_000
let hideTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Listens to a server stream while the component is mounted and the tab is visible. `onMissed` is called once it is
 * open, and whenever events may have been missed: the data must be read again.
 */
export function useStream(
  url: string | undefined,
  event: string,
  onEvent: (data: unknown) => void,
  onMissed: () => void,
): void {
  const latest = useRef({ onEvent, missed: onMissed })
  useEffect(() => {
    latest.current = { onEvent, missed: onMissed }
  })
  useEffect(() => {
    if (url === undefined) return
    return subscribeToStream(url, {
      event,
      onData: (data) => latest.current.onEvent(data),
      onMissed: () => latest.current.missed(),
    })
  }, [url, event])
}

function subscribeToStream(url: string, listener: StreamListener): () => void {
  const connection: Connection = connections.get(url) ?? {
    source: undefined,
    listeners: new Set(),
    events: new Set(),
    timer: undefined,
  }
  connections.set(url, connection)
  connection.listeners.add(listener)
  if (connection.source) listen(connection, listener.event)
  else if (!document.hidden) openEventSource(url, connection)
  return () => {
    connection.listeners.delete(listener)
    if (connection.listeners.size > 0) return
    close(connection)
    connections.delete(url)
  }
}

function openEventSource(url: string, connection: Connection): void {
  close(connection)
  const source = new EventSource(url)
  connection.source = source
  connection.events.clear()
  for (const { event } of connection.listeners) listen(connection, event)
  // the data was read before the stream opened; after a reconnect, the server resends missed events
  source.addEventListener('ready', () => notifyMissed(connection), { once: true })
  source.addEventListener('reset', () => notifyMissed(connection))
  source.addEventListener('error', () => {
    // the browser treats a refusal as final
    if (source.readyState === EventSource.CLOSED)
      connection.timer = setTimeout(() => openEventSource(url, connection), retryDelayMs)
  })
}

function listen({ source, events, listeners }: Connection, event: string): void {
  if (events.has(event)) return
  events.add(event)
  source!.addEventListener(event, (message) => {
    const data: unknown = JSON.parse((message as MessageEvent<string>).data)
    for (const reader of listeners) if (reader.event === event) reader.onData(data)
  })
}

function notifyMissed({ listeners }: Connection): void {
  for (const reader of listeners) reader.onMissed()
}

function close(connection: Connection): void {
  clearTimeout(connection.timer)
  connection.source?.close()
  connection.source = undefined
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(hideTimer)
  if (document.hidden) hideTimer = setTimeout(() => connections.forEach(close), retryDelayMs)
  else
    for (const [url, connection] of connections)
      if (!connection.source) openEventSource(url, connection)
})
