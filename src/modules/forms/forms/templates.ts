import { isBlank } from './conditions.ts'

/** Placeholder for an answer in a mapping: {{field_id}}, or {{*}} for all of them. */
const placeholder = /\{\{\s*([a-z][a-z0-9_]{0,39}|\*)\s*\}\}/g
const alone = /^\s*\{\{\s*([a-z][a-z0-9_]{0,39})\s*\}\}\s*$/

/** Fields named in a mapping value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map((match) => match[1]!)
  if (Array.isArray(value)) return value.flatMap(placeholdersIn)
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(placeholdersIn)
    : []
}

/** Access to answers for filling a template: raw, as text, and all together. */
export interface Filling {
  value(name: string): unknown
  text(name: string): string
  all(): string
}

/**
 * A mapping value with the answers filled in. A single placeholder becomes the answer itself (a number stays one), or
 * undefined if there is none.
 */
export function fillTemplate(value: unknown, by: Filling): unknown {
  if (typeof value === 'string') {
    const only = alone.exec(value)?.[1]
    if (only !== undefined) return by.value(only)
    return value.replaceAll(placeholder, (_, name: string) =>
      name === '*' ? by.all() : by.text(name),
    )
  }
  if (Array.isArray(value))
    return value.flatMap((item) => fillTemplate(item, by) ?? []).filter((item) => !isBlank(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      [[name, fillTemplate(one, by)] as const].filter(([, made]) => made !== undefined),
    ),
  )
}
