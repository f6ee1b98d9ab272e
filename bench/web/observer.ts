/** Measurements between begin() and end(). */
export interface Interactions {
  /**
   * Milliseconds from each key, click or tap to the next paint. Chromium reports durations from 16 ms; shorter ones
   * are recorded as 8.
   */
  durations: number[]
  /** Durations of tasks over 50 ms, in milliseconds. */
  tasks: number[]
}

interface Observed {
  begin(): void
  end(): Interactions
}

declare global {
  interface Window {
    observed: Observed
  }
}

/** Observes a page from its start; runs in the page. */
export function observe(): void {
  const unseenMs = 8
  let slow = new Map<number, number>()
  let tasks: number[] = []
  let count = 0
  const events = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[])
      if (entry.interactionId > 0)
        slow.set(entry.interactionId, Math.max(entry.duration, slow.get(entry.interactionId) ?? 0))
  })
  events.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  const long = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  })
  long.observe({ type: 'longtask' })
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, () => void count++, { capture: true, passive: true })
  window.observed = {
    begin() {
      slow = new Map()
      tasks = []
      count = 0
    },
    end() {
      const slowDurations = [...slow.values()]
      const short = Array.from(
        { length: Math.max(0, count - slowDurations.length) },
        () => unseenMs,
      )
      return { durations: [...short, ...slowDurations], tasks }
    },
  }
}
