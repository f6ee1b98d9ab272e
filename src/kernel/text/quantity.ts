/** A number with its noun: “1 entry”, “2 entries”. `plural`: needed if it is not the singular plus s. */
export function quantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
