// Mail templates in the composer: known values of the recipient are filled in, the rest is left to be typed over.

const variablePattern = /\{\{-?\s*([A-Za-z_][\w-]{0,63})\s*-?\}\}/g
const anyVariablePattern = /\{\{[^{}]{1,200}\}\}/

/** True if a text contains conditions or loops, which only the server can evaluate. */
export const hasTags = (text: string): boolean => text.includes('{%')

/** Variables known about the recipient, by the names that templates use: `Ann Doe <ann@example.org>`. */
export function variablesOf(recipient: string | undefined): ReadonlyMap<string, string> {
  const [, name = '', email = ''] =
    /^\s*(?:"?([^"<]*?)"?\s*<([^<>]+)>|[^<>]*)\s*$/.exec(recipient ?? '') ?? []
  const address = email || (recipient ?? '').trim()
  const [first = '', ...rest] = name.split(/\s+/)
  const variables = { name, first_name: first, last_name: rest.join(' '), email: address }
  return new Map(Object.entries(variables).filter(([, value]) => value !== ''))
}

/** A text with the known values filled in. */
export function fillTemplateText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(variablePattern, (slot, name: string) => values.get(name) ?? slot)
}

/** Range of the first variable still to be filled in. */
export function firstVariable(
  text: string,
  offset = 0,
): { start: number; end: number } | undefined {
  const match = anyVariablePattern.exec(text.slice(offset))
  return match
    ? { start: offset + match.index, end: offset + match.index + match[0].length }
    : undefined
}
