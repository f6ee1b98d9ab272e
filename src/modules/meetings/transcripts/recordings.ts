// Transcripts as JSON. Recorders and speech-to-text engines differ in names and units, but share a structure: a list of
// turns, each with a text, usually a speaker and a start.
import { parseTree, type ParseError } from 'jsonc-parser'
import { invalid } from '../../../kernel/refusal.ts'
import { secondsOf, parseRefusal, type ParsedSpeech, type SpokenLine } from './lines.ts'

type Json = Record<string, unknown>

/** A turn as parsed; its times are in any format or unit. */
interface Turn {
  speaker: unknown
  start: unknown
  end: unknown
  text: string
}

const isJsonObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const valueAt = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | null | undefined)?.[name], value)

/** @throws Refusal invalid_argument if it is not JSON, or contains no turns */
export function parseJsonRecording(text: string): ParsedSpeech {
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
  const lines = toSpokenLines(turns.filter((turn) => turn.text.trim() !== ''))
  return { lines, language: languageIn(whole) }
}

function parseRecordingJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw parseRefusal(
      'json',
      text.slice(0, firstError(text)).split('\n').length,
      'the JSON is invalid here.',
    )
  }
}

function firstError(text: string): number {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested too deeply to be parsed
  }
  return errors[0]?.offset ?? text.length
}

/** Formats that generic parsing would misread. */
const engines: ((whole: unknown) => Turn[] | undefined)[] = [
  assemblyTurns,
  deepgramTurns,
  transcribeTurns,
  revTurns,
]

/** AssemblyAI: milliseconds, speakers A, B, …; without speakers it has only words. */
function assemblyTurns(whole: unknown): Turn[] | undefined {
  const utterances = objects(valueAt(whole, 'utterances'))
  if (
    utterances.length === 0 ||
    !utterances.every(
      (utterance) => typeof utterance.text === 'string' && Number.isInteger(utterance.start),
    )
  )
    return undefined
  const isMilliseconds =
    valueAt(whole, 'audio_url') !== undefined ||
    valueAt(whole, 'language_code') !== undefined ||
    isImplausiblySlow(
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
function deepgramTurns(whole: unknown): Turn[] | undefined {
  const utterances = objects(valueAt(whole, 'results', 'utterances'))
  if (utterances.length > 0)
    return utterances.map((utterance) => ({
      speaker: utterance.speaker,
      start: utterance.start,
      end: utterance.end,
      text: String(utterance.transcript ?? ''),
    }))
  const paragraphs = objects(
    valueAt(whole, 'results', 'channels', 0, 'alternatives', 0, 'paragraphs', 'paragraphs'),
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
function transcribeTurns(whole: unknown): Turn[] | undefined {
  const segments = objects(valueAt(whole, 'results', 'audio_segments'))
  if (segments.length > 0)
    return segments.map((segment) => ({
      speaker: segment.speaker_label,
      start: segment.start_time,
      end: segment.end_time,
      text: String(segment.transcript ?? ''),
    }))
  const items = objects(valueAt(whole, 'results', 'items'))
  if (items.length === 0 || !items.every((item) => Array.isArray(item.alternatives)))
    return undefined
  const labels = new Map(
    objects(valueAt(whole, 'results', 'speaker_labels', 'segments')).flatMap((segment) =>
      objects(segment.items).map((item) => [
        String(item.start_time),
        item.speaker_label ?? segment.speaker_label,
      ]),
    ),
  )
  const turns: Turn[] = []
  for (const item of items) {
    const word = String(valueAt(item, 'alternatives', 0, 'content') ?? '')
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
function revTurns(whole: unknown): Turn[] | undefined {
  const monologues = objects(valueAt(whole, 'monologues'))
  if (monologues.length === 0) return undefined
  const names = new Map(
    objects(valueAt(whole, 'speakers')).map((object) => [String(object.id), object.name]),
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

const firstNameIn = (row: Json, names: readonly string[]) =>
  names.find((name) => row[name] !== undefined && row[name] !== null)

/**
 * The first list of turns at any depth: Whisper, WhisperX, Fireflies, Google Meet, Grain, tl;dv, Otter and the like.
 */
function turnsIn(value: unknown, depth: number): Turn[] | undefined {
  if (Array.isArray(value)) {
    const rows = objects(value)
    const withText = rows.filter(
      (row) => typeof row[firstNameIn(row, textNames) ?? ''] === 'string',
    )
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
  const start = firstNameIn(row, startNames)
  const end = firstNameIn(row, endNames)
  const inSeconds = (name: string | undefined) => {
    if (name === undefined) return undefined
    return /ms$/i.test(name) && typeof row[name] === 'number' ? row[name] / 1000 : row[name]
  }
  return {
    speaker: row[firstNameIn(row, speakerNames) ?? ''],
    start: inSeconds(start),
    end: inSeconds(end),
    text: String(row[firstNameIn(row, textNames)!]),
  }
}

/** Turns with times in seconds from the recording's start. */
function toSpokenLines(turns: readonly Turn[]): SpokenLine[] {
  const starts = turns.map((turn) => secondsFrom(turn.start))
  const isMilliseconds =
    turns.every((turn) => turn.start === undefined || Number.isInteger(turn.start)) &&
    isImplausiblySlow(turns.map((turn, i) => ({ start: starts[i] ?? 0, text: turn.text })))
  const scale = isMilliseconds ? 1000 : 1
  const hasAbsoluteTimes = turns.some((turn) => isTimestamp(turn.start))
  const startOfRecording = hasAbsoluteTimes
    ? starts.reduce<number>((least, start) => Math.min(least, start ?? least), Infinity)
    : 0
  const relative = (seconds: number | undefined) =>
    seconds === undefined ? undefined : Math.max(0, seconds - startOfRecording) / scale
  return turns.map((turn, i) => ({
    speaker: speakerOf(turn.speaker),
    start: relative(starts[i]),
    end: relative(secondsFrom(turn.end)),
    text: turn.text,
  }))
}

/** Whether less than one character every two seconds would be spoken, so that the times must be milliseconds. */
function isImplausiblySlow(turns: readonly { start: number; text: string }[]): boolean {
  const last = turns.at(-1)
  const span = last ? last.start - turns[0]!.start : 0
  const spokenChars = turns.slice(0, -1).reduce((sum, turn) => sum + turn.text.length, 0)
  return span > 1000 && spokenChars / span < 0.5
}

function isTimestamp(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}T/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
}

function secondsFrom(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (isTimestamp(value)) return Date.parse(value) / 1000
  if (typeof value !== 'string') return undefined
  if (/^\d+(?:\.\d+)?s?$/.test(value)) return Number.parseFloat(value)
  return /^(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,6})?$/.test(value) ? secondsOf(value) : undefined
}

function speakerOf(value: unknown): string | undefined {
  if (isJsonObject(value))
    return speakerOf(
      value[
        firstNameIn(value, ['name', 'display_name', 'displayName', 'label', 'email', 'id']) ?? ''
      ],
    )
  if (typeof value === 'number') return `Speaker ${value}`
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^[A-Z]$|^\d+$/.test(value.trim()) ? `Speaker ${value.trim()}` : value.trim()
}

function languageIn(whole: unknown): string | undefined {
  const paths = [
    ['language'],
    ['language_code'],
    ['languageCode'],
    ['results', 'language_code'],
    ['results', 'channels', 0, 'detected_language'],
    [0, 'languageCode'],
    ['entries', 0, 'languageCode'],
    ['transcriptEntries', 0, 'languageCode'],
  ]
  return paths.map((path) => valueAt(whole, ...path)).find((item) => typeof item === 'string')
}
