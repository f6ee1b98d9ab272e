/** Truncates a text to `maxLength` UTF-16 units, ending in "…". Never splits a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}
