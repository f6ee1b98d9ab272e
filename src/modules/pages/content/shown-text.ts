import { invisibleRanges } from '../../../kernel/text/invisible.ts'

// A text as shown to, and rewritten by, an assistant: without invisible characters, with uniform line ends and spaces,
// and with composed accents.

/** The shown text, and the source range of each of its units. */
interface ShownText {
  text: string
  starts: Uint32Array
  ends: Uint32Array
}

/** Line ends, unusual spaces, and characters with combining marks. */
const variants = /\r\n?|[\p{Zs}--\u0020]|[^\p{M}]\p{M}+/gv

/** Ranges of a text that look like the passage, in order, at most `maxPlaces`. Case-sensitive. */
export function placesAsShown(
  text: string,
  passage: string,
  maxPlaces: number,
): { start: number; end: number }[] {
  const wanted = shownTextOf(passage).text
  if (wanted === '') return []
  const { text: visible, starts, ends } = shownTextOf(text)
  const places: { start: number; end: number }[] = []
  for (
    let at = visible.indexOf(wanted);
    at !== -1 && places.length < maxPlaces;
    at = visible.indexOf(wanted, at + 1)
  )
    places.push({ start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? text.length })
  return places
}

function shownTextOf(source: string): ShownText {
  const [starts, ends] = [new Uint32Array(source.length), new Uint32Array(source.length)]
  const parts: string[] = []
  let length = 0
  /** Maps `text` to source[start, end): unit by unit if equally long, otherwise as a whole. */
  const add = (text: string, start: number, end: number) => {
    const isSame = text.length === end - start
    for (let i = 0; i < text.length; i++, length++) {
      starts[length] = isSame ? start + i : start
      ends[length] = isSame ? start + i + 1 : end
    }
    parts.push(text)
  }
  let visibleFrom = 0
  const endOfSource = [source.length, source.length] as const
  for (const [hiddenFrom, hiddenTo] of [...invisibleRanges(source), endOfSource]) {
    let at = visibleFrom
    for (const { index, 0: variant } of source.slice(visibleFrom, hiddenFrom).matchAll(variants)) {
      const from = visibleFrom + index
      add(source.slice(at, from), at, from)
      at = from + variant.length
      add(shownForm(variant), from, at)
    }
    add(source.slice(at, hiddenFrom), at, hiddenFrom)
    visibleFrom = hiddenTo
  }
  return { text: parts.join(''), starts, ends }
}

/** The shown form of a variant; never longer than the variant. */
function shownForm(variant: string): string {
  if (variant.startsWith('\r')) return '\n'
  if (/^\p{Zs}$/u.test(variant)) return ' '
  const composed = variant.normalize('NFC')
  return composed.length <= variant.length ? composed : variant
}
