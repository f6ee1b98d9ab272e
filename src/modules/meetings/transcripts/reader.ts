import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { parseSrt, parseVtt } from './cues.ts'
import { parseJsonRecording } from './recordings.ts'
import { parseText } from './text-lines.ts'
import type { ParsedSpeech, SpokenLine, TranscriptFormat } from './lines.ts'

export const maxBytes = 20 * 1024 * 1024
const maxLines = 100_000
/** Longer stretches of speech are split at sentence ends. */
const maxLineLength = 2000

/** A parsed transcript. */
export interface ParsedTranscript {
  format: TranscriptFormat
  lines: SpokenLine[]
  /** BCP 47; undefined if not given. */
  language: string | undefined
  hasTimes: boolean
  /** End of the last line; 0 without times. */
  seconds: number
}

const readers: Record<TranscriptFormat, (text: string) => ParsedSpeech> = {
  text: parseText,
  vtt: parseVtt,
  srt: parseSrt,
  json: parseJsonRecording,
}

/**
 * Parses a transcript, detecting its format if not given.
 * @throws Refusal invalid_argument naming the invalid line, too_large
 */
export function readTranscript(content: string, format?: TranscriptFormat): ParsedTranscript {
  if (Buffer.byteLength(content) > maxBytes)
    throw new Refusal(
      'too_large',
      `content: a transcript can have at most ${maxBytes} bytes (20 MiB).`,
      {
        field: 'content',
      },
    )
  const text = content
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
  const usedFormat = format ?? formatOf(text)
  const { lines: spoken, language } = readers[usedFormat](text)
  const lines = sortSpokenLines(spoken.flatMap(splitLong))
  if (lines.length === 0)
    throw invalid('content', `no spoken text was found when read as ${usedFormat}.`)
  if (lines.length > maxLines)
    throw new Refusal(
      'too_large',
      `content: it has ${lines.length} lines; the maximum is ${maxLines}.`,
      { field: 'content' },
    )
  const endTime = lines.reduce(
    (latest, line) => Math.max(latest, line.end ?? 0, line.start ?? 0),
    0,
  )
  return {
    format: usedFormat,
    lines,
    language: languageTag(language),
    hasTimes: lines.some((line) => line.start !== undefined),
    seconds: Math.min(Math.ceil(endTime), 10 ** 9),
  }
}

/** Parses a transcript from bytes, of a file or of a text passed as an argument. Runs in a reader process. */
export function transcriptOf({
  bytes,
  isText,
  format,
}: {
  bytes: Uint8Array
  isText: boolean
  format: TranscriptFormat | undefined
}): ParsedTranscript {
  return readTranscript(isText ? new TextDecoder().decode(bytes) : textOfFile(bytes), format)
}

export function formatOf(text: string): TranscriptFormat {
  const start = text.trimStart().slice(0, 2000)
  if (/^WEBVTT(?:\s|$)/.test(text)) return 'vtt'
  if (/^(?:\{|\[\s*[{\]])/.test(start)) return 'json'
  return /^\s*(?:\d+\s*\n)?\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->/.test(start) ? 'srt' : 'text'
}

/** @returns undefined if it is not a language tag */
export function languageTag(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0]
  } catch {
    return undefined // some recorders write "English"; the transcript is accepted nevertheless
  }
}

/** Sorts by time, if there are times; lines without one get the time of the preceding line. */
function sortSpokenLines(lines: readonly SpokenLine[]): SpokenLine[] {
  if (lines.every((line) => line.start === undefined)) return [...lines]
  let lastStart = 0
  return lines
    .map((line) => ({ ...line, start: (lastStart = line.start ?? lastStart) }))
    .sort((a, b) => a.start - b.start)
}

function splitLong(line: SpokenLine): SpokenLine[] {
  const text = line.text
    .replaceAll(/[\s\0]+/g, ' ')
    .trim()
    .toWellFormed()
  if (text === '') return []
  const parts: string[] = []
  let rest = text
  while (rest.length > maxLineLength) {
    const end = splitPosition(rest)
    parts.push(rest.slice(0, end).trim().toWellFormed())
    rest = rest.slice(end).trim()
  }
  return [...parts, rest].map((part) => ({ ...line, text: part }))
}

function splitPosition(text: string): number {
  const piece = text.slice(0, maxLineLength)
  const sentence =
    Math.max(piece.lastIndexOf('. '), piece.lastIndexOf('? '), piece.lastIndexOf('! ')) + 1
  if (sentence > maxLineLength / 4) return sentence
  const space = piece.lastIndexOf(' ')
  return space > maxLineLength / 4 ? space : maxLineLength
}

/**
 * Decodes a file: UTF-8 or UTF-16 by byte order mark, UTF-16 if many alternate bytes are zero, otherwise UTF-8, or
 * Windows-1252, which old recorders write.
 */
export function textOfFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = bytes.subarray(0, 200)
  const countZeros = (odd: 0 | 1) => start.filter((byte, i) => byte === 0 && i % 2 === odd).length
  if (countZeros(1) > start.length / 4) return new TextDecoder('utf-16le').decode(bytes)
  if (countZeros(0) > start.length / 4) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
