import { t } from '../../texts/index.ts'

// The order matters: Edge and Opera claim to be Chrome, and Chrome to be Safari.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** A browser's common name, from its user agent. */
export function browserName(userAgent: string | undefined): string {
  const firstMatch = (patterns: readonly [RegExp, string][]) =>
    patterns.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = firstMatch(browsers)
  const system = firstMatch(systems)
  if (browser === undefined) return system ?? t.security.sessions.unknown
  return system === undefined ? browser : t.security.sessions.on(browser, system)
}
