/** `address` is in lower case where it has the form of one; `name` may be empty. */
export interface MailAddress {
  name: string
  address: string
}

/** Body of a message as Markdown, without hidden text and remote images. */
export interface MailBody {
  /** All of it, quotations and signature too. */
  markdown: string
  /**
   * Text that the sender wrote in this message; the whole body if it has no other part, and the forwarded text for a
   * forwarded message.
   */
  own: string
  quoted: string
  signature: string
  /** Sanitized HTML without styles and remote pictures, where the message has HTML. */
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
  /** Its number among the parts of the message as IMAP counts them: `2`, `1.3`; of a part within signed data, that behind the one of the data: `1/2`. */
  part: string
  name: string
  mime: string
  size: number
  sha256: string
  /** Without angle brackets. */
  contentId?: string
  /** Shown inside of the text: pictures of signatures and newsletters. */
  inline: boolean
  /** Method of a calendar part: REQUEST, REPLY, CANCEL, … */
  method?: string
  /** Only where it was asked for. */
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
  /** In milliseconds; absent where the message has none that can be understood. */
  date?: number
  /** With its angle brackets, as all ids of messages here. */
  messageId?: string
  inReplyTo?: string
  references: string[]
  listId?: string
  /** Addresses of the header, in its order: https: and mailto:. */
  listUnsubscribe: string[]
  /** By one POST, as RFC 8058 has it. */
  listUnsubscribeOneClick: boolean
  /** Sent by a program: Auto-Submitted, a precedence of bulk or list, a list, an empty return path. */
  automatic: boolean
  authentication: Authentication
  body: MailBody
  /** The first words of `body.own`, on one line. */
  snippet: string
  attachments: ParsedAttachment[]
  /** The text of the first part text/calendar: an invitation, an answer to one. */
  calendar?: string
  reports: DeliveryReport[]
  warnings: string[]
}

export interface MailLimits {
  /** Maximum size in bytes; only the beginning of a longer message is read. */
  bytes: number
  /** Characters of the body that are kept. */
  characters: number
  /** Addresses of one header, and attachments, that are kept. */
  recipients: number
  attachments: number
  /** Processor time, not wall time. */
  milliseconds: number
  /** Whether the attachments bring their content. */
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
