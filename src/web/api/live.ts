import { useEffect, useRef } from 'react'

/** One connection per stream for all listeners in this tab: browsers allow few per server, shared by all tabs. */
interface Connection {
  source: EventSource | undefined
  readonly readers: Set<Reader>
  readonly events: Set<string>
  timer: ReturnType<typeof setTimeout> | undefined
}

interface Reader {
  event: string
  onData: (data: unknown) => void
  missed: () => void
}

const connections = new Map<string, Connection>()
/** Milliseconds for which a hidden tab keeps its connections, and waits after the server refused one. */
const retryDelayMs = 30_000
let hiding: ReturnType<typeof setTimeout> | undefined

/**
 * Listens to a server stream while the component is mounted and the tab is visible. `missed` is called once it is
 * open, and whenever events may have been missed: the data must be read again.
 */
export function useStream(
  url: string | undefined,
  event: string,
  onEvent: (data: unknown) => void,
  missed: () => void,
): void {
  const latest = useRef({ heard: onEvent, missed })
  useEffect(() => {
    latest.current = { heard: onEvent, missed }
  })
  useEffect(() => {
    if (url === undefined) return
    return subscribeToStream(url, {
      event,
      onData: (data) => latest.current.heard(data),
      missed: () => latest.current.missed(),
    })
  }, [url, event])
}

function subscribeToStream(url: string, reader: Reader): () => void {
  const connection: Connection = connections.get(url) ?? {
    source: undefined,
    readers: new Set(),
    events: new Set(),
    timer: undefined,
  }
  connections.set(url, connection)
  connection.readers.add(reader)
  if (connection.source) listen(connection, reader.event)
  else if (!document.hidden) openEventSource(url, connection)
  return () => {
    connection.readers.delete(reader)
    if (connection.readers.size > 0) return
    close(connection)
    connections.delete(url)
  }
}

function openEventSource(url: string, connection: Connection): void {
  close(connection)
  const source = new EventSource(url)
  connection.source = source
  connection.events.clear()
  for (const { event } of connection.readers) listen(connection, event)
  // the data was read before the stream opened; after a reconnect, the stream resumes where it was
  source.addEventListener('ready', () => missedBy(connection), { once: true })
  source.addEventListener('reset', () => missedBy(connection))
  source.addEventListener('error', () => {
    // the browser treats a refusal as final
    if (source.readyState === EventSource.CLOSED)
      connection.timer = setTimeout(() => openEventSource(url, connection), retryDelayMs)
  })
}

function listen({ source, events, readers }: Connection, event: string): void {
  if (events.has(event)) return
  events.add(event)
  source!.addEventListener(event, (message) => {
    const data: unknown = JSON.parse((message as MessageEvent<string>).data)
    for (const reader of readers) if (reader.event === event) reader.onData(data)
  })
}

function missedBy({ readers }: Connection): void {
  for (const reader of readers) reader.missed()
}

function close(connection: Connection): void {
  clearTimeout(connection.timer)
  connection.source?.close()
  connection.source = undefined
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding)
  if (document.hidden) hiding = setTimeout(() => connections.forEach(close), retryDelayMs)
  else
    for (const [url, connection] of connections)
      if (!connection.source) openEventSource(url, connection)
})
