/** Rows read per successive batch; a page ends after the last batch, however few it found. */
const batchLengths = [200, 1000, 4000, 15_000]

export interface GatheredPage<R, P> {
  rows: R[]
  more: boolean
  /** Position to continue from: after the last row returned, or the last one read. Undefined: nothing was read. */
  next: P | undefined
}

/**
 * Fills a page from a log in which any share of the rows may be visible to the reader: batch by indexed batch, with a
 * limit on rows read. A page may therefore end early, indicated by `more`.
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
): Promise<GatheredPage<R, P>> {
  const rows: R[] = []
  let position = start
  for (const length of batchLengths) {
    const batch = await read(position, length, limit + 1 - rows.length)
    rows.push(...batch.rows)
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), more: true, next: placeOf(rows[limit - 1]!) }
    if (batch.end === undefined)
      return { rows, more: false, next: rows.length > 0 ? placeOf(rows.at(-1)!) : position }
    position = batch.end
  }
  return { rows, more: true, next: position }
}
