// File names in an export, and relative paths between them.

const maxBytes = 120
/** Windows device names, reserved with any extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A title as a portable file name, without extension. */
export function fileNameOf(title: string): string {
  let name = ''
  for (const letter of title
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]/gu, '-')) {
    if (Buffer.byteLength(name + letter) > maxBytes) break
    name += letter
  }
  name = name.replace(/^[\s.]+|[\s.]+$/g, '')
  if (name === '') return 'Untitled'
  return reserved.test(name) ? `${name}_` : name
}

/** Makes names unique, ignoring case: a second `Plan` becomes `Plan 2`. */
export class UniqueNames {
  readonly #usedPaths = new Set<string>()

  take(name: string, extension = ''): string {
    for (let i = 1; ; i++) {
      const item = `${name}${i === 1 ? '' : ` ${i}`}`
      const folded = item.toLowerCase()
      if (this.#usedPaths.has(folded)) continue
      this.#usedPaths.add(folded)
      return item + extension
    }
  }
}

/** The relative link from one file to another: `../Plans/Goal%201.md`. */
export function relativePath(from: string, to: string): string {
  const [a, b] = [from.split('/').slice(0, -1), to.split('/')]
  let common = 0
  while (common < a.length && common < b.length - 1 && a[common] === b[common]) common++
  return [...a.slice(common).map(() => '..'), ...b.slice(common)].map(encodePart).join('/')
}

function encodePart(part: string): string {
  return encodeURI(part).replaceAll(
    /[()#?&'*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The path, from the root, of a link in a file; undefined if it leads outside the root. */
export function resolvePath(from: string, link: string): string | undefined {
  const parts = link.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of link.split('?')[0]!.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(decodePart(part))
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a literal percent sign
  }
}
