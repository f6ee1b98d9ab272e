// Password rules: long, and not among the most common ones. No composition rules, which only make people write
// "Password123!" (NIST SP 800-63B §3.1.1).

import { invalid } from '../kernel/refusal.ts'
import { assetText } from '../db/assets.ts'
import { commonPasswords, commonWords } from './common-passwords.ts'

const minLength = 12
const maxLength = 128
const passwordHint = 'A few unrelated words are easy to remember.'

/** @throws Refusal invalid_argument, field `password` or the one given; the message never repeats it */
export function checkPassword(password: string, field = 'password'): void {
  const length = [...password].length
  if (length < minLength)
    throw invalid(field, `it needs at least ${minLength} characters.`, passwordHint)
  if (length > maxLength) throw invalid(field, `it may have at most ${maxLength} characters.`)
  if (isCommon(password)) throw invalid(field, 'it is too easy to guess.', passwordHint)
}

/** Listed, a listed one padded with digits and signs or repeated, or of fewer than four different characters. */
function isCommon(password: string): boolean {
  const text = password.toLowerCase().replaceAll(' ', '')
  if (new Set(text).size < 4) return true
  return [text, withoutLeetspeak(text)].some(
    (variant) => isListed(variant) || isListed(trimNonLetters(variant)) || isMadeOfWords(variant),
  )
}

function isListed(text: string): boolean {
  return commonPasswords.has(text) || leaked().has(text) || leaked().has(unrepeated(text))
}

function isMadeOfWords(text: string): boolean {
  const words = text.split(/[^a-z]+/).filter(Boolean)
  return (
    words.length > 0 &&
    words.every((word) => commonWords.has(word) || commonWords.has(unrepeated(word)))
  )
}

/** Without digits and signs around it, unless those are most of it: then they may be what makes it good. */
function trimNonLetters(text: string): string {
  const word = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  return word.length * 3 >= text.length ? word : text
}

/** Turns `passwordpassword` into `password`. */
function unrepeated(text: string): string {
  return /^(.+?)\1+$/.exec(text)?.[1] ?? text
}

const letters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** Turns `p@ssw0rd` into `password`. */
function withoutLeetspeak(text: string): string {
  return text.replace(/[@431!0$57]/g, (sign) => letters[sign]!)
}

let leakedPasswords: ReadonlySet<string> | undefined

/** About ten thousand of the most common leaked passwords; loaded when the first password is chosen. */
function leaked(): ReadonlySet<string> {
  return (leakedPasswords ??= new Set(
    assetText('common-passwords.txt')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ))
}
