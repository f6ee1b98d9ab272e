import { omitNullish } from '../kernel/present.ts'
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { isBody, isLoggedByTypeOnly } from '../kernel/fields.ts'

const maxTextLength = 120
const keyPattern = /(svc|wat|wrt|wac|wcs|wsc)_[0-9A-Za-z]{8,}/
const allKeysPattern = new RegExp(keyPattern, 'g')

/**
 * Arguments in the form kept by the call log: ids, choices, numbers and short texts unchanged; bodies, long texts and
 * anything that looks like a key as length and hash; for confidential and unknown fields only the type.
 */
export function redactArguments(shape: z.ZodRawShape, args: unknown): Record<string, unknown> {
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    return { value: typeName(args) }
  const entries = Object.entries(args).slice(0, 60)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (!field) return [redactName(name), typeName(value)]
      if (isLoggedByTypeOnly(field as z.ZodType)) return [name, typeName(value)]
      return [name, redact(value, isBody(field as z.ZodType), 0)]
    }),
  )
}

function redact(value: unknown, hashesEveryText: boolean, depth: number): unknown {
  if (typeof value === 'string')
    return hashesEveryText || value.length > maxTextLength || keyPattern.test(value)
      ? digest(value)
      : value
  if (Array.isArray(value))
    return value.length > 50 || depth > 2
      ? `${value.length} values`
      : value.map((item) => redact(item, hashesEveryText, depth + 1))
  if (value !== null && typeof value === 'object') {
    if (depth > 2) return 'object'
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 60)
        .map(([name, entryValue]) => [redactName(name), redact(entryValue, true, depth + 1)]),
    )
  }
  return value
}

/** Names also come from the caller and may contain a key. */
function redactName(name: string): string {
  return removeKeys(name).slice(0, 60)
}

/** A text sent outside the arguments, with anything that looks like a key removed. */
export function removeKeys(text: string): string {
  return keyPattern.test(text) ? text.replace(allKeysPattern, '$1_…') : text
}

/** A client's name and version, with anything that looks like a key removed. */
export function redactClient(
  client: { name: string; version?: string } | undefined,
): typeof client {
  if (!client) return undefined
  return omitNullish({
    name: removeKeys(client.name),
    version: client.version === undefined ? undefined : removeKeys(client.version),
  })
}

/**
 * Digest of a text; for an address it includes the host: the log should show the destination, but the rest may be
 * secret.
 */
function digest(text: string): { length: number; sha256: string; host?: string } {
  const host = /^https?:\/\/\S{1,2000}$/i.test(text) ? URL.parse(text)?.host : undefined
  return omitNullish({
    length: text.length,
    sha256: createHash('sha256').update(text).digest('hex').slice(0, 16),
    host: host ? redactName(host) : undefined,
  })
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
