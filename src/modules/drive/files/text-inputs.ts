import { invalid } from '../../../kernel/refusal.ts'

/** Maximum number of characters of text in a call; the request itself is limited to 1 MiB. */
export const maxTextLength = 1_000_000

/** The bytes sent with a call, as text or base64; undefined if there are none. @throws Refusal */
export function bytesFromInput({
  content_text,
  content_base64,
}: {
  content_text?: string | undefined
  content_base64?: string | undefined
}): Buffer | undefined {
  if (content_text !== undefined && content_base64 !== undefined)
    throw invalid(
      'content_base64',
      'content_text and content_base64 cannot be combined.',
      'Send one or the other.',
    )
  if (content_text !== undefined) return Buffer.from(content_text.toWellFormed(), 'utf8')
  if (content_base64 === undefined) return undefined
  const bytes = Buffer.from(content_base64, 'base64')
  if (bytes.toString('base64') !== content_base64)
    throw invalid(
      'content_base64',
      'is not valid base64 (RFC 4648 §4, with padding, without line breaks).',
    )
  return bytes
}
