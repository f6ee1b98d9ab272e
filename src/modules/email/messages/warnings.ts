import { externalAddresses } from '../outbox/recipients.ts'
import type { OutgoingMessage } from '../outbox/messages.ts'
import { unfilledVariables } from '../drafts/variables.ts'

const attachmentWords =
  /\b(?:attach(?:ed|ment|ments|ing)|enclosed|enclosure|anbei|angeh(?:ä|ae)ngt|im anhang|anh(?:ä|ae)nge?|beigef(?:ü|ue)gt|ci-joint|pi(?:è|e)ces? jointes?|adjunt[oa]s?|in allegato|allegat[oi]|bijlage|bijgevoegd|załącz\w*)(?![\p{L}\p{N}])/iu
const unattendedMailbox =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer-daemon|noreply[-+_.].*|.*[-+_.]no-?reply)(?:\+.*)?@/i
const maxListed = 5

export interface WarningContext {
  /** Addresses of the people of the organization. */
  people: readonly string[]
  /** Whether the answered message came from a mailing list or an automated sender. */
  isAnsweringBulk: boolean
}

/** Warnings for the sender before a message is sent. */
export function warningsOf(
  letter: Pick<
    OutgoingMessage,
    'to' | 'cc' | 'bcc' | 'subject' | 'body_markdown' | 'files' | 'answers'
  >,
  { people, isAnsweringBulk }: WarningContext,
): string[] {
  const recipients = [...letter.to, ...letter.cc, ...letter.bcc]
  const outside = externalAddresses(recipients, people)
  const unattended = recipients
    .filter((box) => unattendedMailbox.test(box.email))
    .map((box) => box.email)
  const unfilled = unfilledVariables(letter.subject, letter.body_markdown)
  return [
    ...(recipients.length === 0 ? ['It has no recipients yet.'] : []),
    ...(outside.length > 0
      ? [`It has recipients outside the organization: ${abbreviateList(outside)}.`]
      : []),
    ...(letter.files.length === 0 &&
    attachmentWords.test(`${letter.subject}\n${letter.body_markdown}`)
      ? ['It mentions an attachment, but nothing is attached.']
      : []),
    ...(unfilled.length > 0 ? [`Variables without a value: ${abbreviateList(unfilled)}.`] : []),
    ...(isAnsweringBulk && letter.answers?.as === 'reply_all'
      ? ['It replies to a mailing list or an automated sender.']
      : []),
    ...(unattended.length > 0 ? [`Mail to ${abbreviateList(unattended)} is not read.`] : []),
    ...(letter.subject.trim() === '' ? ['It has no subject.'] : []),
    ...(letter.body_markdown.trim() === '' && letter.answers?.as !== 'forward'
      ? ['It has no text.']
      : []),
  ]
}

function abbreviateList(words: readonly string[]): string {
  return words.length <= maxListed
    ? words.join(', ')
    : `${words.slice(0, maxListed).join(', ')} and ${words.length - maxListed} more`
}
