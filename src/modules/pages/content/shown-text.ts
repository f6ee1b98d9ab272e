import { invisibleRanges } from '../../../kernel/text/invisible.ts'

// A text as an assistant is shown it, and writes it again: without invisible characters, with line ends and spaces of one kind, and
// with letters and their accents as one character.

/** A text as it is shown, and for each of its units where what it stands for begins and ends. */
interface ShownText {
  text: string
  starts: Uint32Array
  ends: Uint32Array
}

/** Line ends, spaces other than the common one, and characters with combining marks. */
const variants = /\r\n?|[\p{Zs}--\u0020]|[^\p{M}]\p{M}+/gv

/** At most `maxPlaces` stretches of a text that look like the passage, in order. Letter case counts. */
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
  /** Notes that `text` stands for source[start, end): unit by unit where both are equally long, else as a whole. */
  const add = (text: string, start: number, end: number) => {
    const isSame = text.length === end - start
    for (let i = 0; i < text.length; i++, length++) {
      starts[length] = isSame ? start + i : start
      ends[length] = isSame ? start + i + 1 : end
    }
    parts.push(text)
  }
  let visibleFrom = 0
  const end = [source.length, source.length] as const
  for (const [hiddenFrom, hiddenTo] of [...invisibleRanges(source), end]) {
    let at = visibleFrom
    for (const { index, 0: variant } of source.slice(visibleFrom, hiddenFrom).matchAll(variants)) {
      const from = visibleFrom + index
      add(source.slice(at, from), at, from)
      at = from + variant.length
      add(common(variant), from, at)
    }
    add(source.slice(at, hiddenFrom), at, hiddenFrom)
    visibleFrom = hiddenTo
  }
  return { text: parts.join(''), starts, ends }
}

/** The characters that a variant is shown as; never longer than the variant. */
function common(variant: string): string {
  if (variant.startsWith('\r')) return '\n'
  if (/^\p{Zs}$/u.test(variant)) return ' '
  const composed = variant.normalize('NFC')
  return composed.length <= variant.length ? composed : variant
}
