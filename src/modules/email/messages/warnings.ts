import { outsiders } from '../outbox/recipients.ts'
import type { OutgoingMessage } from '../outbox/messages.ts'
import { openVariables } from '../drafts/variables.ts'

const mentions =
  /\b(?:attach(?:ed|ment|ments|ing)|enclosed|enclosure|anbei|angeh(?:ä|ae)ngt|im anhang|anh(?:ä|ae)nge?|beigef(?:ü|ue)gt|ci-joint|pi(?:è|e)ces? jointes?|adjunt[oa]s?|in allegato|allegat[oi]|bijlage|bijgevoegd|załącz\w*)(?![\p{L}\p{N}])/iu
const deaf =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer-daemon|noreply[-+_.].*|.*[-+_.]no-?reply)(?:\+.*)?@/i
const listed = 5

export interface Beside {
  /** Addresses of the people of the organization. */
  people: readonly string[]
  /** The message that is answered came over a mailing list, or from a machine. */
  answersBulk: boolean
}

/** Warnings for the sender before a letter goes out. */
export function warningsOf(
  letter: Pick<
    OutgoingMessage,
    'to' | 'cc' | 'bcc' | 'subject' | 'body_markdown' | 'files' | 'answers'
  >,
  { people, answersBulk }: Beside,
): string[] {
  const everybody = [...letter.to, ...letter.cc, ...letter.bcc]
  const outside = outsiders(everybody, people)
  const silent = everybody.filter((box) => deaf.test(box.email)).map((box) => box.email)
  const unfilled = openVariables(letter.subject, letter.body_markdown)
  return [
    ...(everybody.length === 0 ? ['It has no recipients yet.'] : []),
    ...(outside.length > 0
      ? [`It has recipients outside the organization: ${abbreviateList(outside)}.`]
      : []),
    ...(letter.files.length === 0 && mentions.test(`${letter.subject}\n${letter.body_markdown}`)
      ? ['It mentions an attachment, but nothing is attached.']
      : []),
    ...(unfilled.length > 0 ? [`Variables without a value: ${abbreviateList(unfilled)}.`] : []),
    ...(answersBulk && letter.answers?.as === 'reply_all'
      ? ['It replies to a mailing list or an automated sender.']
      : []),
    ...(silent.length > 0 ? [`Mail to ${abbreviateList(silent)} is not read.`] : []),
    ...(letter.subject.trim() === '' ? ['It has no subject.'] : []),
    ...(letter.body_markdown.trim() === '' && letter.answers?.as !== 'forward'
      ? ['It has no text.']
      : []),
  ]
}

function abbreviateList(words: readonly string[]): string {
  return words.length <= listed
    ? words.join(', ')
    : `${words.slice(0, listed).join(', ')} and ${words.length - listed} more`
}
