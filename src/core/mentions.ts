import { codeRanges, outside } from './code-ranges.ts'

const mostRead = 1000

/** Somebody who can be mentioned. */
export interface Mentionable {
  id: string
  email: string
  display_name: string
}

/**
 * The people that a markdown text mentions, in the order of the text: `@Ann Lee`, `@ann.lee`, `@ann@acme.test` or
 * `@usr_…`. The longest name that fits wins; people of the same name are all meant. Code is not read.
 */
export function mentionsIn(markdown: string, people: readonly Mentionable[]): string[] {
  if (!markdown.includes('@')) return []
  const handles = people.flatMap(person => handlesOf(person).map(handle => ({ handle, id: person.id }))).sort((a, b) => b.handle.length - a.handle.length)
  const found = new Set<string>()
  const text = markdown.toLowerCase()
  const isRead = outside(codeRanges(text))
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_.@/\\-])@(?=\S)/gu).filter(match => isRead(match.index)).take(mostRead)) {
    const rest = text.slice(index + 1, index + 400)
    const longest = handles.find(one => isAt(rest, one.handle))?.handle
    if (longest === undefined) continue
    for (const one of handles) if (one.handle === longest) found.add(one.id)
  }
  return [...found]
}

function handlesOf({ id, email, display_name }: Mentionable): string[] {
  const name = display_name.trim().toLowerCase()
  return [...new Set([id, email.toLowerCase(), name, name.replaceAll(/\s+/g, '.')])].filter(handle => handle !== '')
}

/** Whether a text begins with a name, and the name ends there: `@ann` is no mention in `@anna` or `@ann@home.test`. */
function isAt(rest: string, handle: string): boolean {
  return rest.startsWith(handle) && !/^([\p{L}\p{N}_@]|[.-][\p{L}\p{N}])/u.test(rest.slice(handle.length))
}
