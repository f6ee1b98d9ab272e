// The thread that reads messages and documents of strangers (reading-thread.ts): it takes seconds for some, and memory for what it
// stands on, which no process needs that never reads any.

import { parentPort } from 'node:worker_threads'
import type { DAVResponse } from 'tsdav'
import { davRowsOf } from './caldav-rows.ts'
import type { ExtractedText, ExtractLimits } from './extract.ts'
import { textOf } from './extraction.ts'
import { readMailBody } from './mail-bodies.ts'
import { headersOf, messageOf, partOf } from './mail-messages.ts'
import type { MailBody, MailLimits, ParsedMessage } from './mail-parser.ts'

/** What is asked of the thread, by what it makes of it. */
export interface Questions {
  message: { bytes: Uint8Array; limits: MailLimits }
  headers: { bytes: Uint8Array; limits: MailLimits }
  body: { plain?: string; html?: string; subject?: string; limits: MailLimits }
  part: { bytes: Uint8Array; part: string }
  text: { bytes: Uint8Array; mime: string; name: string; limits: ExtractLimits }
  dav: { bytes: Uint8Array }
}

export interface Made {
  message: ParsedMessage
  headers: ParsedMessage
  body: { body: MailBody; snippet: string; warnings: string[] }
  part: { content: Uint8Array; name: string; mime: string } | undefined
  text: ExtractedText
  dav: DAVResponse[]
}

export type Asked = { [K in keyof Questions]: Questions[K] & { id: number; do: K } }[keyof Questions]

/** What it answers to the question of the same id. */
export type Answer = { id: number; made: Made[keyof Made]; failed?: undefined } | { id: number; failed: string }

function madeOf(asked: Asked): Made[keyof Made] | Promise<Made[keyof Made]> {
  switch (asked.do) {
    case 'message':
      return messageOf(asked.bytes, asked.limits)
    case 'headers':
      return headersOf(asked.bytes, asked.limits)
    case 'body':
      return readMailBody(asked, asked.limits)
    case 'part':
      return partOf(asked.bytes, asked.part)
    case 'text':
      return textOf(asked.bytes, asked.mime, asked.name, asked.limits)
    case 'dav':
      return davRowsOf(asked.bytes)
  }
}

async function answerTo(asked: Asked): Promise<Answer> {
  try {
    return { id: asked.id, made: await madeOf(asked) }
  } catch (error) {
    return { id: asked.id, failed: error instanceof RangeError ? 'It is nested too deeply.' : error instanceof Error ? error.message : String(error) }
  }
}

// Readers write what they find odd in a file to the console. That is nothing for the log of the server.
if (parentPort) for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {}

parentPort?.on('message', (asked: Asked) => void answerTo(asked).then(answer => parentPort!.postMessage(answer)))
