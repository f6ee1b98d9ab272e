import type { DependencyLink } from './cycles.ts'

interface Chain {
  ids: string[]
  minutes: number
}

/**
 * The longest chain of tasks through one of them: what it waits for the longest, then itself, then what waits for it the
 * longest. By the sum of estimates; of equal sums the one with more tasks. Empty where nothing is linked to it.
 */
export function criticalPath(
  links: readonly DependencyLink[],
  minutesOf: ReadonlyMap<string, number>,
  root: string,
): string[] {
  const known = links.filter((one) => minutesOf.has(one.from) && minutesOf.has(one.to))
  const down = longest(
    Map.groupBy(known, (one) => one.from),
    (one) => one.to,
    minutesOf,
  )
  const up = longest(
    Map.groupBy(known, (one) => one.to),
    (one) => one.from,
    minutesOf,
  )
  if (!minutesOf.has(root)) return []
  const path = [...down(root).ids.toReversed(), ...up(root).ids.slice(1)]
  return path.length > 1 ? path : []
}

function longest(
  steps: Map<string, DependencyLink[]>,
  next: (link: DependencyLink) => string,
  minutesOf: ReadonlyMap<string, number>,
): (id: string) => Chain {
  const done = new Map<string, Chain>()
  const under = new Set<string>()
  return function chain(id: string): Chain {
    const known = done.get(id)
    if (known) return known
    under.add(id) // a circle, which an undo can close, ends where it began
    let best: Chain = { ids: [], minutes: 0 }
    for (const link of steps.get(id) ?? []) {
      if (under.has(next(link))) continue
      const one = chain(next(link))
      if (isLonger(one, best)) best = one
    }
    under.delete(id)
    const made = { ids: [id, ...best.ids], minutes: best.minutes + minutesOf.get(id)! }
    done.set(id, made)
    return made
  }
}

function isLonger(one: Chain, other: Chain): boolean {
  return one.minutes === other.minutes
    ? one.ids.length > other.ids.length
    : one.minutes > other.minutes
}
