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

/** `high` is "High", `send_email` is "Send email". */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}
