// Initial content of a mail: empty, a reply, a forwarded message, or an existing draft.

import type { Output } from '../../../api/client.ts'
import type { ThreadMail } from '../useThread.ts'
import { mailTexts as t } from '../texts.ts'
import { firstVariable } from './template-text.ts'

export type MailDraft = Output<'list_email_drafts'>['items'][number]

/** Form values of a mail. Recipients are addresses, `Ann Doe <ann@example.org>` or `ann@example.org`. */
export interface MailValues {
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  body: string
  files: { id: string; title: string }[]
  /** Forwarding: leaves out the attached files. */
  leavesOutFiles?: boolean
}

export interface Composition {
  /** Key under which this browser stores the text until the server has it. */
  name: string
  kind: 'new' | 'reply' | 'forward'
  /** Its conversation; undefined for a new mail. */
  threadId: string | undefined
  /** The message being replied to or forwarded. */
  emailId: string | undefined
  accountId: string | undefined
  /** The draft on the server. */
  draftId: string | undefined
  start: MailValues
}

const emptyValues: MailValues = { to: [], cc: [], bcc: [], subject: '', body: '', files: [] }

type Address = ThreadMail['from']

/** An address in the usual notation. */
export function addressText({ name, email, person, contact }: Address): string {
  const displayName = person?.title ?? contact?.title ?? name
  if (email === undefined) return displayName ?? ''
  const isPlain =
    displayName !== undefined && displayName !== email && /^[^",<>@;:\\]+$/.test(displayName)
  return isPlain ? `${displayName} <${email}>` : email
}

/** The address in a typed text, without a name. */
const bareAddress = (text: string): string =>
  (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase()

export const isMailAddress = (text: string): boolean =>
  /^[^\s@<>]+@[^\s@<>]+$/.test(bareAddress(text))

export function newMail(): Composition {
  return {
    name: 'new',
    kind: 'new',
    threadId: undefined,
    emailId: undefined,
    accountId: undefined,
    draftId: undefined,
    start: emptyValues,
  }
}

/** A reply to the sender, or to all; for the reader's own message, to its recipients. `ownAddresses`: the reader's. */
export function replyTo(
  mail: ThreadMail,
  isToAll: boolean,
  ownAddresses: ReadonlySet<string>,
): Composition {
  const isOwn = ownAddresses.has((mail.from.email ?? '').toLowerCase())
  const senders = mail.reply_to && mail.reply_to.length > 0 ? mail.reply_to : [mail.from]
  const to = withoutOwn(isOwn ? mail.to : senders, ownAddresses)
  const others = isToAll ? withoutOwn([...(isOwn ? [] : mail.to), ...mail.cc], ownAddresses) : []
  const recipients = to.length > 0 ? to : senders.map(addressText)
  const addressedEmails = new Set(recipients.map(bareAddress))
  return {
    name: `reply ${mail.id}`,
    kind: 'reply',
    threadId: mail.thread_id,
    emailId: mail.id,
    accountId: mail.account_id,
    draftId: undefined,
    start: {
      ...emptyValues,
      to: recipients,
      cc: others.filter((text) => !addressedEmails.has(bareAddress(text))),
      subject: withPrefix('Re', mail.subject),
    },
  }
}

type ForwardedMail = Pick<ThreadMail, 'id' | 'thread_id' | 'account_id' | 'subject'>

/** A forwarded message, unchanged below a note, with its files unless excluded. */
export function forwardOf(mail: ForwardedMail): Composition {
  return {
    name: `forward ${mail.id}`,
    kind: 'forward',
    threadId: mail.thread_id,
    emailId: mail.id,
    accountId: mail.account_id,
    draftId: undefined,
    start: { ...emptyValues, subject: withPrefix('Fwd', mail.subject) },
  }
}

/** An existing draft for editing. */
export function compositionOf(draft: MailDraft): Composition {
  return {
    name: draft.id,
    kind: draft.in_reply_to === undefined ? 'new' : 'reply',
    threadId: draft.thread_id,
    emailId: undefined,
    accountId: draft.account_id,
    draftId: draft.id,
    start: {
      to: draft.to.map(addressText),
      cc: draft.cc.map(addressText),
      bcc: draft.bcc.map(addressText),
      subject: draft.subject,
      body: draft.body_markdown,
      files: draft.attachment_files.map(({ id, title }) => ({ id, title })),
    },
  }
}

function withoutOwn(addresses: readonly Address[], ownAddresses: ReadonlySet<string>): string[] {
  const seenEmails = new Set(ownAddresses)
  return addresses.flatMap((address) => {
    const email = (address.email ?? '').toLowerCase()
    if (email === '' || seenEmails.has(email)) return []
    seenEmails.add(email)
    return [addressText(address)]
  })
}

const withPrefix = (prefix: string, subject: string) =>
  new RegExp(`^${prefix}:`, 'i').test(subject) ? subject : `${prefix}: ${subject}`

/** Finds the reason that a mail cannot be sent; undefined: none. */
export function problemOf({ kind }: Composition, values: MailValues): string | undefined {
  const { problems } = t.mailbox.compose
  const all = [...values.to, ...values.cc, ...values.bcc]
  const invalid = all.find((text) => !isMailAddress(text))
  if (invalid !== undefined) return problems.address(invalid)
  if (all.length === 0) return problems.recipient
  if (kind !== 'forward' && values.body.trim() === '') return problems.body
  return undefined
}

/** Finds something to confirm before sending: a template placeholder that was not filled in. */
export function doubtOf({ subject, body }: MailValues): string | undefined {
  const text = `${subject}\n${body}`
  const slot = firstVariable(text)
  return slot && t.mailbox.compose.problems.open(text.slice(slot.start, slot.end))
}
