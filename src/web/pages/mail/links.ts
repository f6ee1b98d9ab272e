/** A part of a text; with `href`, a web address whose label is `text`. */
export interface TextPart {
  /** Start of the match. */
  offset: number
  text: string
  href?: string
}

const urlPattern = /https?:\/\/[^\s<>"'\u201c\u201d]{1,2000}/gi
/** Maximum characters shown of an address's path. */
const maxPathLength = 24

/**
 * Splits a text at addresses, each labeled with its host as requested by the browser. Addresses that contain a login
 * stay text.
 */
export function linksIn(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(urlPattern)) {
    const raw = trimUrl(match[0])
    const url = URL.parse(raw)
    if (url?.username !== '' || url.password !== '') continue
    if (match.index > end) parts.push({ offset: end, text: text.slice(end, match.index) })
    parts.push({ offset: match.index, text: shortUrlOf(url), href: url.href })
    end = match.index + raw.length
  }
  if (end < text.length) parts.push({ offset: end, text: text.slice(end) })
  return parts
}

/** Removes trailing punctuation, and a closing bracket that was opened before the address. */
function trimUrl(raw: string): string {
  const short = raw.replace(/[.,;:!?*_]+$/, '')
  const isOpened = short.includes('(')
  return !isOpened && short.endsWith(')') ? trimUrl(short.slice(0, -1)) : short
}

function shortUrlOf({ host, pathname, search }: URL): string {
  const path = pathname === '/' && search === '' ? '' : pathname + search
  return host + (path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path)
}
