const often = 5_000
const seldom = 30_000
const oftenForMs = 3 * 60_000
const maxDurationMs = 2 * 60 * 60_000

/**
 * Polls for changes while `isOpen`: often at first, later less so, never while the view is hidden, and at once when
 * it becomes visible again. After two hours, only then.
 */
export function watch(look: () => Promise<void>, isOpen: () => boolean): void {
  const startedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const age = Date.now() - startedAt
    if (!isOpen() || age > maxDurationMs) return
    timer = setTimeout(() => void next(), age < oftenForMs ? often : seldom)
  }
  const next = async () => {
    if (!document.hidden && isOpen()) await look()
    plan()
  }
  document.addEventListener('visibilitychange', () => void next())
  window.addEventListener('focus', () => void next())
  plan()
}
