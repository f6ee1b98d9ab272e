import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import type { ReadingTasks } from './reading.ts'

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

/** What the receiving servers found: pass, fail, softfail, neutral, none, temperror, permerror; absent where nobody looked. */
export interface Authentication {
  spf?: string
  dkim?: string
  dmarc?: string
}

export interface ParsedAttachment {
  /** Its number among the parts of the message as IMAP counts them: `2`, `1.3`. */
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

const mail = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: mailLimits.milliseconds,
  megabytes: 512,
})

/**
 * Reads a message in a process of its own. It never throws: of a message that cannot be read as a whole the headers are read, and `warnings` say what
 * is missing.
 */
export async function parseMessage(
  bytes: Uint8Array,
  limits: Partial<MailLimits> = {},
): Promise<ParsedMessage> {
  const bounds = { ...mailLimits, ...limits }
  const kept = bytes.byteLength > bounds.bytes ? bytes.subarray(0, bounds.bytes) : bytes
  const parsed = await attempt(kept, bounds).catch((error) => headersAlone(bytes, bounds, error))
  if (kept !== bytes)
    parsed.warnings.unshift(
      `The message is larger than ${Math.round(bounds.bytes / 1024 / 1024)} MB; only its beginning was read.`,
    )
  return parsed
}

function attempt(bytes: Uint8Array, limits: MailLimits): Promise<ParsedMessage> {
  return mail.run('message', { bytes, limits }, { cpuMs: limits.milliseconds })
}

const mostOfHeaders = 200_000

async function headersAlone(
  bytes: Uint8Array,
  limits: MailLimits,
  error: unknown,
): Promise<ParsedMessage> {
  if (!(error instanceof SandboxFailure)) throw error
  const why = `Only the headers of the message could be read. ${error.message}`
  try {
    const parsed = await mail.run(
      'headers',
      { bytes: bytes.subarray(0, mostOfHeaders), limits },
      { cpuMs: limits.milliseconds },
    )
    return { ...parsed, warnings: [why, ...parsed.warnings] }
  } catch (again) {
    if (!(again instanceof SandboxFailure)) throw again
    return { ...emptyMessage, warnings: [`The message could not be read. ${error.message}`] }
  }
}

/** Reads the headers of a message alone; undefined where they cannot be read within the limits. */
export async function parseHeaders(
  bytes: Uint8Array,
  limits: Partial<MailLimits> = {},
): Promise<ParsedMessage | undefined> {
  const bounds = { ...mailLimits, ...limits }
  try {
    return await mail.run(
      'headers',
      { bytes: bytes.subarray(0, mostOfHeaders), limits: bounds },
      { cpuMs: bounds.milliseconds },
    )
  } catch (error) {
    if (error instanceof SandboxFailure) return undefined
    throw error
  }
}

/** What is known of a message before anything of it was read. */
const emptyMessage: ParsedMessage = {
  headers: [],
  subject: '',
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  references: [],
  listUnsubscribe: [],
  listUnsubscribeOneClick: false,
  automatic: false,
  authentication: {},
  body: { markdown: '', own: '', quoted: '', signature: '' },
  snippet: '',
  attachments: [],
  reports: [],
  warnings: [],
}

/**
 * Reads the text of a message of which the parts are known already, as they come for a large message part by part, decoded.
 * `subject` tells forwarded messages from answers.
 */
export async function readBody(
  parts: { plain?: string; html?: string; subject?: string },
  limits: Partial<MailLimits> = {},
): Promise<{ body: MailBody; snippet: string; warnings: string[] }> {
  const bounds = { ...mailLimits, ...limits }
  try {
    return await mail.run('body', { ...parts, limits: bounds }, { cpuMs: bounds.milliseconds })
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    const text = (parts.plain ?? '').slice(0, bounds.characters)
    return {
      body: { markdown: text, own: text, quoted: '', signature: '' },
      snippet: text.replaceAll(/\s+/g, ' ').trim().slice(0, 200),
      warnings: [error.message],
    }
  }
}

/** The content of one attachment of a message, by the number of its part; nothing where there is none of that number. */
export async function attachmentOf(
  bytes: Uint8Array,
  part: string,
): Promise<{ content: Uint8Array; name: string; mime: string } | undefined> {
  return mail.run('part', { bytes, part }, { cpuMs: 60_000 })
}
