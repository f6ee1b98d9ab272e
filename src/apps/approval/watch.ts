const shortIntervalMs = 5_000
const longIntervalMs = 30_000
const shortIntervalPeriodMs = 3 * 60_000
const maxDurationMs = 2 * 60 * 60_000

/**
 * Polls while `isPending`: often at first, then less often, never while the view is hidden, and at once when
 * it becomes visible again. After two hours, it polls only then.
 */
export function watch(refresh: () => Promise<void>, isPending: () => boolean): void {
  const startedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const scheduleNext = () => {
    clearTimeout(timer)
    const age = Date.now() - startedAt
    if (!isPending() || age > maxDurationMs) return
    timer = setTimeout(
      () => void poll(),
      age < shortIntervalPeriodMs ? shortIntervalMs : longIntervalMs,
    )
  }
  const poll = async () => {
    if (!document.hidden && isPending()) await refresh()
    scheduleNext()
  }
  document.addEventListener('visibilitychange', () => void poll())
  window.addEventListener('focus', () => void poll())
  scheduleNext()
}
