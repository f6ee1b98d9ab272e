import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import type { ReadingTasks } from './reading.ts'
import { mailLimits, type MailBody, type ParsedMessage, type MailLimits } from './mail/shapes.ts'

const mailSandbox = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: mailLimits.milliseconds,
  megabytes: 512,
})

/**
 * Parses a message in a separate process. Never throws: if a message cannot be parsed as a whole, only its headers
 * are, and `warnings` say what is missing.
 */
export async function parseMessage(
  bytes: Uint8Array,
  limits: Partial<MailLimits> = {},
): Promise<ParsedMessage> {
  const bounds = { ...mailLimits, ...limits }
  const readBytes = bytes.byteLength > bounds.bytes ? bytes.subarray(0, bounds.bytes) : bytes
  const parsed = await parseWhole(readBytes, bounds).catch((error) =>
    parseHeadersOnly(bytes, bounds, error),
  )
  if (readBytes !== bytes)
    parsed.warnings.unshift(
      `The message is larger than ${Math.round(bounds.bytes / 1024 / 1024)} MB; only its beginning was read.`,
    )
  return parsed
}

function parseWhole(bytes: Uint8Array, limits: MailLimits): Promise<ParsedMessage> {
  return mailSandbox.run('message', { bytes, limits }, { cpuMs: limits.milliseconds })
}

const maxHeaderBytes = 200_000

async function parseHeadersOnly(
  bytes: Uint8Array,
  limits: MailLimits,
  error: unknown,
): Promise<ParsedMessage> {
  if (!(error instanceof SandboxFailure)) throw error
  const why = `Only the headers of the message could be read. ${error.message}`
  try {
    const parsed = await mailSandbox.run(
      'headers',
      { bytes: bytes.subarray(0, maxHeaderBytes), limits },
      { cpuMs: limits.milliseconds },
    )
    return { ...parsed, warnings: [why, ...parsed.warnings] }
  } catch (headersError) {
    if (!(headersError instanceof SandboxFailure)) throw headersError
    return { ...emptyMessage, warnings: [`The message could not be read. ${error.message}`] }
  }
}

/** Parses only the headers of a message; undefined if that exceeds the limits. */
export async function parseHeaders(
  bytes: Uint8Array,
  limits: Partial<MailLimits> = {},
): Promise<ParsedMessage | undefined> {
  const bounds = { ...mailLimits, ...limits }
  try {
    return await mailSandbox.run(
      'headers',
      { bytes: bytes.subarray(0, maxHeaderBytes), limits: bounds },
      { cpuMs: bounds.milliseconds },
    )
  } catch (error) {
    if (error instanceof SandboxFailure) return undefined
    throw error
  }
}

/** Result for a message of which nothing has been read yet. */
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
 * Reads the text of a message from parts already fetched and decoded, as with a large message.
 * `subject` distinguishes forwarded messages from replies.
 */
export async function readBody(
  parts: { plain?: string; html?: string; subject?: string },
  limits: Partial<MailLimits> = {},
): Promise<{ body: MailBody; snippet: string; warnings: string[] }> {
  const bounds = { ...mailLimits, ...limits }
  try {
    return await mailSandbox.run(
      'body',
      { ...parts, limits: bounds },
      { cpuMs: bounds.milliseconds },
    )
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

/** The content of one attachment by part number; undefined if there is no such part. */
export async function attachmentOf(
  bytes: Uint8Array,
  part: string,
): Promise<{ content: Uint8Array; name: string; mime: string } | undefined> {
  return mailSandbox.run('part', { bytes, part }, { cpuMs: 60_000 })
}
