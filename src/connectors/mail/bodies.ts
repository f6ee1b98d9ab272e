// The text of a message. Runs in the process of reading.ts.

import { isTooLarge, readMailHtml, stripTags } from './html.ts'
import { divisionMarks } from './html-divisions.ts'
import { divide, isForward } from './quotes.ts'
import type { MailBody, MailLimits } from './shapes.ts'

const snippetLength = 200

/**
 * Reads the body of a message: from its HTML, if any, because that is what people see, and otherwise from its plain
 * text.
 * Text beyond the limit is cut off.
 */
export function readMailBody(
  {
    plain = '',
    html = '',
    subject = '',
  }: { plain?: string | undefined; html?: string | undefined; subject?: string | undefined },
  limits: MailLimits,
): { body: MailBody; snippet: string; warnings: string[] } {
  const warnings: string[] = []
  const converted = html.trim() === '' ? undefined : convertHtml(html, subject, warnings)
  const source =
    converted && converted.marked.replaceAll(/[\s\uE010-\uE013]/g, '') !== ''
      ? cleanText(converted.marked)
      : cleanText(plain.trim() === '' && html !== '' ? stripTags(html) : plain).replaceAll(
          divisionMarks,
          '',
        )
  const truncated = source.length > limits.characters ? cutAt(source, limits.characters) : source
  if (truncated !== source)
    warnings.push(
      `The text has ${source.length} characters, of which the first ${limits.characters} are kept.`,
    )
  const divided = divide(truncated, subject)
  const markdown = truncated
    .replaceAll(divisionMarks, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const safe =
    converted?.safe && converted.safe.length <= 2 * limits.characters
      ? { html: cleanText(converted.safe) }
      : {}
  return { body: { markdown, ...divided, ...safe }, snippet: snippetOf(divided.own), warnings }
}

function convertHtml(
  html: string,
  subject: string,
  warnings: string[],
): { marked: string; safe: string } | undefined {
  try {
    if (!isTooLarge(html))
      return readMailHtml(html.replaceAll(divisionMarks, ''), isForward(subject))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  warnings.push('Its HTML is too long or nested too deeply; its plain text was read.')
  return undefined
}

/**
 * Removes invisible characters: preview padding, direction overrides, and Unicode tags readable only by machines.
 * Joiners stay between letters or pictures.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,8})[\u{E0000}-\u{E007F}]/gu, '')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/g, '')
    .replaceAll(
      /(?:[\u034f\u061c\u115f\u180e\u200b-\u200f\u2060-\u2064\u17b4\u17b5\u3164][ \u00a0\u2000-\u200a\u202f]*){2,}/g,
      ' ',
    )
    .replaceAll(/[\u034f\u200b\u2060-\u2064\u180e]/g, '')
    .replaceAll(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replaceAll(/[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
}

function cutAt(text: string, maxLength: number): string {
  return text.slice(0, (text.charCodeAt(maxLength) & 0xfc00) === 0xdc00 ? maxLength - 1 : maxLength)
}

/** The first words of a text on one line, without Markdown syntax. */
function snippetOf(markdown: string): string {
  const plain = markdown
    .slice(0, 8 * snippetLength)
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/<(https?:[^>\s]*)>/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6} |> ?|[-*+] |\|)/gm, '')
    .replaceAll(/(?<![\w*\\])(\*|_)(?=[^\s*_])([^*_\n]{0,500}[^\s*_])\1(?![\w*])/g, '$2')
    .replaceAll(/\\(?=[^\w\s])|\*\*|__|`+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (plain.length <= snippetLength) return plain
  const cut = cutAt(plain, snippetLength)
  return `${cut.replace(/\s+\S*$/, '')}…`
}
