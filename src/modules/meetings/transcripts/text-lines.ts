// Transcripts as plain text, in recorders' export formats: "Ann: hello", "[00:01:02] Ann: hello", "Ann (1:02): hello",
// or a heading line "Ann 1:02" above the words.
import {
  clockPattern,
  maxHeadLength,
  secondsOf,
  speakerNamesIn,
  splitName,
  type ParsedSpeech,
  type SpokenLine,
} from './lines.ts'

const timePattern = String.raw`[\[(]?(${clockPattern})(?:\s*(?:-|–|-->)\s*${clockPattern})?[\])]?`
const timeOnly = new RegExp(String.raw`^${timePattern}$`)
const timeFirst = new RegExp(String.raw`^${timePattern}\s*(?:[-–|]\s*)?(?=\S)`)
const nameThenTime = new RegExp(String.raw`^([\p{L}\p{N}@][^:]{0,79}?)\s+${timePattern}\s*$`, 'u')
const nameTimeText = new RegExp(
  String.raw`^([\p{L}\p{N}@][^:\[\]()]{0,79}?)\s*[\[(](${clockPattern})[\])]\s*:?\s+(?=\S)`,
  'u',
)

/** A line, split into speaker, time and text. */
interface MarkedLine {
  speaker?: string
  start?: number
  text: string
  /** Whether the line is a heading above the text. */
  isHeading?: boolean
}

export function parseText(text: string): ParsedSpeech {
  const marks = text.split('\n').map((row) => (row.trim() === '' ? undefined : markOf(row.trim())))
  const names = speakerNamesIn(
    marks.flatMap((mark) =>
      mark && !mark.isHeading && mark.speaker === undefined ? [mark.text] : [],
    ),
  )
  const reading = new LineCollector()
  for (const mark of marks) reading.add(mark && withSpeaker(mark, names))
  return { lines: reading.lines }
}

/** Collects the lines of a text, with the context that the next one depends on. */
class LineCollector {
  readonly lines: SpokenLine[] = []
  #head: MarkedLine | undefined
  /** Whether there is no blank line between the last line and this one. */
  #goesOn = false

  add(mark: MarkedLine | undefined): void {
    if (!mark) this.#goesOn = false
    else if (mark.isHeading) this.#open(mark)
    else this.#place(mark)
  }

  #open(mark: MarkedLine): void {
    this.#head = mark
    this.#goesOn = false
  }

  /** A line without a mark continues the one above, or is another by the last speaker. */
  #place({ speaker, start, text }: MarkedLine): void {
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

function markOf(row: string): MarkedLine {
  const start = row.slice(0, maxHeadLength)
  const isShort = row.length < maxHeadLength
  const timeMatch = isShort && timeOnly.exec(row)
  if (timeMatch) return { start: secondsOf(timeMatch[1]!), text: '', isHeading: true }
  const headingMatch = isShort && nameThenTime.exec(row)
  if (
    headingMatch &&
    headingMatch[1]!.split(/\s+/).length <= 6 &&
    !/[.!?,]$/.test(headingMatch[1]!)
  )
    return {
      speaker: headingMatch[1]!,
      start: secondsOf(headingMatch[2]!),
      text: '',
      isHeading: true,
    }
  const nameTimeMatch = nameTimeText.exec(start)
  if (nameTimeMatch && nameTimeMatch[1]!.split(/\s+/).length <= 6)
    return {
      speaker: nameTimeMatch[1]!,
      start: secondsOf(nameTimeMatch[2]!),
      text: row.slice(nameTimeMatch[0].length),
    }
  const first = timeFirst.exec(start)
  if (first) return { start: secondsOf(first[1]!), text: row.slice(first[0].length) }
  return { text: row }
}

function withSpeaker(mark: MarkedLine, names: ReadonlySet<string>): MarkedLine {
  const nameAndText = mark.speaker === undefined ? splitName(mark.text) : undefined
  return nameAndText && names.has(nameAndText.name)
    ? { ...mark, speaker: nameAndText.name, text: nameAndText.rest }
    : mark
}
