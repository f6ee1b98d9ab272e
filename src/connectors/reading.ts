// Entry point of the separate process (src/sandbox) that reads untrusted messages and documents: some take seconds, and
// the libraries need memory that other processes can do without.

import { serveTasks } from '../sandbox/reader-server.ts'
import type { ExtractedText, ExtractLimits } from './extract-shapes.ts'
import type { DavRow, RawAnswer, ParsedAnswer } from './dav-answers.ts'
import { extractText } from './extraction.ts'
import { readMailBody } from './mail/bodies.ts'
import { parseMailHeaders, parseMessage, attachmentAt } from './mail/messages.ts'
import type { MailBody, MailLimits, ParsedMessage } from './mail/shapes.ts'

interface Message {
  bytes: Uint8Array
  limits: MailLimits
}

const tasks = {
  message: async ({ bytes, limits }: Message): Promise<ParsedMessage> =>
    parseMessage(bytes, limits),
  headers: async ({ bytes, limits }: Message): Promise<ParsedMessage> =>
    parseMailHeaders(bytes, limits),
  body: (parts: {
    plain?: string
    html?: string
    subject?: string
    limits: MailLimits
  }): { body: MailBody; snippet: string; warnings: string[] } => readMailBody(parts, parts.limits),
  part: async ({
    bytes,
    part,
  }: {
    bytes: Uint8Array
    part: string
  }): Promise<{ content: Uint8Array; name: string; mime: string } | undefined> =>
    attachmentAt(bytes, part),
  text: ({
    bytes,
    mime,
    name,
    limits,
  }: {
    bytes: Uint8Array
    mime: string
    name: string
    limits: ExtractLimits
  }): Promise<ExtractedText> => extractText(bytes, mime, name, limits),
  /** The rows of an answer of a CalDAV server. */
  dav: async function* (answer: RawAnswer): AsyncGenerator<DavRow[], ParsedAnswer> {
    const { rowsOfAnswer } = await import('./dav-answers.ts')
    return yield* rowsOfAnswer(answer)
  },
}

export type ReadingTasks = typeof tasks

serveTasks(tasks)
