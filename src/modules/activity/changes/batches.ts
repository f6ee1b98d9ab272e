/** Rows looked at in one go, then in the next; after the last one a page ends, however few it found. */
const lengths = [200, 1000, 4000, 15_000]

export interface Gathered<R, P> {
  rows: R[]
  more: boolean
  /** The place from which to go on: behind the last row given, or behind the last one looked at. Undefined: nothing was looked at. */
  next: P | undefined
}

/**
 * Fills a page from a log in which anything from all rows to none may be for the reader: stretch by stretch, each read by an
 * index, and never more rows than are quickly looked at. A page may therefore end early; it says so by `more`.
 */
export async function gather<R, P>(
  limit: number,
  start: P | undefined,
  placeOf: (row: R) => P,
  read: (
    beyond: P | undefined,
    length: number,
    limit: number,
  ) => Promise<{ rows: R[]; end: P | undefined }>,
): Promise<Gathered<R, P>> {
  const rows: R[] = []
  let at = start
  for (const length of lengths) {
    const stretch = await read(at, length, limit + 1 - rows.length)
    rows.push(...stretch.rows)
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), more: true, next: placeOf(rows[limit - 1]!) }
    if (stretch.end === undefined)
      return { rows, more: false, next: rows.length > 0 ? placeOf(rows.at(-1)!) : at }
    at = stretch.end
  }
  return { rows, more: true, next: at }
}
