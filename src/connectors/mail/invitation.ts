import { createHash } from 'node:crypto'

/** A mail about an event that calendar programs understand (iMIP, RFC 6047). */
export interface EventInvitation {
  /** With angle brackets. The same at every try. */
  messageId: string
  date: Date
  from: { name: string; address: string }
  to: { name: string; address: string }
  replyTo: { name: string; address: string } | undefined
  subject: string
  text: string
  html: string
  method: 'REQUEST' | 'CANCEL' | 'REPLY'
  ics: string
}

const fileNames = { REQUEST: 'invite.ics', REPLY: 'reply.ics', CANCEL: 'cancel.ics' } as const

/**
 * The bytes of such a mail: text, HTML and the calendar part as alternatives, and the calendar as a file for programs
 * that do not support the part.
 */
export async function composeInvitation({
  method,
  ics,
  replyTo,
  ...fields
}: EventInvitation): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    ...fields,
    ...(replyTo ? { replyTo } : {}),
    icalEvent: { method, content: ics, filename: fileNames[method] },
    textEncoding: 'quoted-printable',
    baseBoundary: createHash('sha256').update(fields.messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
