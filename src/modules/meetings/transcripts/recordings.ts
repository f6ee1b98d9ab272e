// Transcripts as JSON. Recorders and speech-to-text engines differ in names and units, but share a structure: a list of
// turns, each with a text, usually a speaker and a start.
import { parseTree, type ParseError } from 'jsonc-parser'
import { invalid } from '../../../kernel/refusal.ts'
import { secondsOf, unreadable, type Spoken, type SpokenLine } from './lines.ts'

type Json = Record<string, unknown>

/** Parsed turn, with the unit of its times. */
interface Turn {
  speaker: unknown
  start: unknown
  end: unknown
  text: string
}

const isJsonObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | null | undefined)?.[name], value)

/** @throws Refusal invalid_argument if it is not JSON, or contains no turns */
export function spokenInJson(text: string): Spoken {
  const whole = parseRecordingJson(text)
  const turns =
    engines.reduce<Turn[] | undefined>((parsed, engine) => parsed ?? engine(whole), undefined) ??
    turnsIn(whole, 0)
  if (!turns)
    throw invalid(
      'content',
      'this JSON has no list of turns with text.',
      'Send for example [{"speaker": "Ann", "start": 12.5, "text": "Hello"}].',
    )
  const lines = timed(turns.filter((turn) => turn.text.trim() !== ''))
  return { lines, language: languageIn(whole) }
}

function parseRecordingJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw unreadable(
      'json',
      text.slice(0, firstError(text)).split('\n').length,
      'invalid JSON from here on.',
    )
  }
}

function firstError(text: string): number {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested so deep that it cannot be gone through
  }
  return errors[0]?.offset ?? text.length
}

/** Formats that generic parsing would misread. */
const engines: ((whole: unknown) => Turn[] | undefined)[] = [
  ofAssembly,
  ofDeepgram,
  ofTranscribe,
  ofRev,
]

/** AssemblyAI: milliseconds, speakers A, B, …; without speakers it has only words. */
function ofAssembly(whole: unknown): Turn[] | undefined {
  const utterances = objects(at(whole, 'utterances'))
  if (
    utterances.length === 0 ||
    !utterances.every(
      (utterance) => typeof utterance.text === 'string' && Number.isInteger(utterance.start),
    )
  )
    return undefined
  const isMilliseconds =
    at(whole, 'audio_url') !== undefined ||
    at(whole, 'language_code') !== undefined ||
    isSlow(
      utterances.map((utterance) => ({
        start: Number(utterance.start),
        text: String(utterance.text),
      })),
    )
  return utterances.map((utterance) => ({
    speaker: utterance.speaker,
    start: Number(utterance.start) / (isMilliseconds ? 1000 : 1),
    end: Number(utterance.end) / (isMilliseconds ? 1000 : 1),
    text: String(utterance.text),
  }))
}

/** Deepgram: utterances if requested, else paragraphs of sentences. */
function ofDeepgram(whole: unknown): Turn[] | undefined {
  const utterances = objects(at(whole, 'results', 'utterances'))
  if (utterances.length > 0)
    return utterances.map((utterance) => ({
      speaker: utterance.speaker,
      start: utterance.start,
      end: utterance.end,
      text: String(utterance.transcript ?? ''),
    }))
  const paragraphs = objects(
    at(whole, 'results', 'channels', 0, 'alternatives', 0, 'paragraphs', 'paragraphs'),
  )
  if (paragraphs.length === 0) return undefined
  return paragraphs.flatMap((paragraph) =>
    objects(paragraph.sentences).map((sentence) => ({
      speaker: paragraph.speaker,
      start: sentence.start,
      end: sentence.end,
      text: String(sentence.text ?? ''),
    })),
  )
}

/** AWS Transcribe: audio segments, or single words with a speaker each. */
function ofTranscribe(whole: unknown): Turn[] | undefined {
  const segments = objects(at(whole, 'results', 'audio_segments'))
  if (segments.length > 0)
    return segments.map((segment) => ({
      speaker: segment.speaker_label,
      start: segment.start_time,
      end: segment.end_time,
      text: String(segment.transcript ?? ''),
    }))
  const items = objects(at(whole, 'results', 'items'))
  if (items.length === 0 || !items.every((item) => Array.isArray(item.alternatives)))
    return undefined
  const labels = new Map(
    objects(at(whole, 'results', 'speaker_labels', 'segments')).flatMap((segment) =>
      objects(segment.items).map((item) => [
        String(item.start_time),
        item.speaker_label ?? segment.speaker_label,
      ]),
    ),
  )
  const turns: Turn[] = []
  for (const item of items) {
    const word = String(at(item, 'alternatives', 0, 'content') ?? '')
    const last = turns.at(-1)
    const speaker = item.speaker_label ?? labels.get(String(item.start_time))
    if (last && item.type === 'punctuation') last.text += word
    else if (last && last.speaker === speaker && !/[.!?]$/.test(last.text))
      Object.assign(last, { text: `${last.text} ${word}`, end: item.end_time })
    else turns.push({ speaker, start: item.start_time, end: item.end_time, text: word })
  }
  return turns
}

/** Rev.ai: monologues of elements: words and punctuation. */
function ofRev(whole: unknown): Turn[] | undefined {
  const monologues = objects(at(whole, 'monologues'))
  if (monologues.length === 0) return undefined
  const names = new Map(
    objects(at(whole, 'speakers')).map((object) => [String(object.id), object.name]),
  )
  return monologues.map((monologue) => {
    const elements = objects(monologue.elements)
    const times = elements.filter((element) => element.ts !== undefined)
    return {
      speaker: names.get(String(monologue.speaker)) ?? monologue.speaker,
      start: times[0]?.ts,
      end: times.at(-1)?.end_ts,
      text: elements.map((element) => String(element.value ?? '')).join(''),
    }
  })
}

const textNames = ['text', 'transcript', 'raw_text', 'sentence', 'content', 'spokenText', 'words']
const speakerNames = [
  'speaker_name',
  'speakerName',
  'speaker',
  'participant',
  'speaker_label',
  'name',
  'author',
  'user',
]
const startNames = [
  'start',
  'start_time',
  'startTime',
  'start_ms',
  'startMs',
  'start_timestamp',
  'startTimestamp',
  'timestamp',
  'ts',
  'offset',
  'time',
  'from',
  'begin',
  'at',
]
const endNames = [
  'end',
  'end_time',
  'endTime',
  'end_ms',
  'endMs',
  'end_timestamp',
  'endTimestamp',
  'to',
]
const listNames = [
  'segments',
  'utterances',
  'sentences',
  'transcript',
  'transcripts',
  'entries',
  'transcriptEntries',
  'lines',
  'items',
  'monologues',
  'speeches',
  'data',
  'results',
  'result',
  'output',
  'meeting',
]

const first = (row: Json, names: readonly string[]) =>
  names.find((name) => row[name] !== undefined && row[name] !== null)

/**
 * The first list of turns at any depth: Whisper, WhisperX, Fireflies, Google Meet, Grain, tl;dv, Otter and the like.
 */
function turnsIn(value: unknown, depth: number): Turn[] | undefined {
  if (Array.isArray(value)) {
    const rows = objects(value)
    const withText = rows.filter((row) => typeof row[first(row, textNames) ?? ''] === 'string')
    if (withText.length > 0 && withText.length === value.length) return rows.map(turnOf)
    if (withText.length > 0)
      throw invalid(
        'content',
        `entry ${value.findIndex((row) => !withText.includes(row as Json))} of its list has no text.`,
        'Every entry needs a text; speaker and start are optional.',
      )
  }
  if (depth === 4 || !isJsonObject(value)) return undefined
  for (const name of listNames) {
    const nestedTurns = turnsIn(value[name], depth + 1)
    if (nestedTurns) return nestedTurns
  }
  return undefined
}

function turnOf(row: Json): Turn {
  const start = first(row, startNames)
  const end = first(row, endNames)
  const inSeconds = (name: string | undefined) => {
    if (name === undefined) return undefined
    return /ms$/i.test(name) && typeof row[name] === 'number' ? row[name] / 1000 : row[name]
  }
  return {
    speaker: row[first(row, speakerNames) ?? ''],
    start: inSeconds(start),
    end: inSeconds(end),
    text: String(row[first(row, textNames)!]),
  }
}

/** Turns with times in seconds from the recording's start. */
function timed(turns: readonly Turn[]): SpokenLine[] {
  const starts = turns.map((turn) => secondsFrom(turn.start))
  const isMilliseconds =
    turns.every((turn) => turn.start === undefined || Number.isInteger(turn.start)) &&
    isSlow(turns.map((turn, i) => ({ start: starts[i] ?? 0, text: turn.text })))
  const scale = isMilliseconds ? 1000 : 1
  const isClock = turns.some((turn) => isMoment(turn.start))
  const zero = isClock
    ? starts.reduce<number>((least, start) => Math.min(least, start ?? least), Infinity)
    : 0
  const relative = (seconds: number | undefined) =>
    seconds === undefined ? undefined : Math.max(0, seconds - zero) / scale
  return turns.map((turn, i) => ({
    speaker: speakerOf(turn.speaker),
    start: relative(starts[i]),
    end: relative(secondsFrom(turn.end)),
    text: turn.text,
  }))
}

/** Detects milliseconds: one character every two seconds for a whole meeting is impossible. */
function isSlow(turns: readonly { start: number; text: string }[]): boolean {
  const last = turns.at(-1)
  const span = last ? last.start - turns[0]!.start : 0
  const spokenChars = turns.slice(0, -1).reduce((sum, turn) => sum + turn.text.length, 0)
  return span > 1000 && spokenChars / span < 0.5
}

function isMoment(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
}

function secondsFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (isMoment(value)) return Date.parse(value) / 1000
  if (typeof value !== 'string') return undefined
  if (/^\d+(?:\.\d+)?s?$/.test(value)) return Number.parseFloat(value)
  return /^(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,6})?$/.test(value) ? secondsOf(value) : undefined
}

function speakerOf(value: unknown): string | undefined {
  if (isJsonObject(value))
    return speakerOf(
      value[first(value, ['name', 'display_name', 'displayName', 'label', 'email', 'id']) ?? ''],
    )
  if (typeof value === 'number') return `Speaker ${value}`
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^[A-Z]$|^\d+$/.test(value.trim()) ? `Speaker ${value.trim()}` : value.trim()
}

function languageIn(whole: unknown): string | undefined {
  const places = [
    ['language'],
    ['language_code'],
    ['languageCode'],
    ['results', 'language_code'],
    ['results', 'channels', 0, 'detected_language'],
    [0, 'languageCode'],
    ['entries', 0, 'languageCode'],
    ['transcriptEntries', 0, 'languageCode'],
  ]
  return places.map((path) => at(whole, ...path)).find((item) => typeof item === 'string')
}
