import type { Output } from '../../../api/client.ts'

/** A line of a transcript with its number, from 0. */
export type TranscriptLine = Output<'get_transcript'>['lines'][number] & { n: number }

/** Seconds of a recording formatted as hours, minutes and seconds. */
export function formatClock(seconds: number): string {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}

/** The element id of a line, which is also its address within the meeting. */
export const lineId = (n: number): string => `line-${n}`

/** The address, within its meeting, of an action item's source line. */
export const sourceId = (actionItemId: string): string => `source-${actionItemId}`

/** Quotes spoken text as Markdown that renders as exactly this text: no links, no pictures, no markup. */
export function quoteAsMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\[(?=\[)/g, '[ ') // else [[Title]] would be a link
    .replaceAll(/[\\`*_[\]<>#|~!&@$^]/g, '\\$&')
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (match) => `${match.slice(0, -1)}\\.`)
}

/** Appends a quote of the line that proves a decision, with a link to it. */
export function withProof(
  text: string,
  meetingId: string,
  line: TranscriptLine | undefined,
): string {
  if (!line) return text
  const label = line.at_second === undefined ? `#${line.n + 1}` : formatClock(line.at_second)
  const quote = `> **${quoteAsMarkdown(line.speaker)}:** ${quoteAsMarkdown(line.text)} ([${label}](/meetings/${meetingId}#${lineId(line.n)}))`
  return text === '' ? quote : `${text}\n\n${quote}`
}

interface QuotedItem {
  id: string
  quote?: string | undefined
  at_second?: number | undefined
}

/** The line number in an address within a meeting. */
export function lineAt(
  hash: string,
  lines: readonly TranscriptLine[],
  actions: readonly QuotedItem[],
): number | undefined {
  const n = /^line-(\d+)$/.exec(hash)?.[1]
  if (n !== undefined) return Number(n) < lines.length ? Number(n) : undefined
  const action = actions.find(({ id }) => sourceId(id) === hash)
  if (!action) return undefined
  const { quote, at_second: atSecond } = action
  const candidates =
    atSecond === undefined ? lines : lines.filter((line) => line.at_second === atSecond)
  const exact =
    quote === undefined ? undefined : candidates.find(({ text }) => quote.includes(text))
  return (exact ?? (atSecond === undefined ? undefined : candidates[0]))?.n
}
