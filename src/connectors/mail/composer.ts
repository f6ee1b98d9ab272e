import { createHash } from 'node:crypto'

interface Mailbox {
  name?: string | undefined
  email: string
}

export interface OutgoingAttachment {
  name: string
  mime: string
  bytes: Uint8Array
}

/** All inputs of a message's bytes. The same input gives the same bytes at every try. */
export interface MessageInput {
  /** With angle brackets. */
  messageId: string
  date: Date
  from: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  /** Only for drafts that their author continues elsewhere: sent messages must not reveal Bcc recipients. */
  bcc?: readonly Mailbox[]
  subject: string
  inReplyTo?: string | undefined
  references: readonly string[]
  text: string
  html: string
  enclosures: readonly OutgoingAttachment[]
  headers?: Readonly<Record<string, string>>
}

/** The bytes of a message: text and HTML as alternatives, followed by attachments. */
export async function composeMessage(message: MessageInput): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const compiled = new MailComposer({
    messageId: message.messageId,
    date: message.date,
    from: mailboxAddress(message.from),
    to: message.to.map(mailboxAddress),
    cc: message.cc.map(mailboxAddress),
    ...(message.bcc ? { bcc: message.bcc.map(mailboxAddress) } : {}),
    subject: message.subject,
    ...(message.inReplyTo === undefined ? {} : { inReplyTo: message.inReplyTo }),
    ...(message.references.length === 0 ? {} : { references: [...message.references] }),
    text: message.text,
    html: message.html,
    attachments: message.enclosures.map((enclosure) => ({
      filename: enclosure.name,
      contentType: enclosure.mime,
      content: Buffer.from(enclosure.bytes),
      ...(enclosure.mime.startsWith('text/') ? { contentTransferEncoding: 'base64' as const } : {}),
    })),
    headers: { ...message.headers },
    textEncoding: 'quoted-printable',
    baseBoundary: createHash('sha256').update(message.messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  compiled.keepBcc = message.bcc !== undefined
  return compiled.build()
}

function mailboxAddress({ name, email }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address: email }
}
