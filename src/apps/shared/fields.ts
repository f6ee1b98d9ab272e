/** An object of an answer, of which nothing is known yet. */
export type AnswerFields = Record<string, unknown>

export function textField(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The objects of a list; none where it is no list. */
export function objectsIn(value: unknown): AnswerFields[] {
  if (!Array.isArray(value)) return []
  return value.filter((part): part is AnswerFields => typeof part === 'object' && part !== null)
}

/** The texts of a list; none where it is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : []
}

/** `high` is "High". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `send_email` is "Send email". */
export function readableName(name: string): string {
  return capitalized(name.replaceAll('_', ' '))
}
