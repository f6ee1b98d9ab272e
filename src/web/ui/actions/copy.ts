import { notify } from '../../store/index.ts'
import { t } from '../../texts/index.ts'

/**
 * Copies a text to the clipboard and reports it, or reports that the browser refused or has no clipboard on pages
 * without TLS.
 */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    return notify({ text: t.app.notCopied, seconds: 8, actions: [] })
  }
  notify({ text: message, seconds: 3, actions: [] })
}
