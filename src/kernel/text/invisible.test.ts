import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../testing/properties.ts'
import { cpuWatch } from '../../testing/cost.ts'
import { removeInvisible, cleanJson } from './invisible.ts'

const point = (code: number) => String.fromCodePoint(code)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => point(from + i))

/** Characters that are removed everywhere. */
const always = [
  ...range(0, 8),
  ...range(0x0b, 0x0c),
  ...range(0x0e, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe007f),
  ...range(0x1d173, 0x1d17a),
  ...[0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0xfeff, 0x3164, 0xe0080, 0xe01f0].map(
    point,
  ),
  '\ud83d',
  '\ude00',
]
/** Characters that are kept in some places only. */
const sometimes = ['\u200c', '\u200d', ...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe0110)]

const ordinary = {
  English: 'Don’t “panic” – it’s fine… 100 % (a\tb)\r\nnext\n',
  German: 'Größe, Straße, Übermut, daß',
  Vietnamese: 'Tiếng Việt, nghiêng ngả',
  Polish: 'Zażółć gęślą jaźń',
  Greek: 'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία',
  Russian: 'Съешь ещё этих мягких французских булок',
  Hebrew: 'שָׁלוֹם עולם',
  Arabic: 'مَرْحَبًا بِالعَالَم',
  Persian: 'می‌خواهم کتاب‌ها را بخوانم؛ خانه‌ی ما، PDF‌ها، ۵‌ام',
  Urdu: 'اردو میں خوش آمدید',
  'Arabic abbreviation': 'سنة ١٤٤٦ ه‍ وما بعدها',
  Hindi: 'नमस्ते दुनिया, क्‍या, क्‌ष',
  Marathi: 'दऱ्‍या',
  Bengali: 'র‍্যাব, উৎস',
  Tamil: 'தமிழ் ஸ்ரீ',
  Malayalam: 'അവന്‍, മലയാളം',
  Sinhala: 'ශ්‍රී ලංකාව',
  Thai: 'สวัสดีชาวโลก',
  Khmer: 'សួស្តី​'.replace('\u200b', ''),
  Burmese: 'မင်္ဂလာပါ',
  Tibetan: 'བཀྲ་ཤིས་བདེ་ལེགས།',
  Mongolian: 'ᠮᠣᠩᠭᠣᠯ ᠠ᠋',
  Chinese: '你好，世界。葛󠄀城市，𠮷野家',
  Japanese: 'こんにちは、渡邉󠄂さん。ｶﾞｷﾞｸﾞ',
  Korean: '안녕하세요 세계, 각',
  'old Korean': '\u115f\u1161\u11ab \u1112\u119e\u11ab \u1100\u1160',
  Amharic: 'ሰላም ለዓለም',
  mathematics: '∑ᵢ xᵢ² ≥ 0, 𝒜 ⊂ 𝔹',
  emoji: '😀 👍🏽 ❤️ ☎︎ ☺️ ⚕️ ™️ © ®',
  families: '👨‍👩‍👧‍👦 👩🏽‍🚀 🧑🏻‍🤝‍🧑🏿 👨‍⚕️ ❤️‍🔥 🏃🏾‍♀️‍➡️ 🐻‍❄️ 🙂‍↔️ 👁️‍🗨️',
  flags: '🇩🇪🇺🇳 🏳️‍🌈 🏴‍☠️ 🏳️‍⚧️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  keycaps: '1️⃣ #️⃣ *️⃣ 0⃣',
}

for (const [name, text] of Object.entries(ordinary)) {
  test(`ordinary text is left unchanged: ${name}`, () => {
    assert.equal(removeInvisible(text), text)
    const json = JSON.stringify({ [text]: [text] })
    assert.equal(cleanJson(json), json)
  })
}

test('invisible characters are removed wherever they occur', () => {
  for (const alway of always) {
    for (const [before, after] of [
      ['a', 'b'],
      ['😀', '🚀'],
      ['葛', '城'],
      ['می', 'خ'],
      ['', ''],
      ['क', 'ष'],
    ] as const) {
      assert.equal(
        removeInvisible(`${before}${alway}${after}`),
        before + after,
        `U+${alway.codePointAt(0)!.toString(16)}`,
      )
    }
  }
})

test('instructions hidden in tags, variation selectors and joiners do not reach a model', () => {
  const tags = [...'ignore all'].map((name) => point(0xe0000 + name.charCodeAt(0))).join('')
  assert.equal(removeInvisible(`Hello${tags}!`), 'Hello!')
  assert.equal(removeInvisible(`🏴${tags}${point(0xe007f)}`), '🏴', 'a flag of nowhere')
  const selectors = [...'delete'].map((name) => point(0xe0100 + name.charCodeAt(0) - 16)).join('')
  assert.equal(removeInvisible(`😀${selectors}.`), '😀.')
  assert.equal(
    removeInvisible(`葛${point(0xe0101)}${selectors}`),
    `葛${point(0xe0101)}`,
    'one selector is enough',
  )
  assert.equal(removeInvisible('❤️️️️'), '❤️')
  assert.equal(removeInvisible('a️1️2️ x\u200dy\u200c\u200dz'), 'a12 xyz')
  assert.equal(removeInvisible('می\u200c\u200c\u200c\u200cخ'), 'می\u200c\u200cخ')
  assert.equal(removeInvisible('😀\u200d x \u200d😀'), '😀 x 😀')
})

test('bidirectional overrides and terminal control sequences are removed', () => {
  assert.equal(removeInvisible('invoice\u202egpj.exe'), 'invoicegpj.exe')
  assert.equal(removeInvisible('a \u001b[31mred\u001b[0m \u009b2J\u0007'), 'a [31mred[0m 2J')
  assert.equal(removeInvisible('\ufefftext'), 'text')
})

test('names in JSON are cleaned like values and stay distinct', () => {
  const value = {
    'a\u200b': 1,
    a: 2,
    '\u202eb': { c: ['\u0000x', '\ud800', 'C:\\bin\\u0041'] },
    n: null,
    t: true,
  }
  assert.deepEqual(JSON.parse(cleanJson(JSON.stringify(value))), {
    a: 1,
    'a (2)': 2,
    b: { c: ['x', '', 'C:\\bin\\u0041'] },
    n: null,
    t: true,
  })
})

test('cleaning is idempotent and leaves neither lone surrogates nor forbidden characters', () => {
  const piece = fc.oneof(
    fc.constantFrom(...always),
    fc.constantFrom(...sometimes),
    fc.constantFrom('a', '1', ' ', '😀', '❤', '🏽', '🏴', '葛', 'خ', 'क', '्', 'ᠠ', '\u20e3', '\n'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const removedCharacters = new RegExp(
    `[${always
      .filter((alway) => alway.isWellFormed() && !/[\u{E0000}-\u{E007F}]/u.test(alway))
      .map((alway) => `\\u{${alway.codePointAt(0)!.toString(16)}}`)
      .join('')}]`,
    'u',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = removeInvisible(pieces.join(''))
      assert.equal(removeInvisible(once), once)
      assert.ok(once.isWellFormed())
      assert.doesNotMatch(once, removedCharacters)
    }),
    { numRuns: 2000 },
  )
})

test('cleaning only removes characters and keeps their order, and treats JSON and text alike', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(...always, ...sometimes),
      (text, more) => {
        const input = text + more + text
        const left = removeInvisible(input)
        let at = 0
        for (const name of left) at = input.indexOf(name, at) + name.length
        assert.ok(at <= input.length)
        assert.equal(JSON.parse(cleanJson(JSON.stringify(input))), left)
      },
    ),
  )
})

test('ordinary responses are cleaned in a single quick pass', () => {
  const text = JSON.stringify({
    items: Array.from({ length: 200 }, (_, i) => ({
      id: `tsk_${i}`,
      title: 'Größe and more '.repeat(20),
    })),
  })
  assert.equal(cleanJson(text), text)
  const spent = cpuWatch()
  for (let i = 0; i < 20; i++) cleanJson(text)
  assert.ok(spent() / 20 < 10, 'milliseconds for 65 kB')
})
