import { Refusal } from '../../../kernel/refusal.ts'

/** A transcribed piece of speech by one speaker. */
export interface SpokenLine {
  speaker: string | undefined
  /** Seconds; undefined if not in the transcript. */
  start: number | undefined
  end?: number | undefined
  text: string
}

export interface ParsedSpeech {
  lines: SpokenLine[]
  /** Language according to the recorder. */
  language?: string | undefined
}

export const transcriptFormats = ['text', 'vtt', 'srt', 'json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** An unreadable transcript, with the line (from 1) of the problem. */
export function parseRefusal(format: string, line: number, message: string): Refusal {
  return new Refusal('invalid_argument', `content: line ${line}: ${message}`, {
    field: 'content',
    errors: [{ path: 'content', message: `line ${line}: ${message}` }],
    hint: `It was read as ${format}; if that is wrong, send format.`,
    context: { line, format },
  })
}

/** Optional hours, minutes and seconds, with an optional fraction. */
export const clockPattern = String.raw`(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`

/** Seconds of `1:02:03.5`, `02:03`. */
export function secondsOf(text: string): number {
  return text
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** A line start that may be a speaker's name: `Ann Lee: `. */
const speakerPrefix = /^(?:>>\s*)?([\p{Lu}\p{Lo}\p{N}@][^:\n]{0,79}?)\s*:\s+(?=\S)/u

/** Characters searched for a name and time: a line can be as long as the transcript. */
export const maxHeadLength = 200

/** Splits a possible speaker name off a text. */
export function splitName(text: string): { name: string; rest: string } | undefined {
  const [whole, name] = speakerPrefix.exec(text.slice(0, maxHeadLength)) ?? []
  if (whole === undefined || name!.split(/\s+/).length > 6 || /[.!?]\s|^https?$|^\d+$/.test(name!))
    return undefined
  return { name: name!, rest: text.slice(whole.length) }
}

/**
 * Selects the prefixes that are speaker names: all if most lines have one; otherwise those that recur, because
 * people also say things like "Note: …".
 */
export function speakerNamesIn(texts: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const name = splitName(text)?.name
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (2 * all >= texts.length) return new Set(counts.keys())
  return new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name))
}
