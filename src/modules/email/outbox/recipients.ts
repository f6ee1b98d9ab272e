import { omitNullish } from '../../../kernel/present.ts'
import { domainToASCII } from 'node:url'
import { invalid } from '../../../kernel/refusal.ts'
import { headerLine, type Box } from './messages.ts'

/** Maximum number of recipients of one message, To, Cc and Bcc together. */
export const maxRecipients = 100
/** Between these there is nothing that could end a header or begin another address. */
const bare = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@([^\s@<>()[\]\\,;:"\p{Cc}]{1,253})$/u
const namedAddress = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>]*?))\s*<([^<>\s]+)>$/s

/** An address as people write it, `Ann <ann@example.com>` or the address alone. @throws Refusal invalid_argument */
export function readBox(text: string, field: string): Box {
  const [, quoted, plain, address] = namedAddress.exec(text.trim()) ?? []
  const email = (address ?? text.trim()).normalize('NFC')
  const domain = bare.exec(email)?.[1]
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

/** Addresses of one field, each once. @throws Refusal */
export function readBoxes(texts: readonly string[] | undefined, field: string): Box[] {
  return once((texts ?? []).map((text, i) => readBox(text, `${field}[${i}]`)))
}

/** Key for comparing addresses. */
const recipientKeyOf = ({ email }: Pick<Box, 'email'>) => email.toLowerCase()

/** Each address once, where it stands first; without those that stand elsewhere already. */
export function once(boxes: readonly Box[], besides: Iterable<Box> = []): Box[] {
  const seen = new Set([...besides].map(recipientKeyOf))
  return boxes.filter((box) => !seen.has(recipientKeyOf(box)) && seen.add(recipientKeyOf(box)))
}

export interface Answered {
  is_own: 0 | 1
  from: Box
  to: readonly Box[]
  cc: readonly Box[]
  reply_to: readonly Box[]
}

/**
 * Recipients of an answer: the author, or the Reply-To address; for a message of one's own, its recipients. Answers
 * to all include all other recipients, but never the sender's own addresses. `mine`: own addresses, in lower case.
 */
export function repliedTo(
  email: Answered,
  all: boolean,
  mine: ReadonlySet<string>,
): { to: Box[]; cc: Box[] } {
  const others = (boxes: readonly Box[]) =>
    once(boxes.filter((box) => box.email !== '' && !mine.has(recipientKeyOf(box))))
  if (email.is_own === 1) {
    const to = others(email.to)
    const recipients = to.length > 0 ? to : once([...email.to].filter((box) => box.email !== ''))
    return {
      to: recipients.length > 0 ? recipients : [email.from],
      cc: all ? once(others(email.cc), recipients) : [],
    }
  }
  const direct = once(
    (email.reply_to.length > 0 ? email.reply_to : [email.from]).filter((box) => box.email !== ''),
  )
  if (!all) return { to: direct, cc: [] }
  const to = once([...direct, ...others(email.to)])
  return { to, cc: once(others(email.cc), to) }
}

/** Hosts of mailboxes for everybody: that two people have one there does not make them colleagues. */
const open =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|proton|protonmail|pm|fastmail|posteo|mailbox|t-online|zoho|hey)\.[a-z.]{2,7}$/

/** Addresses that belong to no one in the organization, judged by the addresses of its people. */
export function outsiders(boxes: readonly Box[], people: readonly string[]): string[] {
  const knownAddresses = new Set(people.map((person) => person.toLowerCase()))
  const domains = new Set([...knownAddresses].map(domainOf).filter((name) => !open.test(name)))
  return boxes
    .map(recipientKeyOf)
    .filter((name) => !knownAddresses.has(name) && !domains.has(domainOf(name)))
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)
