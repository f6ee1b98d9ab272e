/** What is said at the edge of the page of a change that was made, or was not. */
export interface Notice {
  /** One that says the same thing in its place replaces it; `dismiss` takes it away. */
  id?: string
  text: string
  /** Why it did not work, for people. */
  problem?: string
  /** How long it stays, in seconds; 0: until it is closed. */
  seconds: number
  /** The moment, in milliseconds, to which its seconds are counted down. */
  until?: number
  actions: readonly { label: string; run: () => void }[]
}

/** A notice in its place. */
export interface ShownNotice extends Notice {
  id: string
}

const maxShown = 4

const listeners = new Set<() => void>()
let shown: readonly ShownNotice[] = []
let count = 0

/** Says something. */
export function notify(notice: Notice): void {
  const id = notice.id ?? `notice ${++count}`
  shown = [...shown.filter((item) => item.id !== id), { ...notice, id }].slice(-maxShown)
  changed()
}

/** Takes a notice away. */
export function dismiss(id: string): void {
  if (!shown.some((item) => item.id === id)) return
  shown = shown.filter((item) => item.id !== id)
  changed()
}

/** What is said now, the newest last. */
export function shownNotices(): readonly ShownNotice[] {
  return shown
}

export function onNotices(heard: () => void): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

function changed(): void {
  for (const heard of [...listeners]) heard()
}
