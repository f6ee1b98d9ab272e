// Parts of the app that are loaded when someone first goes there: they wait until the server can be reached.

const retryMs = 3000

const listeners = new Set<() => void>()
let waiting = 0

/** Whether a part of the app waits for a server that cannot be reached. */
export function isPartWaiting(): boolean {
  return waiting > 0
}

/** Hears whether parts wait. Returns what ends it. */
export function onPartWaiting(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Imports a part of the app. While the server cannot be reached it waits, since the router would otherwise load the page anew and
 * the browser show that the site is away.
 * @throws Error where the server can be reached and does not have the part: another release runs there by now
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
    return false // no answer is the answer that is asked for here
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
  waiting += change
  for (const listener of [...listeners]) listener()
}
