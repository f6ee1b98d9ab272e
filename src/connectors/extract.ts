import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { extractLimits, type ExtractedText, type ExtractLimits } from './extract-shapes.ts'
import type { ReadingTasks } from './reading.ts'

/** A separate process for documents, so that mail does not wait for them. */
const documents = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: extractLimits.milliseconds,
  megabytes: 512,
})

/**
 * Extracts the text of a PDF, Word, Excel, PowerPoint, OpenDocument, HTML, mail or text file in a separate process
 * with limits on time, memory and length. Never throws: an unreadable file has kind none and a warning.
 */
export async function extractText(
  bytes: Uint8Array,
  mime: string,
  name: string,
  limits: Partial<ExtractLimits> = {},
): Promise<ExtractedText> {
  const effectiveLimits = { ...extractLimits, ...limits }
  if (bytes.byteLength > effectiveLimits.bytes)
    return withoutText(
      `The file is larger than ${Math.round(effectiveLimits.bytes / 1024 / 1024)} MB, the limit for reading text.`,
    )
  try {
    return await documents.run(
      'text',
      { bytes, mime, name, limits: effectiveLimits },
      { cpuMs: effectiveLimits.milliseconds },
    )
  } catch (error) {
    if (error instanceof SandboxFailure) return withoutText(error.message)
    throw error
  }
}

function withoutText(why: string): ExtractedText {
  return { text: '', kind: 'none', format: 'text', warnings: [why] }
}
