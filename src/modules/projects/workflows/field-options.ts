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

const fold = (name: string) => name.trim().toLowerCase()

/** Whether values of this type are chosen among options. */
export function takesOptions(type: string): boolean {
  return type === 'select' || type === 'multi_select'
}

/**
 * The options of a field from their names in order: one that was there keeps its id and color, whatever the case of its
 * name, so that tasks keep their values.
 * @throws Refusal invalid_argument where a name is blank or comes twice, or there is none
 */
export function optionsFrom(
  names: readonly string[],
  before: readonly FieldOption[],
  newId: () => string,
): FieldOption[] {
  if (names.length === 0) throw invalid('options', 'at least one option is required.')
  const folded = names.map(fold)
  const double = folded.findIndex((name, i) => folded.indexOf(name) < i)
  if (double >= 0) throw invalid(`options[${double}]`, `"${names[double]}" is listed twice.`)
  return names.map((name, i) => {
    const old = before.find((fieldOption) => fold(fieldOption.name) === folded[i])
    return {
      id: old?.id ?? newId(),
      name: name.trim(),
      color: old?.color ?? palette[i % palette.length]!,
    }
  })
}
