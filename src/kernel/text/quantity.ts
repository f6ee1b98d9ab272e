/** A number with what it counts: “1 entry”, “2 entries”. `many`: the plural, where it is not `one` and an s. */
export function quantity(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`
}
