import { invalid } from '../../../kernel/refusal.ts'

export interface FieldOption {
  id: string
  name: string
  color: string
}

const palette = [
  '#3b82f6',
  '#22c55e',
  '#f59e0b',
  '#ef4444',
  '#8b5cf6',
  '#14b8a6',
  '#ec4899',
  '#84cc16',
  '#f97316',
  '#64748b',
]

const normalize = (name: string) => name.trim().toLowerCase()

/** Whether values of this type are chosen from options. */
export function takesOptions(type: string): boolean {
  return type === 'select' || type === 'multi_select'
}

/**
 * A field's options from their names, in order: an existing one keeps its id and color, ignoring case, so that tasks
 * keep their values.
 * @throws Refusal invalid_argument for a blank or duplicate name, or none at all
 */
export function optionsFrom(
  names: readonly string[],
  before: readonly FieldOption[],
  newId: () => string,
): FieldOption[] {
  if (names.length === 0) throw invalid('options', 'at least one option is required.')
  const folded = names.map(normalize)
  const duplicateIndex = folded.findIndex((name, i) => folded.indexOf(name) < i)
  if (duplicateIndex >= 0)
    throw invalid(`options[${duplicateIndex}]`, `"${names[duplicateIndex]}" is listed twice.`)
  return names.map((name, i) => {
    const existing = before.find((fieldOption) => normalize(fieldOption.name) === folded[i])
    return {
      id: existing?.id ?? newId(),
      name: name.trim(),
      color: existing?.color ?? palette[i % palette.length]!,
    }
  })
}
