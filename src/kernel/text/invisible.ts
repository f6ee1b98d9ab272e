// Removes characters invisible to human readers from text shown to models: they can hide instructions, reverse text, or
// control a terminal. Storage and REST keep every character.

/** Characters to remove, the reason, and exceptions: a pattern that starts at the character itself. */
interface Rule {
  chars: string
  why: string
  unless?: string
}

const pictograph = String.raw`\p{Extended_Pictographic}`

/**
 * Letters and marks of scripts with joining or stacking letters, where joiners distinguish words: Arabic, Persian,
 * Hindi, Sinhala, Khmer …
 */
const joiningScripts = `Arab Syrc Mand Mong Nkoo Phag Rohg Adlm Mani Sogd
  Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Java Bali Sund Cakm Newa Gran Tirh Kthi Shrd Limb Mtei Saur Lana Sylo Brah`
const joiningScriptClass = joiningScripts
  .split(/\s+/)
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')
const joiningCharacter = String.raw`[[[${joiningScriptClass}]&&[\p{L}\p{M}\p{Nd}]]--[\u17B4\u17B5\u180B-\u180D\u180F]]`

/** Black flag, the letters of a part of the United Kingdom as tags, the end of tags. */
const tagFlag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`

const rules: readonly Rule[] = [
  {
    chars: String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]`,
    why: 'controls: they steer terminals; tab and line ends stay',
  },
  {
    chars: String.raw`[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]`,
    why: 'direction of writing: shows a text in another order than it is read',
  },
  {
    chars: String.raw`[\u00AD\u180E\u200B\u2060-\u2065\u206A-\u206F\uFEFF]`,
    why: 'no width, or none any more: invisible, and splits words that are looked for',
  },
  { chars: String.raw`[\u034F\u17B4\u17B5\u3164\uFFA0]`, why: 'letters and marks without a shape' },
  {
    chars: String.raw`[\u115F\u1160]`,
    unless: String.raw`(?<=[\u1100-\u115E\uA960-\uA97F])\u1160|\u115F(?=[\u1161-\u11A7\uD7B0-\uD7C6])`,
    why: 'fillers of Hangul; they stay in a syllable that lacks a part',
  },
  { chars: String.raw`[\uFFF0-\uFFFB]`, why: 'notes between lines, which are not shown' },
  {
    chars: String.raw`[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]`,
    why: 'controls of shorthand and of notes of music',
  },
  {
    chars: String.raw`[\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}]`,
    why: 'tags: ASCII that no one sees; the flags of England, Scotland and Wales are matched before',
  },
  {
    chars: String.raw`\u200D`,
    unless: String.raw`(?<=${pictograph}[\uFE0F\p{Emoji_Modifier}]{0,2})\u200D${pictograph}|(?<=${joiningCharacter})\u200D`,
    why: 'joins emoji and letters of some scripts; invisible elsewhere',
  },
  {
    chars: String.raw`\u200C`,
    unless: String.raw`(?<=${joiningCharacter})\u200C|\u200C${joiningCharacter}`,
    why: 'keeps letters of some scripts apart; invisible elsewhere',
  },
  {
    chars: String.raw`[\uFE00-\uFE0F]`,
    unless: String.raw`(?<=(?![0-9#*])\p{Emoji})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F\u20E3|(?<=\p{Ideographic})[\uFE00-\uFE0F]`,
    why: 'choose among shapes of an emoji or an ideograph; one for each',
  },
  {
    chars: String.raw`[\u180B-\u180D\u180F]`,
    unless: String.raw`(?<=[\u1820-\u18AA])[\u180B-\u180D\u180F]`,
    why: 'the same for letters of Mongolian',
  },
  {
    chars: String.raw`[\u{E0100}-\u{E01EF}]`,
    unless: String.raw`(?<=\p{Ideographic})[\u{E0100}-\u{E01EF}]`,
    why: 'the same for ideographs',
  },
  { chars: String.raw`[\u{D800}-\u{DFFF}]`, why: 'halves of a pair: no characters' },
]

const hidden = new RegExp(
  `(?<flag>${tagFlag})|${rules.map(({ chars, unless }) => (unless === undefined ? chars : `(?!${unless})${chars}`)).join('|')}`,
  'gv',
)

/** Quick check whether a text may need cleaning: one class of UTF-16 units (including high surrogates). */
const suspicious =
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uD82F\uD834\uDB40-\uDB43]/
/** The same for JSON text, where controls and surrogates may be escaped. */
const suspiciousJson = new RegExp(`${suspicious.source}|\\\\[ubf]`)

/** A text without invisible characters. */
export function removeInvisible(text: string): string {
  if (!suspicious.test(text) && text.isWellFormed()) return text
  return text.replace(hidden, (...match) => (match.at(-1) as { flag?: string }).flag ?? '')
}

/** The invisible characters of a text, in order: start and end of each run. */
export function* invisibleRanges(text: string): Generator<readonly [start: number, end: number]> {
  if (!suspicious.test(text) && text.isWellFormed()) return
  for (const match of text.matchAll(hidden))
    if (match.groups?.flag === undefined) yield [match.index, match.index + match[0].length]
}

/** JSON text without invisible characters in values and names. */
export function cleanJson(text: string): string {
  return suspiciousJson.test(text) ? JSON.stringify(cleanValue(JSON.parse(text))) : text
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return removeInvisible(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (value === null || typeof value !== 'object') return value
  const names = new Set<string>()
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      makeDistinct(removeInvisible(name), names),
      cleanValue(child),
    ]),
  )
}

/** Keeps names distinct that look the same after cleaning. */
function makeDistinct(name: string, usedNames: Set<string>): string {
  let distinctName = name
  for (let i = 2; usedNames.has(distinctName); i++) distinctName = `${name} (${i})`
  usedNames.add(distinctName)
  return distinctName
}
