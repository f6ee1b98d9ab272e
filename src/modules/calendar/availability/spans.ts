/** A period in milliseconds since 1970, end exclusive. */
export interface TimeSpan {
  start: number
  end: number
}

/** The same time as sorted, non-adjacent spans. */
export function merged(spans: readonly TimeSpan[]): TimeSpan[] {
  const all: TimeSpan[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else if (end > start) all.push({ start, end })
  }
  return all
}

/** The parts of spans within another. */
export function clipped(spans: readonly TimeSpan[], { start, end }: TimeSpan): TimeSpan[] {
  return spans
    .filter((span) => span.end > start && span.start < end)
    .map((span) => ({ start: Math.max(span.start, start), end: Math.min(span.end, end) }))
}

/** Whether one of these merged spans overlaps a period. */
export function overlapsAny(spans: readonly TimeSpan[], { start, end }: TimeSpan): boolean {
  const next = spans[firstAfter(spans, start)]
  return next !== undefined && next.start < end
}

/** Whether one of these merged spans contains a whole period. */
export function containedInAny(spans: readonly TimeSpan[], { start, end }: TimeSpan): boolean {
  const next = spans[firstAfter(spans, start)]
  return next !== undefined && next.start <= start && next.end >= end
}

/** Index of the first span that ends after a moment. */
function firstAfter(spans: readonly TimeSpan[], at: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.end > at) high = middle
    else low = middle + 1
  }
  return low
}
