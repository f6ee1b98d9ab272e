// Shortest chains between two nodes of a graph that is asked for level by level, from both ends; pure but for that question.

/** One connection, as seen from the node that was asked about. */
export interface PathStep<E> {
  from: string
  to: string
  edge: E
}

export interface ChainBounds {
  depth: number
  /** Nodes that are looked at from each end. */
  nodes: number
  /** Chains that are found at most. */
  chains: number
  /** When to give up, by Date.now(). */
  until: number
}

export interface Chains<E> {
  /** All as short as each other. */
  chains: PathStep<E>[][]
  /** false: a bound was reached before the search was over. */
  complete: boolean
}

interface Side<E> {
  depth: number
  frontier: string[]
  /** By which steps a node was reached, from the side's own end. */
  reached: Map<string, PathStep<E>[]>
}

const maxPaths = 6

function startAt<E>(id: string): Side<E> {
  return { depth: 0, frontier: [id], reached: new Map([[id, []]]) }
}

/** @returns the shortest chains from one node to another; none where they are not connected within the depth */
export async function shortestChains<E>(
  from: string,
  to: string,
  expand: (ids: string[]) => Promise<PathStep<E>[]>,
  bounds: ChainBounds,
): Promise<Chains<E>> {
  if (from === to) return { chains: [[]], complete: true }
  const sides: [Side<E>, Side<E>] = [startAt(from), startAt(to)]
  while (sides[0].depth + sides[1].depth < bounds.depth) {
    const [near, far] =
      sides[0].frontier.length <= sides[1].frontier.length ? sides : [sides[1], sides[0]]
    if (near.frontier.length === 0) return { chains: [], complete: true }
    await advance(near, expand)
    const met = near.frontier.filter((id) => far.reached.has(id))
    if (met.length > 0) return { chains: joinChains(sides, met, bounds.chains), complete: true }
    if (near.reached.size > bounds.nodes || Date.now() > bounds.until)
      return { chains: [], complete: false }
  }
  return { chains: [], complete: true }
}

async function advance<E>(
  side: Side<E>,
  expand: (ids: string[]) => Promise<PathStep<E>[]>,
): Promise<void> {
  const next = new Map<string, PathStep<E>[]>()
  for (const step of await expand(side.frontier)) {
    if (side.reached.has(step.to)) continue
    const ways = next.get(step.to) ?? []
    if (ways.length < maxPaths) ways.push(step)
    next.set(step.to, ways)
  }
  for (const [id, ways] of next) side.reached.set(id, ways)
  side.frontier = [...next.keys()]
  side.depth++
}

function joinChains<E>(
  sides: readonly [Side<E>, Side<E>],
  met: readonly string[],
  limit: number,
): PathStep<E>[][] {
  const joined: PathStep<E>[][] = []
  for (const id of met) {
    const before = waysTo(sides[0], id, limit)
    const behind = waysTo(sides[1], id, limit).map((chain) =>
      chain.reverse().map((step) => ({ from: step.to, to: step.from, edge: step.edge })),
    )
    for (const item of before)
      for (const other of behind) if (joined.length < limit) joined.push([...item, ...other])
  }
  return joined
}

/** The chains by which a side reached a node, from its own end. */
function waysTo<E>(side: Side<E>, id: string, maxPaths: number): PathStep<E>[][] {
  const steps = side.reached.get(id)!
  if (steps.length === 0) return [[]]
  const ways: PathStep<E>[][] = []
  for (const step of steps)
    for (const way of waysTo(side, step.from, maxPaths))
      if (ways.length < maxPaths) ways.push([...way, step])
  return ways
}
