import type { GraphEdge, Neighborhood } from './neighborhood.ts'

export interface Point {
  x: number
  y: number
}

/** Positions of the entities, by their centers, and the size of the graph. */
export interface Layout {
  width: number
  height: number
  positions: ReadonlyMap<string, Point>
}

interface Body extends Point {
  id: string
  halfWidth: number
}

/** Height of a drawn entity, and its maximum width. */
export const nodeHeight = 30
const maxWidth = 150
const gap = 14
const rounds = 240

export const widthOf = (title: string) => Math.min(maxWidth, 32 + title.length * 7)

/**
 * Lays out a neighborhood: connected entities are close, nothing overlaps, the first entity is in the middle.
 * Deterministic for the same neighborhood.
 */
export function layOut({ nodes, edges }: Pick<Neighborhood, 'nodes' | 'edges'>): Layout {
  const bodies = nodes.map(({ id, title, depth }, n): Body => {
    const angle = n * 2.399963 // the golden angle: no two have the same direction
    const radius = depth * 130
    const [x, y] = [Math.cos(angle) * radius * 1.3, Math.sin(angle) * radius]
    return { id, x, y, halfWidth: widthOf(title) / 2 }
  })
  const index = new Map(bodies.map((body) => [body.id, body]))
  const pairs = edges.flatMap(({ from, to }): [Body, Body][] => {
    const [a, b] = [index.get(from.id), index.get(to.id)]
    return a && b ? [[a, b]] : []
  })
  for (let round = 0; round < rounds; round++) {
    pushApart(bodies, 1 - round / rounds)
    for (const [a, b] of pairs) pullTogether(a, b)
    pinToOrigin(bodies[0])
  }
  for (let round = 0; round < rounds && separateOverlaps(bodies); round++) pinToOrigin(bodies[0])
  return toLayout(bodies)
}

/** Keeps the first entity in the middle. */
function pinToOrigin(body: Body | undefined): void {
  if (!body) return
  body.x = 0
  body.y = 0
}

function pushApart(bodies: readonly Body[], heat: number): void {
  forPairs(bodies, (a, b) => {
    const [dx, dy] = [(b.x - a.x) / 1.6, b.y - a.y] // nodes are wider than high
    const squaredDistance = Math.max(100, dx * dx + dy * dy)
    const force = Math.min(12, 9000 / squaredDistance) * (0.2 + heat)
    const distance = Math.sqrt(squaredDistance)
    move(a, b, { x: (dx / distance) * force * 1.6, y: (dy / distance) * force })
  })
}

function pullTogether(a: Body, b: Body): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const distance = Math.max(1, Math.hypot(dx, dy))
  const force = (distance - 120) * -0.03
  move(a, b, { x: (dx / distance) * force, y: (dy / distance) * force })
}

/** Separates overlapping bodies; returns whether there were any. */
function separateOverlaps(bodies: readonly Body[]): boolean {
  let hadOverlap = false
  forPairs(bodies, (a, b) => {
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const overX = a.halfWidth + b.halfWidth + gap - Math.abs(dx)
    const overY = nodeHeight + gap - Math.abs(dy)
    if (overX <= 0.01 || overY <= 0.01) return
    hadOverlap = true
    if (overX < overY) move(a, b, { x: (overX / 2) * (dx < 0 ? -1 : 1), y: 0 })
    else move(a, b, { x: 0, y: (overY / 2) * (dy < 0 ? -1 : 1) })
  })
  return hadOverlap
}

function move(a: Body, b: Body, { x, y }: Point): void {
  a.x -= x
  a.y -= y
  b.x += x
  b.y += y
}

function forPairs(bodies: readonly Body[], callback: (a: Body, b: Body) => void): void {
  for (const [n, a] of bodies.entries()) for (const b of bodies.slice(n + 1)) callback(a, b)
}

function toLayout(bodies: readonly Body[]): Layout {
  const left = Math.min(...bodies.map(({ x, halfWidth }) => x - halfWidth)) - gap
  const right = Math.max(...bodies.map(({ x, halfWidth }) => x + halfWidth)) + gap
  const top = Math.min(...bodies.map(({ y }) => y - nodeHeight / 2)) - gap
  const bottom = Math.max(...bodies.map(({ y }) => y + nodeHeight / 2)) + gap
  const positions = new Map(
    bodies.map(({ id, x, y }) => [id, { x: Math.round(x - left), y: Math.round(y - top) }]),
  )
  return { width: Math.ceil(right - left), height: Math.ceil(bottom - top), positions }
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

const steps: Readonly<Record<Direction, Point>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
}

/** Finds the entity that an arrow key leads to: the one most in its direction; undefined if there is none. */
export function nearestInDirection(
  direction: Direction,
  from: Point,
  to: readonly { id: string; at: Point }[],
): string | undefined {
  const step = steps[direction]
  const [best] = to
    .map(({ id, at }) => {
      const [dx, dy] = [at.x - from.x, at.y - from.y]
      return { id, along: (dx * step.x + dy * step.y) / Math.max(1, Math.hypot(dx, dy)) }
    })
    .filter(({ along }) => along > 0.1)
    .sort((a, b) => b.along - a.along)
  return best?.id
}

/** True if a key is an arrow. */
export const isDirection = (key: string): key is Direction => key in steps

/** The line of an edge, between the borders of two entities. */
export function lineBetween(
  { from, to }: GraphEdge,
  { positions }: Layout,
): { start: Point; end: Point } | undefined {
  const [a, b] = [positions.get(from.id), positions.get(to.id)]
  if (!a || !b) return undefined
  return { start: borderPoint(a, from.title, b), end: borderPoint(b, to.title, a) }
}

/** Point at which the line from an entity to a point leaves its border. */
function borderPoint(from: Point, title: string, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const fraction = Math.min(
    0.5,
    (widthOf(title) / 2 + 2) / Math.max(1, Math.abs(dx)),
    (nodeHeight / 2 + 2) / Math.max(1, Math.abs(dy)),
  )
  return { x: from.x + dx * fraction, y: from.y + dy * fraction }
}
