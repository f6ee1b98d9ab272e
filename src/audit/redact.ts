import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { isBody } from '../core/fields.ts'

const longest = 120
const keyLike = /svc_[0-9A-Za-z]{8,}/

/**
 * Arguments as the call log may keep them: ids, choices, numbers and short texts as they are; bodies, long texts and
 * whatever looks like a key as length and hash; of arguments that no field knows, only the type.
 */
export function redactArguments(shape: z.ZodRawShape, args: unknown): Record<string, unknown> {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return { value: typeName(args) }
  const entries = Object.entries(args).slice(0, 60)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (!field) return [nameKept(name), typeName(value)]
      return [name, redact(value, isBody(field as z.ZodType), 0)]
    }),
  )
}

function redact(value: unknown, all: boolean, depth: number): unknown {
  if (typeof value === 'string') return all || value.length > longest || keyLike.test(value) ? digest(value) : value
  if (Array.isArray(value)) return value.length > 50 || depth > 2 ? `${value.length} values` : value.map(one => redact(one, all, depth + 1))
  if (value !== null && typeof value === 'object') {
    if (depth > 2) return 'object'
    return Object.fromEntries(Object.entries(value).slice(0, 60).map(([name, one]) => [nameKept(name), redact(one, true, depth + 1)]))
  }
  return value
}

/** Names come from the caller too, and a key may have slipped into one. */
function nameKept(name: string): string {
  return name.replace(keyLike, 'svc_…').slice(0, 60)
}

function digest(text: string): { length: number; sha256: string } {
  return { length: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
