import { invalid } from '../../../kernel/refusal.ts'

const maxNameLength = 80

/**
 * A channel name in stored form: without #, lower case.
 * @throws Refusal invalid_argument with a valid suggestion, if possible
 */
export function channelName(text: string): string {
  const name = text.trim().replace(/^#/, '').normalize('NFC').toLowerCase()
  if (/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u.test(name) && name.length <= maxNameLength) return name
  const suggestion = name
    .replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+|-+$/gu, '')
    .slice(0, maxNameLength)
  throw invalid(
    'name',
    `a channel name has up to ${maxNameLength} letters, digits, dots, dashes and underscores, and starts with a letter or digit.`,
    suggestion === '' ? 'Example: team-news.' : `Try ${JSON.stringify(suggestion)}.`,
  )
}
