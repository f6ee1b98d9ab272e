import { invalid } from '../../../kernel/refusal.ts'

const longest = 80

/**
 * The name of a channel as it is kept: without the #, in lower case.
 * @throws Refusal invalid_argument with a name that would do, where there is one
 */
export function channelName(text: string): string {
  const name = text.trim().replace(/^#/, '').normalize('NFC').toLowerCase()
  if (/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(name) && name.length <= longest) return name
  const better = name
    .replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+|-+$/gu, '')
    .slice(0, longest)
  throw invalid(
    'name',
    `a channel name has up to ${longest} letters, digits, dots, dashes and underscores, and starts with a letter or digit.`,
    better === '' ? 'Example: team-news.' : `Try ${JSON.stringify(better)}.`,
  )
}
