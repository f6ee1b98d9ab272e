/** `address` is in lower case if it is well-formed; `name` may be empty. */
export interface MailAddress {
  name: string
  address: string
}

/** Body of a message as Markdown, without hidden text and remote images. */
export interface MailBody {
  /** The complete text, including quotations and signature. */
  markdown: string
  /**
   * Text that the sender wrote in this message; the whole body if it has no other part, and the forwarded text for a
   * forwarded message.
   */
  own: string
  quoted: string
  signature: string
  /** Sanitized HTML without styles and remote pictures, if the message has HTML. */
  html?: string
}

/**
 * Verdicts of the receiving servers: pass, fail, softfail, neutral, none, temperror, permerror; absent if unchecked.
 */
export interface Authentication {
  spf?: string
  dkim?: string
  dmarc?: string
}

export interface ParsedAttachment {
  /** IMAP number of the part: `2`, `1.3`; inside signed data, after the number of the data: `1/2`. */
  part: string
  name: string
  mime: string
  size: number
  sha256: string
  /** Without angle brackets. */
  contentId?: string
  /** Shown within the text: pictures of signatures and newsletters. */
  inline: boolean
  /** Method of a calendar part: REQUEST, REPLY, CANCEL, … */
  method?: string
  /** Only if requested. */
  content?: Uint8Array
}

/** Entry of a delivery report: the address, the outcome, and the server's text. */
export interface DeliveryReport {
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  status?: string
  diagnostic?: string
}

export interface ParsedMessage {
  /**
   * Headers of the whole message, in order; values unfolded, encoded words decoded. Long values and long lists are
   * truncated.
   */
  headers: { name: string; value: string }[]
  subject: string
  from?: MailAddress
  sender?: MailAddress
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  replyTo: MailAddress[]
  /** In milliseconds; absent if missing or unreadable. */
  date?: number
  /** With angle brackets, like all message ids here. */
  messageId?: string
  inReplyTo?: string
  references: string[]
  listId?: string
  /** Addresses in header order: https: and mailto:. */
  listUnsubscribe: string[]
  /** One-click unsubscribe by POST (RFC 8058). */
  listUnsubscribeOneClick: boolean
  /** Sent by a program: Auto-Submitted, precedence bulk or list, a list, an empty return path. */
  automatic: boolean
  authentication: Authentication
  body: MailBody
  /** The first words of `body.own`, on one line. */
  snippet: string
  attachments: ParsedAttachment[]
  /** Text of the first text/calendar part: an invitation or a reply to one. */
  calendar?: string
  reports: DeliveryReport[]
  warnings: string[]
}

export interface MailLimits {
  /** Maximum size in bytes; only the beginning of a longer message is read. */
  bytes: number
  /** Maximum characters of the body. */
  characters: number
  /** Maximum addresses per header, and maximum attachments. */
  recipients: number
  attachments: number
  /** Processor time, not wall time. */
  milliseconds: number
  /** Whether attachments include their content. */
  contents: boolean
}

export const mailLimits: MailLimits = {
  bytes: 40 * 1024 * 1024,
  characters: 500_000,
  recipients: 1_000,
  attachments: 500,
  milliseconds: 20_000,
  contents: false,
}
