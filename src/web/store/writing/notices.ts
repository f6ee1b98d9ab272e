/** What is said at the corner of the page of a change that was made, or was not. */
export interface Notice {
  text: string
  /** Why it did not work, for people. */
  problem?: string
  /** How long it stays, in seconds; 0: until it is closed. */
  seconds: number
  actions: readonly { label: string; run: () => void }[]
}

type Show = (notice: Notice) => void

const waiting: Notice[] = []
let show: Show | undefined

/** Says something; it waits until there is a place for it. */
export function notify(notice: Notice): void {
  if (show) show(notice)
  else waiting.push(notice)
}

/** Where notices appear. Returns what ends it. */
export function showNotices(by: Show): () => void {
  show = by
  for (const notice of waiting.splice(0)) by(notice)
  return () => {
    if (show === by) show = undefined
  }
}
