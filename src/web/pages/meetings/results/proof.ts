import type { Output } from '../../../api/client.ts'

/** A line of a transcript with its number, from 0. */
export type SaidLine = Output<'get_transcript'>['lines'][number] & { n: number }

/** Seconds of a recording formatted as hours, minutes and seconds. */
export function clock(seconds: number): string {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}

/** The element id of a line, which is also its address within the meeting. */
export const lineId = (n: number): string => `line-${n}`

/** The address, within its meeting, of an action item's source line. */
export const sourceId = (actionItemId: string): string => `source-${actionItemId}`

/** Quotes spoken text as Markdown that renders as exactly this text: no links, no pictures, no markup. */
export function quotedText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\[(?=\[)/g, '[ ') // else [[Title]] would be a link
    .replaceAll(/[\\`*_[\]<>#|~!&@$^]/g, '\\$&')
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (match) => `${match.slice(0, -1)}\\.`)
}

/** Appends a quote of the line that proves a decision, with a link to it. */
export function withProof(text: string, meetingId: string, line: SaidLine | undefined): string {
  if (!line) return text
  const at = line.at_second === undefined ? `#${line.n + 1}` : clock(line.at_second)
  const quote = `> **${quotedText(line.speaker)}:** ${quotedText(line.text)} ([${at}](/meetings/${meetingId}#${lineId(line.n)}))`
  return text === '' ? quote : `${text}\n\n${quote}`
}

interface Quoting {
  id: string
  quote?: string | undefined
  at_second?: number | undefined
}

/** The line number in an address within a meeting. */
export function lineAt(
  hash: string,
  lines: readonly SaidLine[],
  actions: readonly Quoting[],
): number | undefined {
  const n = /^line-(\d+)$/.exec(hash)?.[1]
  if (n !== undefined) return Number(n) < lines.length ? Number(n) : undefined
  const action = actions.find(({ id }) => sourceId(id) === hash)
  if (!action) return undefined
  const { quote, at_second: at } = action
  const fitting = at === undefined ? lines : lines.filter((line) => line.at_second === at)
  const exact = quote === undefined ? undefined : fitting.find(({ text }) => quote.includes(text))
  return (exact ?? (at === undefined ? undefined : fitting[0]))?.n
}
