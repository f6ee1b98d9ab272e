/** An object of an answer, not yet validated. */
export type AnswerFields = Record<string, unknown>

export function textField(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The objects in a list; empty if the value is not a list. */
export function objectsIn(value: unknown): AnswerFields[] {
  if (!Array.isArray(value)) return []
  return value.filter((part): part is AnswerFields => typeof part === 'object' && part !== null)
}

/** The strings in a list; empty if the value is not a list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : []
}

/** Turns `high` into "High". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Turns `send_email` into "Send email". */
export function readableName(name: string): string {
  return capitalized(name.replaceAll('_', ' '))
}
