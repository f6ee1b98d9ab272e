// Splits texts into passages for vectors.

/** A passage of a text: its start and length, in characters. */
export interface Passage {
  start: number
  length: number
}

/** Approximate words per passage. */
const wordsPerPassage = 80
/** Maximum passages per text; text beyond them is found by words only. */
const maxPassages = 2000

/**
 * Splits a text into passages of about 80 words, at the end of a line or a sentence. A text without words is one
 * passage.
 */
export function passagesOf(text: string, words = wordsPerPassage): Passage[] {
  const passages: Passage[] = []
  let [start, end, count] = [0, 0, 0]
  const closePassage = () => {
    if (count > 0) passages.push({ start, length: end - start })
    ;[start, count] = [end, 0]
  }
  for (const { at, length, words: size } of splitIntoPieces(text, words)) {
    if (count > 0 && count + size > words * 1.25) closePassage()
    ;[end, count] = [at + length, count + size]
    if (count >= words) closePassage()
    if (passages.length >= maxPassages) return passages
  }
  const last = passages.at(-1)
  if (last && count < words / 4) last.length = end - last.start
  else closePassage()
  return passages.length > 0 ? passages : [{ start: 0, length: text.length }]
}

/** A text's passages, each preceded by the title. */
export function titledPassages(title: string, body: string): (Passage & { text: string })[] {
  return passagesOf(body).map(({ start, length }) => {
    const text = body.slice(start, start + length)
    return { start, length, text: title === '' ? text : `${title}. ${text}` }
  })
}

interface Piece {
  at: number
  length: number
  words: number
}

/** Sentences and lines; a very long one (a table, a log) is split between words. */
function* splitIntoPieces(text: string, maxWords: number): Generator<Piece> {
  const ends = /(?<=[.!?])\s+|\n+/g
  let at = 0
  for (let match = ends.exec(text); at < text.length; match = ends.exec(text)) {
    const end = match ? match.index + match[0].length : text.length
    yield* splitAtWords(text, at, end, maxWords)
    at = end
    if (!match) return
  }
}

function* splitAtWords(text: string, from: number, until: number, limit: number): Generator<Piece> {
  const word = /\S+\s*/gy
  word.lastIndex = from
  let [at, words] = [from, 0]
  if (/\s/.test(text[from] ?? ''))
    word.lastIndex = from + /^\s*/.exec(text.slice(from, until))![0].length
  while (word.lastIndex < until) {
    const match = word.exec(text)
    if (!match) break
    words++
    const end = Math.min(match.index + match[0].length, until)
    if (words >= limit * 1.5) {
      yield { at, length: end - at, words }
      ;[at, words] = [end, 0]
    }
    if (end >= until) break
  }
  if (at < until && (words > 0 || at === from)) yield { at, length: until - at, words }
}
