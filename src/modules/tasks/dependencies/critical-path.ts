import type { DependencyLink } from './cycles.ts'

interface Chain {
  ids: string[]
  minutes: number
}

/**
 * The longest dependency chain through a task: its longest chain of blockers, the task, then its longest chain of
 * dependents. Measured by the sum of estimates, then by the number of tasks. Empty if the task has no links.
 */
export function criticalPath(
  links: readonly DependencyLink[],
  minutesOf: ReadonlyMap<string, number>,
  root: string,
): string[] {
  const validLinks = links.filter((link) => minutesOf.has(link.from) && minutesOf.has(link.to))
  const down = chainFinder(
    Map.groupBy(validLinks, (dependencyLink) => dependencyLink.from),
    (dependencyLink) => dependencyLink.to,
    minutesOf,
  )
  const up = chainFinder(
    Map.groupBy(validLinks, (dependencyLink) => dependencyLink.to),
    (dependencyLink) => dependencyLink.from,
    minutesOf,
  )
  if (!minutesOf.has(root)) return []
  const path = [...down(root).ids.toReversed(), ...up(root).ids.slice(1)]
  return path.length > 1 ? path : []
}

function chainFinder(
  steps: Map<string, DependencyLink[]>,
  next: (link: DependencyLink) => string,
  minutesOf: ReadonlyMap<string, number>,
): (id: string) => Chain {
  const chains = new Map<string, Chain>()
  const onPath = new Set<string>()
  return function chain(id: string): Chain {
    const cached = chains.get(id)
    if (cached) return cached
    onPath.add(id) // stops at a cycle, which an undo can create
    let best: Chain = { ids: [], minutes: 0 }
    for (const link of steps.get(id) ?? []) {
      if (onPath.has(next(link))) continue
      const candidate = chain(next(link))
      if (isLonger(candidate, best)) best = candidate
    }
    onPath.delete(id)
    const criticalChain = { ids: [id, ...best.ids], minutes: best.minutes + minutesOf.get(id)! }
    chains.set(id, criticalChain)
    return criticalChain
  }
}

function isLonger(chain: Chain, other: Chain): boolean {
  return chain.minutes === other.minutes
    ? chain.ids.length > other.ids.length
    : chain.minutes > other.minutes
}
