import { codeRanges, outside } from './code-ranges.ts'

const maxScanned = 1000
const maxUnresolved = 20

/** A person who can be mentioned. */
export interface Mentionable {
  id: string
  email: string
  display_name: string
}

/** Resolved mentions of a text. */
export interface Mentions {
  /** Ids of the people, in the order of the text. */
  people: string[]
  /** Mentions that match no one, as written: `@Tom Weber`. */
  unresolved: string[]
}

/**
 * The mentions of a Markdown text: `@Ann Lee`, `@ann.lee`, `@ann@acme.test`, `@usr_…`, or a unique first name. The
 * longest matching name wins; people with the same name are all included. Code is ignored.
 */
export function readMentions(markdown: string, people: readonly Mentionable[]): Mentions {
  if (!markdown.includes('@')) return { people: [], unresolved: [] }
  const fullHandles = people.flatMap((person) =>
    handlesOf(person).map((handle) => ({ handle, id: person.id })),
  )
  const handles = [
    ...fullHandles.map((item) => ({ ...item, isFirst: false })),
    ...firstNames(people, fullHandles).map((firstName) => ({ ...firstName, isFirst: true })),
  ].sort((a, b) => b.handle.length - a.handle.length)
  const peopleIds = new Set<string>()
  const unresolved = new Set<string>()
  const isOutsideCode = outside(codeRanges(markdown))
  for (const { index } of markdown
    .matchAll(/(?<![\p{L}\p{N}_.@/\\-])@(?=\S)/gu)
    .filter((match) => isOutsideCode(match.index))
    .take(maxScanned)) {
    const written = markdown.slice(index + 1, index + 400)
    const rest = written.toLowerCase()
    const matchedHandle = handles.find(
      (handle) =>
        startsWithHandle(rest, handle.handle) &&
        !(handle.isFirst && hasSurname(written, handle.handle)),
    )?.handle
    if (matchedHandle === undefined) unresolved.add(unmatchedMentionAt(written))
    else for (const handle of handles) if (handle.handle === matchedHandle) peopleIds.add(handle.id)
  }
  return {
    people: [...peopleIds],
    unresolved: [...unresolved].filter((text) => text !== '').slice(0, maxUnresolved),
  }
}

/** The people that a markdown text mentions. */
export function mentionsIn(markdown: string, people: readonly Mentionable[]): string[] {
  return readMentions(markdown, people).people
}

/** Mentions that match no one, by call. */
const unresolvedByCall = new WeakMap<object, Set<string>>()

/** People mentioned in a text but not in the previous one; unmatched mentions are recorded for `unresolvedMentions`. */
export function newMentions(
  ctx: object,
  markdown: string,
  people: readonly Mentionable[],
  before = '',
): string[] {
  const [now, earlier] = [readMentions(markdown, people), readMentions(before, people)]
  const unresolved = unresolvedByCall.get(ctx) ?? new Set()
  for (const text of now.unresolved) if (!earlier.unresolved.includes(text)) unresolved.add(text)
  unresolvedByCall.set(ctx, unresolved)
  return now.people.filter((id) => !earlier.people.includes(id))
}

/** The part of an answer with this call's unmatched mentions; empty if there are none. */
export function unresolvedMentions(ctx: object): { unresolved_mentions?: string[] } {
  const unresolved = [...(unresolvedByCall.get(ctx) ?? [])]
  return unresolved.length === 0 ? {} : { unresolved_mentions: unresolved }
}

function handlesOf({ id, email, display_name }: Mentionable): string[] {
  const name = display_name.trim().toLowerCase()
  return [...new Set([id, email.toLowerCase(), name, name.replaceAll(/\s+/g, '.')])].filter(
    (handle) => handle !== '',
  )
}

/** Unique first names that are not anyone's full name. */
function firstNames(
  people: readonly Mentionable[],
  entries: readonly { handle: string }[],
): { handle: string; id: string }[] {
  const firsts = people.map(({ id, display_name }) => ({
    id,
    handle: display_name.trim().toLowerCase().split(/\s+/)[0]!,
  }))
  const counts = Map.groupBy(firsts, (first) => first.handle)
  const whole = new Set(entries.map((item) => item.handle))
  return firsts.filter(
    ({ handle }) => handle !== '' && counts.get(handle)!.length === 1 && !whole.has(handle),
  )
}

/** Whether a text begins with a name that ends there: `@ann` is not mentioned in `@anna` or `@ann@home.test`. */
function startsWithHandle(rest: string, handle: string): boolean {
  return (
    rest.startsWith(handle) &&
    !/^([\p{L}\p{N}_@]|[.-][\p{L}\p{N}])/u.test(rest.slice(handle.length))
  )
}

/** Whether a capitalized word follows a first name: it may be another person, `@Tom Weber` instead of Tom Costa. */
function hasSurname(written: string, first: string): boolean {
  return /^ \p{Lu}/u.test(written.slice(first.length))
}

/**
 * Text to report for a mention that matches no one; empty if it is not a mention but a package (`@types/node`) or a
 * time.
 */
function unmatchedMentionAt(written: string): string {
  const [name = ''] =
    /^\p{L}[\p{L}\p{N}_]*(?:[.@-][\p{L}\p{N}_]+)*(?: \p{Lu}[\p{L}\p{N}]*)?/u.exec(written) ?? []
  return name === '' || /^[/(]/.test(written.slice(name.length)) ? '' : `@${name.slice(0, 100)}`
}
