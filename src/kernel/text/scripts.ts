const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Cherokee',
  'Coptic',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
] as const
type Script = (typeof scripts)[number]
const patterns = scripts.map(
  (script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const,
)

/** Scripts that are written together, with Latin beside them: Japanese, Korean, Chinese. */
const combinableScripts: readonly (readonly Script[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
]

/**
 * Scripts in a name that are never mixed in practice, such as Latin and Cyrillic, whose letters look alike; undefined
 * for ordinary names.
 */
export function mixedScripts(name: string): Script[] | undefined {
  const scripts = patterns.filter(([, pattern]) => pattern.test(name)).map(([script]) => script)
  const isOrdinary =
    scripts.length < 2 ||
    combinableScripts.some((combination) => scripts.every((item) => combination.includes(item)))
  return isOrdinary ? undefined : scripts
}

/** Describes the mixed scripts in a note for people. */
export function mixedScriptsNote(name: string): string | undefined {
  const scripts = mixedScripts(name)
  return (
    scripts &&
    `This name mixes ${scripts.slice(0, -1).join(', ')} and ${scripts.at(-1)!} letters: it may look like the name of another person.`
  )
}
