const often = 5_000
const seldom = 30_000
const oftenForMs = 3 * 60_000
const maxDurationMs = 2 * 60 * 60_000

/**
 * Looks again and again whether something has changed, as long as `isOpen`: often at first, later seldom, never while no one
 * sees the view, and at once when they come back to it. After two hours only then.
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
