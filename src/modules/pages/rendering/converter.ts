import { Refusal } from '../../../kernel/refusal.ts'
import type { ToMarkdown } from '../transfers/import-plan.ts'
import { isNestedDeeply } from '../pages/nesting.ts'

/** Maximum characters of one HTML document. */
const maxLength = 1_000_000
/** Maximum characters of all HTML in one import. */
const maxTogether = 5_000_000

/**
 * A converter for one import, with limits. It throws Refusal too_large, and RangeError if a document is nested too
 * deeply.
 */
export function boundedConverter(toMarkdown: ToMarkdown): ToMarkdown {
  let together = 0
  return (html) => {
    if (html.length > maxLength)
      throw new Refusal(
        'too_large',
        `The HTML has more than ${maxLength} characters.`,
        'Split it, or convert it to Markdown first.',
      )
    together += html.length
    if (together > maxTogether)
      throw new Refusal(
        'too_large',
        `The HTML has more than ${maxTogether} characters, the limit for one import.`,
        'Import it in parts, or convert it to Markdown first.',
      )
    if (isNestedDeeply(html)) throw new RangeError('It is nested too deeply.')
    return toMarkdown(html)
  }
}
