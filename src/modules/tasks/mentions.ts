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
  const handles = people.flatMap(person => handlesOf(person).map(handle => ({ handle, id: person.id }))).sort((a, b) => b.handle.length - a.handle.length)
  const text = withoutCode(markdown).toLowerCase()
  const found = new Set<string>()
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_.@/\\-])@(?=\S)/gu).take(mostRead)) {
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

function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gm, ' ')
    .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, ' ')
}
