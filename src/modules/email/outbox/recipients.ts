import { omitNullish } from '../../../kernel/present.ts'
import { domainToASCII } from 'node:url'
import { invalid } from '../../../kernel/refusal.ts'
import { headerLine, type NamedAddress } from './messages.ts'

/** Maximum number of recipients of one message, To, Cc and Bcc together. */
export const maxRecipients = 100
/** An address without characters that could end a header or start another address. */
const addressOnly = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@([^\s@<>()[\]\\,;:"\p{Cc}]{1,253})$/u
const namedAddress = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>]*?))\s*<([^<>\s]+)>$/s

/** Parses `Ann <ann@example.com>` or an address alone. @throws Refusal invalid_argument */
export function parseMailAddress(text: string, field: string): NamedAddress {
  const [, quoted, plain, address] = namedAddress.exec(text.trim()) ?? []
  const email = (address ?? text.trim()).normalize('NFC')
  const domain = addressOnly.exec(email)?.[1]
  const isDomain =
    domain !== undefined && domainToASCII(domain) !== '' && !/(^|\.)(\.|$)/.test(domain)
  if (!isDomain)
    throw invalid(
      field,
      `${JSON.stringify(text.slice(0, 100))} is not an email address.`,
      'Send one address in each entry: ann@example.com, or Ann Doe <ann@example.com>.',
    )
  if (/[\r\n\0]/.test(text)) throw invalid(field, 'an address cannot contain line breaks.')
  const name = headerLine(quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '', 200)
  return omitNullish({
    name: name === '' ? undefined : name,
    email: `${email.slice(0, email.lastIndexOf('@'))}@${domain.toLowerCase()}`,
  })
}

/** Parses the addresses of a field, without duplicates. @throws Refusal */
export function parseMailAddresses(
  texts: readonly string[] | undefined,
  field: string,
): NamedAddress[] {
  return withoutDuplicates((texts ?? []).map((text, i) => parseMailAddress(text, `${field}[${i}]`)))
}

/** Key for comparing addresses. */
const recipientKeyOf = ({ email }: Pick<NamedAddress, 'email'>) => email.toLowerCase()

/** The addresses without duplicates, and without those in `besides`. */
export function withoutDuplicates(
  boxes: readonly NamedAddress[],
  besides: Iterable<NamedAddress> = [],
): NamedAddress[] {
  const seen = new Set([...besides].map(recipientKeyOf))
  return boxes.filter((box) => !seen.has(recipientKeyOf(box)) && seen.add(recipientKeyOf(box)))
}

export interface AnsweredEmail {
  is_own: 0 | 1
  from: NamedAddress
  to: readonly NamedAddress[]
  cc: readonly NamedAddress[]
  reply_to: readonly NamedAddress[]
}

/**
 * Recipients of an answer: the author, or the Reply-To address; for a message of one's own, its recipients. Answers
 * to all include all other recipients, but never the sender's own addresses. `mine`: own addresses, in lower case.
 */
export function replyRecipients(
  email: AnsweredEmail,
  all: boolean,
  mine: ReadonlySet<string>,
): { to: NamedAddress[]; cc: NamedAddress[] } {
  const withoutOwn = (boxes: readonly NamedAddress[]) =>
    withoutDuplicates(boxes.filter((box) => box.email !== '' && !mine.has(recipientKeyOf(box))))
  if (email.is_own === 1) {
    const to = withoutOwn(email.to)
    const recipients =
      to.length > 0 ? to : withoutDuplicates([...email.to].filter((box) => box.email !== ''))
    return {
      to: recipients.length > 0 ? recipients : [email.from],
      cc: all ? withoutDuplicates(withoutOwn(email.cc), recipients) : [],
    }
  }
  const replyTargets = withoutDuplicates(
    (email.reply_to.length > 0 ? email.reply_to : [email.from]).filter((box) => box.email !== ''),
  )
  if (!all) return { to: replyTargets, cc: [] }
  const to = withoutDuplicates([...replyTargets, ...withoutOwn(email.to)])
  return { to, cc: withoutDuplicates(withoutOwn(email.cc), to) }
}

/** Public mail providers: a common domain there does not make two people colleagues. */
const publicProvider =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|proton|protonmail|pm|fastmail|posteo|mailbox|t-online|zoho|hey)\.[a-z.]{2,7}$/

/** Addresses outside the organization: neither of its people nor in their domains. */
export function externalAddresses(
  boxes: readonly NamedAddress[],
  people: readonly string[],
): string[] {
  const knownAddresses = new Set(people.map((person) => person.toLowerCase()))
  const domains = new Set(
    [...knownAddresses].map(domainOf).filter((name) => !publicProvider.test(name)),
  )
  return boxes
    .map(recipientKeyOf)
    .filter((name) => !knownAddresses.has(name) && !domains.has(domainOf(name)))
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)
