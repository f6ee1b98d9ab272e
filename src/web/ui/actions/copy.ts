import { notify } from '../../store/index.ts'
import { t } from '../../texts/index.ts'

/** Puts a text on the clipboard and says so; where the browser refuses, or has no clipboard for a page without TLS, says that. */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    return notify({ text: t.app.notCopied, seconds: 8, actions: [] })
  }
  notify({ text: message, seconds: 3, actions: [] })
}
