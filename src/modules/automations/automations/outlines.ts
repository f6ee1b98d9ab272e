import { createHash } from 'node:crypto'
import { isKnownId } from './known-ids.ts'

// Excerpts of action parameters and answers for the run history: enough to see what happened, without bodies.

const maxTextLength = 120
const maxEntries = 40
const apiKeyPattern = /svc_[0-9A-Za-z]{8,}/

/** A value with long texts and anything like a key replaced by length and hash, and long lists by their length. */
export function valueOutline(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > maxTextLength || apiKeyPattern.test(value) ? digest(value) : value
  if (Array.isArray(value))
    return depth > 3 || value.length > maxEntries
      ? `${value.length} values`
      : value.map((item) => valueOutline(item, depth + 1))
  if (value === null || typeof value !== 'object') return value
  if (depth > 3) return 'object'
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxEntries)
      .map(([name, item]) => [
        name.replace(apiKeyPattern, 'svc_…').slice(0, 60),
        valueOutline(item, depth + 1),
      ]),
  )
}

function digest(text: string): { length: number; sha256: string } {
  return {
    length: text.length,
    sha256: createHash('sha256').update(text).digest('hex').slice(0, 16),
  }
}

/** Ids of items in a value, up to a maximum: readers without access to one of them are not shown the value. */
export function knownIdsIn(value: unknown, maxIds = 100, ids = new Set<string>()): Set<string> {
  if (ids.size >= maxIds) return ids
  if (typeof value === 'string' && isKnownId(value)) ids.add(value)
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) knownIdsIn(item, maxIds, ids)
  return ids
}

/** An answer in the form available to later steps: complete, or if too large, only its identifying fields. */
export function storableValue(value: unknown, maxBytes: number): unknown {
  if (value === undefined) return null
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return value
  const short =
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).filter(
          ([, item]) => item === null || (typeof item !== 'object' && String(item).length <= 500),
        )
      : []
  return { ...Object.fromEntries(short.slice(0, 100)), too_large: true }
}
