/** Notice at the edge of the page about a change that succeeded or failed. */
export interface Notice {
  /** Replaces an existing notification with the same id; `dismiss` removes it. */
  id?: string
  text: string
  /** Why it failed, for people. */
  problem?: string
  /** Seconds it stays visible; 0: until it is closed. */
  seconds: number
  /** End of its countdown, in milliseconds. */
  until?: number
  actions: readonly { label: string; run: () => void }[]
}

/** A displayed notification. */
export interface DisplayedNotice extends Notice {
  id: string
}

const maxNotices = 4

const listeners = new Set<() => void>()
let visibleNotices: readonly DisplayedNotice[] = []
let noticeCount = 0

/** Shows a notification. */
export function notify(notice: Notice): void {
  const id = notice.id ?? `notice ${++noticeCount}`
  visibleNotices = [...visibleNotices.filter((item) => item.id !== id), { ...notice, id }].slice(
    -maxNotices,
  )
  notifyNoticeListeners()
}

/** Removes a notification. */
export function dismiss(id: string): void {
  if (!visibleNotices.some((item) => item.id === id)) return
  visibleNotices = visibleNotices.filter((item) => item.id !== id)
  notifyNoticeListeners()
}

/** Current notices, newest last. */
export function currentNotices(): readonly DisplayedNotice[] {
  return visibleNotices
}

export function onNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function notifyNoticeListeners(): void {
  for (const listener of [...listeners]) listener()
}
