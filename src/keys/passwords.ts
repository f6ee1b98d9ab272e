// What a password must be: long, and not one that everybody tries first. No rules of composition, which only make people
// write "Password123!" (NIST SP 800-63B §3.1.1).

import { invalid } from '../core/refusal.ts'
import { commonPasswords, commonWords } from './common.ts'

const shortest = 12
const longest = 128

/** @throws Refusal invalid_argument, field `password`; the message never repeats it */
export function checkPassword(password: string): void {
  const length = [...password].length
  if (length < shortest) throw invalid('password', `it needs at least ${shortest} characters.`, 'A few words that do not belong together are easy to remember.')
  if (length > longest) throw invalid('password', `it may have at most ${longest} characters.`)
  if (isCommon(password)) throw invalid('password', 'it is among the first that somebody would try.', 'A few words that do not belong together are easy to remember.')
}

/** On the list itself, or a listed word with digits and signs around it, or hardly more than one character. */
function isCommon(password: string): boolean {
  const text = password.toLowerCase().replaceAll(' ', '')
  if (commonPasswords.has(text) || new Set(text).size < 4) return true
  const words = text.split(/[^a-z]+/).filter(Boolean)
  return words.length > 0 && words.every(word => commonWords.has(word) || commonWords.has(unrepeated(word)))
}

/** `passwordpassword` is `password`. */
function unrepeated(text: string): string {
  return /^(.+?)\1+$/.exec(text)?.[1] ?? text
}
