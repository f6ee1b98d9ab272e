import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { extractLimits, type ExtractedText, type ExtractLimits } from './extract-shapes.ts'
import type { ReadingTasks } from './reading.ts'

/** Documents do not keep mail waiting: they have a process to themselves. */
const documents = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: extractLimits.milliseconds,
  megabytes: 512,
})

/**
 * The text of a PDF, Word, Excel, PowerPoint, OpenDocument, HTML, mail or text file, read in a process of its own within bounds of time, memory and
 * length. It never throws: what cannot be read has kind none and a warning.
 */
export async function extractText(
  bytes: Uint8Array,
  mime: string,
  name: string,
  limits: Partial<ExtractLimits> = {},
): Promise<ExtractedText> {
  const bounds = { ...extractLimits, ...limits }
  if (bytes.byteLength > bounds.bytes)
    return none(
      `The file is larger than ${Math.round(bounds.bytes / 1024 / 1024)} MB, the limit for reading text.`,
    )
  try {
    return await documents.run(
      'text',
      { bytes, mime, name, limits: bounds },
      { cpuMs: bounds.milliseconds },
    )
  } catch (error) {
    if (error instanceof SandboxFailure) return none(error.message)
    throw error
  }
}

function none(why: string): ExtractedText {
  return { text: '', kind: 'none', format: 'text', warnings: [why] }
}
