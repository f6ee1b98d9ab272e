// Transcripts as plain text, in recorders' export formats: "Ann: hello", "[00:01:02] Ann: hello", "Ann (1:02): hello",
// and a line "Ann 1:02" above her words.
import {
  clock,
  maxHeadLength,
  secondsOf,
  speakersAmong,
  splitName,
  type Spoken,
  type SpokenLine,
} from './lines.ts'

const between = String.raw`[\[(]?(${clock})(?:\s*(?:-|–|-->)\s*${clock})?[\])]?`
const timeAlone = new RegExp(String.raw`^${between}$`)
const timeFirst = new RegExp(String.raw`^${between}\s*(?:[-–|]\s*)?(?=\S)`)
const nameThenTime = new RegExp(String.raw`^([\p{L}\p{N}@][^:]{0,79}?)\s+${between}\s*$`, 'u')
const nameTimeText = new RegExp(
  String.raw`^([\p{L}\p{N}@][^:\[\]()]{0,79}?)\s*[\[(](${clock})[\])]\s*:?\s+(?=\S)`,
  'u',
)

/** Prefix of a text on its line. */
interface Mark {
  speaker?: string
  start?: number
  text: string
  /** A separate line above the text. */
  heading?: boolean
}

export function spokenInText(text: string): Spoken {
  const marks = text.split('\n').map((row) => (row.trim() === '' ? undefined : markOf(row.trim())))
  const names = speakersAmong(
    marks.flatMap((mark) =>
      mark && !mark.heading && mark.speaker === undefined ? [mark.text] : [],
    ),
  )
  const reading = new Reading()
  for (const mark of marks) reading.take(mark && withSpeaker(mark, names))
  return { lines: reading.lines }
}

/** Lines so far, and the context of the next one. */
class Reading {
  readonly lines: SpokenLine[] = []
  #head: Mark | undefined
  /** No blank line between the last line and this one. */
  #goesOn = false

  take(mark: Mark | undefined): void {
    if (!mark) this.#goesOn = false
    else if (mark.heading) this.#open(mark)
    else this.#place(mark)
  }

  #open(mark: Mark): void {
    this.#head = mark
    this.#goesOn = false
  }

  /** A line without a mark continues the one above, or is another by the last speaker. */
  #place({ speaker, start, text }: Mark): void {
    const last = this.lines.at(-1)
    if (
      speaker === undefined &&
      start === undefined &&
      this.#goesOn &&
      this.#head?.speaker === undefined
    )
      last!.text += ` ${text}`
    else
      this.lines.push({
        speaker:
          speaker ??
          this.#head?.speaker ??
          (start === undefined && !this.#head ? last?.speaker : undefined),
        start: start ?? this.#head?.start,
        text,
      })
    this.#goesOn = true
  }
}

function markOf(row: string): Mark {
  const start = row.slice(0, maxHeadLength)
  const isShort = row.length < maxHeadLength
  const alone = isShort && timeAlone.exec(row)
  if (alone) return { start: secondsOf(alone[1]!), text: '', heading: true }
  const headed = isShort && nameThenTime.exec(row)
  if (headed && headed[1]!.split(/\s+/).length <= 6 && !/[.!?,]$/.test(headed[1]!))
    return { speaker: headed[1]!, start: secondsOf(headed[2]!), text: '', heading: true }
  const inside = nameTimeText.exec(start)
  if (inside && inside[1]!.split(/\s+/).length <= 6)
    return { speaker: inside[1]!, start: secondsOf(inside[2]!), text: row.slice(inside[0].length) }
  const first = timeFirst.exec(start)
  if (first) return { start: secondsOf(first[1]!), text: row.slice(first[0].length) }
  return { text: row }
}

function withSpeaker(mark: Mark, names: ReadonlySet<string>): Mark {
  const split = mark.speaker === undefined ? splitName(mark.text) : undefined
  return split && names.has(split.name) ? { ...mark, speaker: split.name, text: split.rest } : mark
}
