/** `address` is in lower case where it has the form of one; `name` may be empty. */
export interface MailAddress {
  name: string
  address: string
}

/** What a message says, as Markdown without hidden text and remote pictures. */
export interface MailBody {
  /** All of it, quotations and signature too. */
  markdown: string
  /** What its sender wrote in this message; all of it where nothing else is in it, and of a forwarded message what is forwarded. */
  own: string
  quoted: string
  signature: string
  /** Sanitized HTML without styles and remote pictures, where the message has HTML. */
  html?: string
}

/** What the receiving servers found: pass, fail, softfail, neutral, none, temperror, permerror; absent where no one looked. */
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
  /** Of a calendar part: REQUEST, REPLY, CANCEL, … */
  method?: string
  /** Only where it was asked for. */
  content?: Uint8Array
}

/** Of a delivery report: which address, what became of it, and the words of the server. */
export interface DeliveryReport {
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  status?: string
  diagnostic?: string
}

export interface ParsedMessage {
  /** Of the whole message, in order; values unfolded, encoded words decoded. Long and many ones are cut. */
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
  /** Of a longer message its beginning is read. */
  bytes: number
  /** Characters of the body that are kept. */
  characters: number
  /** Addresses of one header, and attachments, that are kept. */
  recipients: number
  attachments: number
  /** Of processor time. */
  milliseconds: number
  /** Whether the attachments bring their content. */
  contents: boolean
}

/** What one message may take where nothing else is said. */
export const mailLimits: MailLimits = {
  bytes: 40 * 1024 * 1024,
  characters: 500_000,
  recipients: 1_000,
  attachments: 500,
  milliseconds: 20_000,
  contents: false,
}
