// Parses WebVTT and SubRip as recorders write them. A parser of our own, because a refusal must name the line, and
// because speakers are in voice tags or before a colon.
import {
  clockPattern,
  secondsOf,
  speakerNamesIn,
  splitName,
  parseRefusal,
  type ParsedSpeech,
  type SpokenLine,
} from './lines.ts'

const timing = new RegExp(
  String.raw`^\s*(${clockPattern})\s*-->\s*(${clockPattern})(?:\s+\S.*)?\s*$`,
)
const example = { vtt: '00:00:01.000 --> 00:00:04.000', srt: '00:00:01,000 --> 00:00:04,000' }

/** Consecutive non-blank lines, with the number of the first (from 1). */
interface Block {
  firstLine: number
  lines: string[]
}

interface Cue {
  start: number
  end: number
  payload: string
}

/** @throws Refusal invalid_argument with the number of the invalid line */
export function parseVtt(text: string): ParsedSpeech {
  const [head, ...blocks] = blocksOf(text)
  if (head?.firstLine !== 1 || !/^WEBVTT(?:[ \t].*)?$/.test(head.lines[0]!))
    throw parseRefusal('vtt', 1, 'a WebVTT file begins with WEBVTT.')
  const language = head.lines.map((line) => /^Language:\s*(\S+)/i.exec(line)?.[1]).find(Boolean)
  const cues = [
    ...headCues(head),
    ...blocks.filter(({ lines }) => !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(lines[0]!)),
  ].map((block) => cueOf('vtt', block))
  return { lines: spokenLinesOf(cues), language }
}

/** The cue in the header block, since some recorders omit the blank line after WEBVTT. */
function headCues({ firstLine, lines }: Block): Block[] {
  const first = lines.findIndex((line) => line.includes('-->'))
  if (first < 0) return []
  const start = first > 1 && !/^[\w-]+:\s/.test(lines[first - 1]!) ? first - 1 : first
  return [{ firstLine: firstLine + start, lines: lines.slice(start) }]
}

/** @throws Refusal invalid_argument with the number of the invalid line */
export function parseSrt(text: string): ParsedSpeech {
  return { lines: spokenLinesOf(blocksOf(text).map((block) => cueOf('srt', block))) }
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let current: Block | undefined
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') current = undefined
    else if (current) current.lines.push(line)
    else blocks.push((current = { firstLine: i + 1, lines: [line] }))
  }
  return blocks
}

function cueOf(format: 'vtt' | 'srt', { firstLine, lines }: Block): Cue {
  const i = lines[0]!.includes('-->') ? 0 : 1
  const [, from, to] = timing.exec(lines[i] ?? '') ?? []
  if (from === undefined || to === undefined)
    throw parseRefusal(
      format,
      firstLine + Math.min(i, lines.length - 1),
      `expected a time such as ${example[format]}, not ${JSON.stringify(lines[Math.min(i, lines.length - 1)]!.slice(0, 80))}.`,
    )
  const [start, end] = [secondsOf(from), secondsOf(to)]
  if (end < start)
    throw parseRefusal(format, firstLine + i, `it would end (${to}) before it begins (${from}).`)
  return { start, end, payload: lines.slice(i + 1).join('\n') }
}

function spokenLinesOf(cues: readonly Cue[]): SpokenLine[] {
  const parts = cues.flatMap(({ start, end, payload }) =>
    voicesIn(payload).map((voice) => ({ ...voice, start, end })),
  )
  const names = speakerNamesIn(
    parts.filter((part) => part.speaker === undefined).map((part) => part.text),
  )
  return parts.map((part) => {
    const nameAndText = part.speaker === undefined ? splitName(part.text) : undefined
    return nameAndText && names.has(nameAndText.name)
      ? { ...part, speaker: nameAndText.name, text: nameAndText.rest }
      : part
  })
}

/** Splits a payload by voice tags: `<v Ann>Hello</v>`, possibly several per cue. */
function voicesIn(payload: string): { speaker: string | undefined; text: string }[] {
  const pieces = payload.split(/<v(?:\.[^\s<>]*)?(?:[ \t]+([^<>]*))?>/)
  const [before, ...rest] = pieces
  const voices = Array.from({ length: rest.length / 2 }, (_, i) => ({
    speaker: plainCueText(rest[2 * i] ?? '') || undefined,
    text: plainCueText(rest[2 * i + 1]!),
  }))
  return [{ speaker: undefined, text: plainCueText(before!) }, ...voices].filter(
    (voice) => voice.text !== '',
  )
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '',
  rlm: '',
}

/** Text without tags, with entities decoded, on one line. */
function plainCueText(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\{\\[^{}]*\}/g, '')
    .replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,6}));/g,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? whole
        const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
      },
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
}
