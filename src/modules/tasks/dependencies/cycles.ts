/** One link: `from` waits for `to`. */
export interface DependencyLink {
  from: string
  to: string
}

/** The shortest path along the links from one task to another, inclusive; undefined if there is none. */
export function pathBetween(
  links: readonly DependencyLink[],
  start: string,
  end: string,
): string[] | undefined {
  const next = Map.groupBy(links, (link) => link.from)
  const previous = new Map<string, string>([[start, '']])
  const queue = [start]
  for (const at of queue) {
    if (at === end) return pathTo(end, previous)
    for (const { to } of next.get(at) ?? []) {
      if (previous.has(to)) continue
      previous.set(to, at)
      queue.push(to)
    }
  }
  return undefined
}

function pathTo(end: string, previous: Map<string, string>): string[] {
  const path: string[] = []
  for (let at = end; at !== ''; at = previous.get(at)!) path.unshift(at)
  return path
}

/** Cycles in the links, each once, as ordered lists of tasks. */
export function findCycles(links: readonly DependencyLink[]): string[][] {
  const cycles = new Map<string, string[]>()
  const cyclicLinks = withoutDeadEnds(links)
  for (const { from, to } of cyclicLinks) {
    const path = pathBetween(cyclicLinks, to, from)
    if (path) cycles.set([...path].sort().join(), path)
  }
  return [...cycles.values()]
}

/** Removes links to end nodes repeatedly, which leaves cycles and the paths into them. */
function withoutDeadEnds(links: readonly DependencyLink[]): readonly DependencyLink[] {
  const starts = new Set(links.map((link) => link.from))
  const remaining = links.filter((link) => starts.has(link.to))
  return remaining.length === links.length ? links : withoutDeadEnds(remaining)
}
