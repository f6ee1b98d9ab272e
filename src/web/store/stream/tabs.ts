// Messages between the tabs of a browser, and election of the leading tab. Without a secure context there are no locks:
// each tab then works by itself.

export type TabMessage =
  /** `previous`: the position up to which the leading tab had forwarded all earlier events. */
  | { kind: 'event'; id: string; event: string; data: string; previous: number }
  | { kind: 'state'; state: StreamState; stream: string | undefined }
  | { kind: 'rows'; type: string; rows: readonly unknown[]; position: number | undefined }
  | { kind: 'outbox' }
  /** Asks the leading tab for the events after a position. */
  | { kind: 'hello'; position: number }
  /** The leading tab no longer has all events after a position. */
  | { kind: 'gap'; position: number }

export type StreamState = 'connecting' | 'live' | 'reconnecting' | 'paused'

const channel =
  typeof BroadcastChannel === 'function' ? new BroadcastChannel('workspace') : undefined
const listeners = new Set<(message: TabMessage) => void>()
channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  for (const listener of [...listeners]) listener(data)
})

/** Sends a message to the other tabs of this browser. */
export function broadcast(message: TabMessage): void {
  channel?.postMessage(message)
}

/** Listens to the other tabs. Returns a function that stops it. */
export function listenTabs(listener: (message: TabMessage) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Waits until this tab leads for a name, and calls `onLead`. It keeps leading until it is closed or `signal` aborts;
 * then another tab takes over.
 */
export function electLeadingTab(name: string, signal: AbortSignal, onLead: () => void): void {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return onLead()
  const holdLock = () =>
    new Promise<void>((release) => {
      signal.addEventListener('abort', () => release(), { once: true })
      if (signal.aborted) release()
      else onLead()
    })
  locks.request(`workspace ${name}`, { signal }, holdLock).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}

/** Runs work if no other tab holds this name; otherwise returns false. */
export async function tryWithLock(name: string, work: () => Promise<void>): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) {
    await work()
    return true
  }
  return locks.request(`workspace ${name}`, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
}

/** Resolves once no other tab holds this name, at the latest when those tabs are closed. */
export async function waitForLock(name: string): Promise<void> {
  const locks = navigator.locks as LockManager | undefined
  await locks?.request(`workspace ${name}`, () => undefined)
}

/** A random UUID, even in an insecure context. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
