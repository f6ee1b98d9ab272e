/** A piece of a text; with `href` it is an address of the web, and `text` is what to show for it. */
export interface TextPart {
  /** Start of the match. */
  at: number
  text: string
  href?: string
}

const address = /https?:\/\/[^\s<>"'\u201c\u201d]{1,2000}/gi
/** Characters of an address's path that are shown. */
const maxPath = 24

/** A text with the addresses in it, each shown by its host as the browser will ask for it. Addresses with a login in them stay text. */
export function linksIn(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const raw = trimmed(match[0])
    const url = URL.parse(raw)
    if (url?.username !== '' || url.password !== '') continue
    if (match.index > end) parts.push({ at: end, text: text.slice(end, match.index) })
    parts.push({ at: match.index, text: shortUrlOf(url), href: url.href })
    end = match.index + raw.length
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) })
  return parts
}

/** Without what ends the sentence, or closes a bracket that was opened before the address. */
function trimmed(raw: string): string {
  const short = raw.replace(/[.,;:!?*_]+$/, '')
  const isOpened = short.includes('(')
  return !isOpened && short.endsWith(')') ? trimmed(short.slice(0, -1)) : short
}

function shortUrlOf({ host, pathname, search }: URL): string {
  const path = pathname === '/' && search === '' ? '' : pathname + search
  return host + (path.length > maxPath ? `${path.slice(0, maxPath)}…` : path)
}
