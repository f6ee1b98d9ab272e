// Lazily loaded parts of the app: loading waits until the server is reachable.

const retryMs = 3000

const listeners = new Set<() => void>()
let waitingCount = 0

/** True if a part of the app waits for an unreachable server. */
export function isPartWaiting(): boolean {
  return waitingCount > 0
}

/** Subscribes to the waiting state of parts. Returns a function that unsubscribes. */
export function onPartWaitingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Imports a part of the app. Waits while the server is unreachable, since the router would otherwise reload the page
 * and the browser would show an error page.
 * @throws Error if the server is reachable but lacks the part: it runs another release by now
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load()
  } catch (error) {
    if (await isReachable()) throw error
  }
  setWaiting(1)
  try {
    do await untilRetry()
    while (!(await isReachable()))
  } finally {
    setWaiting(-1)
  }
  return loadPart(load)
}

async function isReachable(): Promise<boolean> {
  try {
    await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false // any failure means that it is unreachable
  }
}

function untilRetry(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, retryMs)
    window.addEventListener('online', end)
  })
}

function setWaiting(change: number): void {
  waitingCount += change
  for (const listener of [...listeners]) listener()
}
