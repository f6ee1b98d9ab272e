/** A text of at most `maxLength` UTF-16 units: a longer one ends in "…". No surrogate pair is cut in half. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`
}
