import { createHash } from 'node:crypto'

interface Mailbox {
  name?: string | undefined
  email: string
}

export interface Enclosure {
  name: string
  mime: string
  bytes: Uint8Array
}

/** All that the bytes of a message are made from. The same makes the same bytes, at every try. */
export interface Composed {
  /** With its angle brackets. */
  messageId: string
  date: Date
  from: Mailbox
  to: readonly Mailbox[]
  cc: readonly Mailbox[]
  /** Only for a draft, which its author goes on with elsewhere: in what is sent no one is named whom others are not to see. */
  bcc?: readonly Mailbox[]
  subject: string
  inReplyTo?: string | undefined
  references: readonly string[]
  text: string
  html: string
  enclosures: readonly Enclosure[]
  headers?: Readonly<Record<string, string>>
}

/** The bytes of a message: text and HTML as alternatives, and what is enclosed behind them. */
export async function composeMessage(of: Composed): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const compiled = new MailComposer({
    messageId: of.messageId,
    date: of.date,
    from: boxOf(of.from),
    to: of.to.map(boxOf),
    cc: of.cc.map(boxOf),
    ...(of.bcc ? { bcc: of.bcc.map(boxOf) } : {}),
    subject: of.subject,
    ...(of.inReplyTo === undefined ? {} : { inReplyTo: of.inReplyTo }),
    ...(of.references.length === 0 ? {} : { references: [...of.references] }),
    text: of.text,
    html: of.html,
    attachments: of.enclosures.map((enclosure) => ({
      filename: enclosure.name,
      contentType: enclosure.mime,
      content: Buffer.from(enclosure.bytes),
      ...(enclosure.mime.startsWith('text/') ? { contentTransferEncoding: 'base64' as const } : {}),
    })),
    headers: { ...of.headers },
    textEncoding: 'quoted-printable',
    baseBoundary: createHash('sha256').update(of.messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  compiled.keepBcc = of.bcc !== undefined
  return compiled.build()
}

function boxOf({ name, email }: Mailbox): { name: string; address: string } {
  return { name: name ?? '', address: email }
}
