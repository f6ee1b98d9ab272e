// Names of files in an export, and ways from one to another.

const maxBytes = 120
/** Names that Windows keeps for devices, whatever their extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A title as the name of a file that every system takes; without an extension. */
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

/** Gives each name once, without regard to case: a second `Plan` is `Plan 2`. */
export class UniqueNames {
  readonly #taken = new Set<string>()

  take(name: string, extension = ''): string {
    for (let i = 1; ; i++) {
      const item = `${name}${i === 1 ? '' : ` ${i}`}`
      const folded = item.toLowerCase()
      if (this.#taken.has(folded)) continue
      this.#taken.add(folded)
      return item + extension
    }
  }
}

/** The way from one file to another, as a link has it: `../Plans/Goal%201.md`. */
export function relativePath(from: string, to: string): string {
  const [a, b] = [from.split('/').slice(0, -1), to.split('/')]
  let common = 0
  while (common < a.length && common < b.length - 1 && a[common] === b[common]) common++
  return [...a.slice(common).map(() => '..'), ...b.slice(common)].map(encodedPart).join('/')
}

function encodedPart(part: string): string {
  return encodeURI(part).replaceAll(
    /[()#?&'*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The path that a link of a file names, from the top; undefined where it leads out of there. */
export function resolvedPath(from: string, link: string): string | undefined {
  const parts = link.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of link.split('?')[0]!.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(decodedPart(part))
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a name with a percent sign in it
  }
}
