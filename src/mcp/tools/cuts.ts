import { omitNullish } from '../../kernel/present.ts'
import type { CutInfo } from '../../operations/answer-limits.ts'
import type { CutPart } from '../../operations/answer-cuts.ts'
import { removeInvisible, cleanJson } from '../../kernel/text/invisible.ts'

/** Maximum parts described in text, and as data. */
const maxPartsInText = 8
const maxPartsInMeta = 50

/** Notice about a truncated answer: text for a model, and the same in machine-readable form. */
export interface Announcement {
  text: string
  /** The value of `_meta["workspace/cut"]`. */
  meta: Record<string, unknown>
}

export function announce(cut: CutInfo): Announcement {
  const { maxBytes, fullBytes, items, parts, nextOffset, call } = cut
  const more = Math.max(0, parts.length - maxPartsInMeta)
  const meta = omitNullish({
    largest_bytes: maxBytes,
    whole_bytes: fullBytes,
    items,
    parts: parts.slice(0, maxPartsInMeta),
    more_parts: more > 0 ? more : undefined,
    ...continuationOf(cut),
  })
  const lines = [
    `This answer was cut: it has ${fullBytes} bytes, and the limit over MCP is ${maxBytes}.`,
    ...(items
      ? [
          `The page shows ${items.shown} of its ${items.whole} items; continue with cursor=next_cursor.`,
        ]
      : []),
    ...(parts.length > 0
      ? [
          `Only the beginning is shown of ${parts.slice(0, maxPartsInText).map(partText).join(', ')}${parts.length > maxPartsInText ? `, and of ${parts.length - maxPartsInText} more` : ''}.`,
        ]
      : []),
    ...(nextOffset === undefined ? [] : [`Continue with offset=${nextOffset}.`]),
    ...(call.kind === 'read'
      ? [
          `${narrowingHint(call.narrowedBy)}Over REST, with the same key, the answer is complete: ${call.rest}`,
        ]
      : [
          'The call completed; only its answer was cut. Do not repeat it: get the rest with a read tool.',
        ]),
  ]
  return {
    text: removeInvisible(lines.join('\n')),
    meta: JSON.parse(cleanJson(JSON.stringify(meta))) as Record<string, unknown>,
  }
}

function continuationOf({ items, nextOffset, call }: CutInfo) {
  const offset =
    nextOffset === undefined ? {} : { continue_with: 'next_offset', next_offset: nextOffset }
  return omitNullish({
    continue_with: items ? 'next_cursor' : undefined,
    ...offset,
    ...(call.kind === 'read' ? { narrowed_by: call.narrowedBy, rest: call.rest } : {}),
  })
}

function partText({ path, shown, whole, unit }: CutPart): string {
  return `${path || 'the answer'} (${shown} of ${whole} ${unit})`
}

function narrowingHint(names: readonly string[]): string {
  return names.length === 0 ? '' : `Request less with ${names.join(', ')}. `
}
