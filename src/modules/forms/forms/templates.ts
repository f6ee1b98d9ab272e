import { isBlank } from './conditions.ts'

/** Placeholder for an answer in a mapping: {{field_id}}, or {{*}} for all of them. */
const placeholder = /\{\{\s*([a-z][a-z0-9_]{0,39}|\*)\s*\}\}/g
const singlePlaceholder = /^\s*\{\{\s*([a-z][a-z0-9_]{0,39})\s*\}\}\s*$/

/** Fields named in a mapping value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map((match) => match[1]!)
  if (Array.isArray(value)) return value.flatMap(placeholdersIn)
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(placeholdersIn)
    : []
}

/** Access to answers for filling a template: raw, as text, and all together. */
export interface AnswerSource {
  value(name: string): unknown
  text(name: string): string
  all(): string
}

/**
 * A mapping value with the answers filled in. A single placeholder becomes the answer itself (a number stays one), or
 * undefined if there is none.
 */
export function fillTemplate(value: unknown, answers: AnswerSource): unknown {
  if (typeof value === 'string') {
    const fieldName = singlePlaceholder.exec(value)?.[1]
    if (fieldName !== undefined) return answers.value(fieldName)
    return value.replaceAll(placeholder, (_, name: string) =>
      name === '*' ? answers.all() : answers.text(name),
    )
  }
  if (Array.isArray(value))
    return value
      .flatMap((item) => fillTemplate(item, answers) ?? [])
      .filter((item) => !isBlank(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      [[name, fillTemplate(item, answers)] as const].filter(([, filled]) => filled !== undefined),
    ),
  )
}
