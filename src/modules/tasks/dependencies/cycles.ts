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
  const before = new Map<string, string>([[start, '']])
  const queue = [start]
  for (const at of queue) {
    if (at === end) return backFrom(end, before)
    for (const { to } of next.get(at) ?? []) {
      if (before.has(to)) continue
      before.set(to, at)
      queue.push(to)
    }
  }
  return undefined
}

function backFrom(end: string, before: Map<string, string>): string[] {
  const path: string[] = []
  for (let at = end; at !== ''; at = before.get(at)!) path.unshift(at)
  return path
}

/** Cycles in the links, each once, as ordered lists of tasks. */
export function circles(links: readonly DependencyLink[]): string[][] {
  const cycles = new Map<string, string[]>()
  const knot = tangled(links)
  for (const { from, to } of knot) {
    const path = pathBetween(knot, to, from)
    if (path) cycles.set([...path].sort().join(), path)
  }
  return [...cycles.values()]
}

/** Removes links to end nodes repeatedly, which leaves cycles and the paths into them. */
function tangled(links: readonly DependencyLink[]): readonly DependencyLink[] {
  const starts = new Set(links.map((link) => link.from))
  const left = links.filter((link) => starts.has(link.to))
  return left.length === links.length ? links : tangled(left)
}
