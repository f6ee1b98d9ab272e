// Shortest chains between two nodes of a graph queried level by level from both ends; otherwise pure.

/** One connection, seen from the queried node. */
export interface PathStep<E> {
  from: string
  to: string
  edge: E
}

export interface ChainBounds {
  depth: number
  /** Maximum nodes visited from each end. */
  nodes: number
  /** Maximum chains returned. */
  chains: number
  /** Deadline, by Date.now(). */
  until: number
}

export interface Chains<E> {
  /** All of the same length. */
  chains: PathStep<E>[][]
  /** false: a limit was reached before the search ended. */
  complete: boolean
}

interface Side<E> {
  depth: number
  frontier: string[]
  /** Steps by which a node was reached from this side. */
  reached: Map<string, PathStep<E>[]>
}

const maxPaths = 6

function startAt<E>(id: string): Side<E> {
  return { depth: 0, frontier: [id], reached: new Map([[id, []]]) }
}

/** @returns the shortest chains from one node to another; empty if not connected within the depth */
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
    const meetingNodes = near.frontier.filter((id) => far.reached.has(id))
    if (meetingNodes.length > 0)
      return { chains: joinChains(sides, meetingNodes, bounds.chains), complete: true }
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
    const steps = next.get(step.to) ?? []
    if (steps.length < maxPaths) steps.push(step)
    next.set(step.to, steps)
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
    const firstHalves = pathsTo(sides[0], id, limit)
    const secondHalves = pathsTo(sides[1], id, limit).map((chain) =>
      chain.reverse().map((step) => ({ from: step.to, to: step.from, edge: step.edge })),
    )
    for (const item of firstHalves)
      for (const other of secondHalves) if (joined.length < limit) joined.push([...item, ...other])
  }
  return joined
}

/** Chains by which a side reached a node. */
function pathsTo<E>(side: Side<E>, id: string, maxPaths: number): PathStep<E>[][] {
  const steps = side.reached.get(id)!
  if (steps.length === 0) return [[]]
  const paths: PathStep<E>[][] = []
  for (const step of steps)
    for (const way of pathsTo(side, step.from, maxPaths))
      if (paths.length < maxPaths) paths.push([...way, step])
  return paths
}
