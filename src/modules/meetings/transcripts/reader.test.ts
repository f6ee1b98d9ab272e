import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { cpuWatch } from '../../../testing/cost.ts'
import { formatOf, readTranscript, textOfFile } from './reader.ts'
import type { TranscriptFormat } from './lines.ts'

/** Lines of a transcript, as `second speaker: text`. */
function spokenLines(content: string, format?: TranscriptFormat): string[] {
  return readTranscript(content, format).lines.map(
    (line) =>
      `${line.start === undefined ? '-' : Math.floor(line.start)} ${line.speaker ?? '?'}: ${line.text}`,
  )
}

function refused(content: string, format?: TranscriptFormat): Refusal {
  try {
    readTranscript(content, format)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('the transcript was read without a refusal')
}

test('WebVTT: voice tags, ids, settings, notes, with or without hours, several voices in one cue', () => {
  const vtt = `\uFEFFWEBVTT - a call
Language: en-US

NOTE this is
a comment

STYLE
::cue { color: red }

9fd4-1/12-0
00:00:03.500 --> 00:00:05.000 align:start position:0%
<v Ann Lee>Hello &amp; <b>welcome</b>,
everybody.</v>

01:05.000 --> 01:06.000
<v.loud Bob>Hi!</v> <v Ann Lee>Go on.

1:00:00.000 --> 1:00:01.000
one hour in
`
  assert.equal(formatOf(vtt.replace('\uFEFF', '')), 'vtt')
  assert.deepEqual(spokenLines(vtt), [
    '3 Ann Lee: Hello & welcome, everybody.',
    '65 Bob: Hi!',
    '65 Ann Lee: Go on.',
    '3600 ?: one hour in',
  ])
  const { language, seconds, hasTimes } = readTranscript(vtt)
  assert.deepEqual([language, seconds, hasTimes], ['en-US', 3601, true])
})

test('WebVTT as written by Zoom: names before a colon, \\r\\n, no blank line after the header', () => {
  const vtt =
    'WEBVTT\r\n1\r\n00:00:01.000 --> 00:00:02.000\r\nAnn Lee: We start.\r\n\r\n2\r\n00:00:02.500 --> 00:00:04.000\r\nBob: Note: it is late.\r\n'
  assert.deepEqual(spokenLines(vtt), ['1 Ann Lee: We start.', '2 Bob: Note: it is late.'])
})

test('a prefix with a colon is a speaker name if most lines have one or it occurs again', () => {
  const cue = (n: number, text: string) => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n`
  const srt = [
    cue(1, 'one thing'),
    cue(2, 'Note: nobody is called so'),
    cue(3, 'third'),
    cue(4, 'fourth'),
    cue(5, 'fifth'),
  ].join('\n')
  assert.equal(formatOf(srt), 'srt')
  assert.deepEqual(spokenLines(srt)[1], '2 ?: Note: nobody is called so')
  assert.deepEqual(
    spokenLines(
      [cue(1, 'Ann: a'), cue(2, 'b'), cue(3, 'c'), cue(4, 'd'), cue(5, 'Ann: e')].join('\n'),
    ),
    ['1 Ann: a', '2 ?: b', '3 ?: c', '4 ?: d', '5 Ann: e'],
  )
})

test('invalid cues are refused with the line number', () => {
  const bad = refused('1\n00:00:01,000 --> 00:00:02,000\nfine\n\n2\nno time here\ntext\n', 'srt')
  assert.deepEqual(
    [bad.code, bad.more.context?.line, bad.more.field],
    ['invalid_argument', 6, 'content'],
  )
  assert.match(
    bad.message,
    /line 6: expected a time such as 00:00:01,000 --> 00:00:04,000, not "no time here"/,
  )
  assert.match(
    refused('WEBVTT\n\n00:05.000 --> 00:04.000\nback\n').message,
    /line 3: it would end \(00:04.000\) before it begins/,
  )
  assert.match(refused('hello', 'vtt').message, /line 1: a WebVTT file begins with WEBVTT/)
  assert.match(refused('WEBVTT\n\n').message, /no spoken text was found when read as vtt/)
})

test('plain text is read in every format that recorders export', () => {
  assert.deepEqual(spokenLines('Ann Lee: Good morning\nBob: Hi\nand welcome\n\nstill Bob\n'), [
    '- Ann Lee: Good morning',
    '- Bob: Hi and welcome',
    '- Bob: still Bob',
  ])
  assert.deepEqual(
    spokenLines('[00:01:02] Ann: first\n[00:01:05 - 00:01:09] Bob: second\n1:00:00 Ann: third'),
    ['62 Ann: first', '65 Bob: second', '3600 Ann: third'],
  )
  assert.deepEqual(spokenLines('Ann Lee (0:12): hello\nBob [1:02]: there\n'), [
    '12 Ann Lee: hello',
    '62 Bob: there',
  ])
  assert.deepEqual(
    spokenLines('Ann Lee  0:12\nHello all.\nSecond sentence.\n\nSpeaker 2  1:02:03\nBye.\n'),
    ['12 Ann Lee: Hello all.', '12 Ann Lee: Second sentence.', '3723 Speaker 2: Bye.'],
  )
  assert.deepEqual(spokenLines('00:00:05\nAnn: one\n\n00:00:09\nBob: two\nAnn: three\n'), [
    '5 Ann: one',
    '9 Bob: two',
    '9 Ann: three',
  ])
  assert.deepEqual(spokenLines('just one thought\nover two rows'), [
    '- ?: just one thought over two rows',
  ])
})

test('JSON of speech-to-text engines and recorders is read', () => {
  const json = (value: unknown) => spokenLines(JSON.stringify(value))
  assert.deepEqual(
    json({
      text: 'a b',
      language: 'de',
      segments: [
        { start: 0.4, end: 2, text: ' Hallo', speaker: 'SPEAKER_00' },
        { start: 61.2, end: 63, text: 'Ja' },
      ],
    }),
    ['0 SPEAKER_00: Hallo', '61 ?: Ja'],
  )
  assert.deepEqual(
    json({
      language_code: 'en',
      utterances: [{ speaker: 'A', start: 1500, end: 2500, text: 'Hi' }],
    }),
    ['1 Speaker A: Hi'],
  )
  assert.deepEqual(
    json({ results: { utterances: [{ start: 3.2, end: 4, transcript: 'deep', speaker: 0 }] } }),
    ['3 Speaker 0: deep'],
  )
  assert.deepEqual(
    json({
      results: {
        channels: [
          {
            alternatives: [
              {
                paragraphs: {
                  paragraphs: [{ speaker: 1, sentences: [{ text: 'One.', start: 7, end: 8 }] }],
                },
              },
            ],
          },
        ],
      },
    }),
    ['7 Speaker 1: One.'],
  )
  const word = (content: string, start_time: string, speaker_label: string) => ({
    type: 'pronunciation',
    start_time,
    end_time: start_time,
    speaker_label,
    alternatives: [{ content }],
  })
  const aws = {
    results: {
      language_code: 'en-US',
      items: [
        word('Well', '1.0', 'spk_0'),
        { type: 'punctuation', alternatives: [{ content: ',' }] },
        word('yes', '1.4', 'spk_0'),
        word('No', '2.1', 'spk_1'),
      ],
    },
  }
  assert.deepEqual(json(aws), ['1 spk_0: Well, yes', '2 spk_1: No'])
  assert.deepEqual(
    json({
      speakers: [{ id: 0, name: 'Ann' }],
      monologues: [
        {
          speaker: 0,
          elements: [
            { type: 'text', value: 'Hi', ts: 0.5, end_ts: 0.8 },
            { type: 'punct', value: ' ' },
            { type: 'text', value: 'there', ts: 1, end_ts: 1.2 },
          ],
        },
      ],
    }),
    ['0 Ann: Hi there'],
  )
  assert.deepEqual(
    json({
      data: {
        transcript: {
          sentences: [
            { index: 0, speaker_name: 'Bob', raw_text: 'Fire', start_time: 12.1, end_time: 13 },
          ],
        },
      },
    }),
    ['12 Bob: Fire'],
  )
  assert.deepEqual(
    json([{ speaker: { display_name: 'Ann' }, text: 'Grain', timestamp: '00:01:05' }]),
    ['65 Ann: Grain'],
  )
  assert.deepEqual(
    json({
      transcriptEntries: [
        { participant: 'p/1', text: 'meet', languageCode: 'en', startTime: '2026-11-20T12:00:00Z' },
        { participant: 'p/2', text: 'two', startTime: '2026-11-20T12:01:30Z' },
      ],
    }),
    ['0 p/1: meet', '90 p/2: two'],
  )
})

test('integer times that would mean implausibly slow speech are read as milliseconds', () => {
  const turns = (scale: number) =>
    [0, 5, 11, 19].map((second) => ({
      speaker: 'Ann',
      start: second * scale,
      text: 'a sentence of the usual length, spoken in about five seconds or so',
    }))
  assert.deepEqual(
    readTranscript(JSON.stringify(turns(1000))).lines.map((line) => line.start),
    [0, 5, 11, 19],
  )
  assert.deepEqual(
    readTranscript(JSON.stringify(turns(1))).lines.map((line) => line.start),
    [0, 5, 11, 19],
  )
})

test('invalid JSON, or JSON without turns, is refused with the position', () => {
  assert.deepEqual(refused('[\n{"text": "a"},\n{"text": b}\n]').more.context?.line, 3)
  assert.match(refused('{"a": 1}').message, /has no list of turns/)
  assert.match(
    refused('[{"text": "a"}, {"speaker": "Ann"}]').message,
    /entry 1 of its list has no text/,
  )
})

test('lines are sorted by time, and long ones are split at the end of a sentence', () => {
  assert.deepEqual(spokenLines('[0:09] Ann: late\n[0:02] Bob: early\n'), [
    '2 Bob: early',
    '9 Ann: late',
  ])
  const long = readTranscript(`Ann: ${'This is a sentence. '.repeat(300)}`).lines
  assert.ok(
    long.length > 2 &&
      long.every(
        (spokenLine) =>
          spokenLine.text.length <= 2000 &&
          spokenLine.speaker === 'Ann' &&
          spokenLine.text.endsWith('.'),
      ),
  )
})

test('files in UTF-8, UTF-16 and the encodings of old recorders are read', () => {
  const text = 'Zoë: grüß Gott'
  const le = Buffer.from(text, 'utf16le')
  assert.equal(textOfFile(Buffer.from(text)), text)
  assert.equal(textOfFile(Buffer.concat([Buffer.from([0xff, 0xfe]), le])), text)
  assert.equal(
    textOfFile(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(le).swap16()])),
    text,
  )
  assert.equal(textOfFile(le), text)
  assert.equal(textOfFile(Buffer.from(text, 'latin1')), text)
})

test('any input is read or refused, never an internal error', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      'WEBVTT',
      '\n',
      '\n\n',
      '00:00:01.000 --> 00:00:02.000',
      '<v Ann>',
      '1',
      '[',
      '{"text":',
      '"a"',
      '}',
      ']',
      'Ann: ',
      '0:12',
      '&#x110000;',
      '-->',
    ),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.constantFrom(undefined, 'text', 'vtt', 'srt', 'json' as const),
      (pieces, format) => {
        try {
          const { lines } = readTranscript(pieces.join(''), format)
          assert.ok(
            lines.every(
              (line) => line.text.trim() !== '' && (line.start === undefined || line.start >= 0),
            ),
          )
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('input crafted to be slow or to overflow is read or refused quickly', () => {
  const spent = cpuWatch()
  const hostileInputs = [
    '['.repeat(500_000),
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v '.repeat(200_000)}`,
    `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v.'.repeat(200_000)}`,
    `a${' '.repeat(500_000)}b`,
    `${'a '.repeat(300_000)}:`,
    '&'.repeat(300_000),
    JSON.stringify(
      Array.from({ length: 90_000 }, (_, i) => ({
        text: '\0a\ud800',
        startTime: new Date(1.7e12 + i * 1000).toISOString(),
      })),
    ),
  ]
  for (const content of hostileInputs) {
    for (const format of [undefined, 'vtt', 'json', 'text'] as const) {
      try {
        assert.ok(
          readTranscript(content, format).lines.every(
            (line) => line.text.isWellFormed() && !line.text.includes('\0'),
          ),
        )
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
  assert.ok(spent() < 5000, `${spent()} ms`)
})

test('20,000 lines are read in well under a second', () => {
  const spent = cpuWatch()
  const vtt = `WEBVTT\n\n${Array.from({ length: 20_000 }, (_, i) => `00:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}.000 --> 00:59:59.999\n<v Ann>line ${i}</v>\n`).join('\n')}`
  assert.equal(readTranscript(vtt).lines.length, 20_000)
  assert.equal(readTranscript('Ann: word\n'.repeat(20_000)).lines.length, 20_000)
  assert.ok(spent() < 2000, `${spent()} ms`)
})
