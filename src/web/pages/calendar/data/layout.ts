import { firstDay, lastDay, type DayPart, type EventRow } from './events.ts'

/** Position of a part of a day: its column, the number of columns beside each other, and the number that it spans. */
export interface PlacedPart extends DayPart {
  column: number
  columns: number
  width: number
}

/** Minimum drawn duration, in minutes: shorter events are drawn this high, and laid out as if they lasted this long. */
const minDrawnMinutes = 24

const drawnEnd = ({ from, until }: DayPart) => Math.max(until, from + minDrawnMinutes)

/** Lays out overlapping parts side by side; parts use free space to their right. */
export function placeParts(parts: readonly DayPart[]): PlacedPart[] {
  const sorted = parts.toSorted((a, b) => a.from - b.from || b.until - a.until)
  const placed: PlacedPart[] = []
  let cluster: DayPart[] = []
  let clusterEnd = 0
  for (const part of sorted) {
    if (part.from >= clusterEnd) {
      placed.push(...placeCluster(cluster))
      cluster = []
    }
    cluster.push(part)
    clusterEnd = Math.max(clusterEnd, drawnEnd(part))
  }
  return [...placed, ...placeCluster(cluster)]
}

/** A group of parts that each overlap another one. */
function placeCluster(cluster: readonly DayPart[]): PlacedPart[] {
  const columns: DayPart[][] = []
  const columnByPart = new Map<DayPart, number>()
  for (const part of cluster) {
    const freeIndex = columns.findIndex((column) => {
      const last = column.at(-1)
      return last === undefined || drawnEnd(last) <= part.from
    })
    const index = freeIndex === -1 ? columns.push([]) - 1 : freeIndex
    columns[index]?.push(part)
    columnByPart.set(part, index)
  }
  const overlaps = (column: readonly DayPart[] | undefined, part: DayPart) =>
    column?.some((other) => other.from < drawnEnd(part) && drawnEnd(other) > part.from) ?? false
  return cluster.map((part) => {
    const column = columnByPart.get(part) ?? 0
    let width = 1
    while (column + width < columns.length && !overlaps(columns[column + width], part)) width++
    return { ...part, column, columns: columns.length, width }
  })
}

/** A multi-day event, over the visible days. */
export interface Lane {
  row: EventRow
  /** Indexes of days, inclusive. */
  first: number
  last: number
  lane: number
}

/** Packs multi-day events into as few lanes as possible. */
export function placeLanes(rows: readonly EventRow[], days: readonly string[]): Lane[] {
  const ends: number[] = []
  return rows.flatMap((row) => {
    const first = days.findIndex((day) => day >= firstDay(row))
    const last = days.findLastIndex((day) => day <= lastDay(row))
    if (first === -1 || last < first) return []
    const freeLane = ends.findIndex((end) => end < first)
    const lane = freeLane === -1 ? ends.length : freeLane
    ends[lane] = last
    return [{ row, first, last, lane }]
  })
}
