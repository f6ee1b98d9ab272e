import { Refusal } from '../../../kernel/refusal.ts'
import type { ToMarkdown } from '../transfers/import-plan.ts'
import { isNestedDeeply } from '../pages/nesting.ts'

/** Maximum characters of one HTML document. */
const maxDocumentChars = 1_000_000
/** Maximum characters of all HTML in one import. */
const maxTotalChars = 5_000_000

/**
 * A converter for one import, with limits. It throws Refusal too_large, and RangeError if a document is nested too
 * deeply.
 */
export function boundedConverter(toMarkdown: ToMarkdown): ToMarkdown {
  let totalChars = 0
  return (html) => {
    if (html.length > maxDocumentChars)
      throw new Refusal(
        'too_large',
        `The HTML has more than ${maxDocumentChars} characters.`,
        'Split it, or convert it to Markdown first.',
      )
    totalChars += html.length
    if (totalChars > maxTotalChars)
      throw new Refusal(
        'too_large',
        `The HTML has more than ${maxTotalChars} characters, the limit for one import.`,
        'Import it in parts, or convert it to Markdown first.',
      )
    if (isNestedDeeply(html)) throw new RangeError('It is nested too deeply.')
    return toMarkdown(html)
  }
}
