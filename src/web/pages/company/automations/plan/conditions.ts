// Conditions built from a field, a comparison and a value. All others stay expressions.

export const comparisons = [
  'is',
  'isNot',
  'contains',
  'isAbove',
  'isBelow',
  'isSet',
  'isNotSet',
  'becomes',
] as const
export type Comparison = (typeof comparisons)[number]

/** A condition in three parts. */
export interface SimpleCondition {
  /** Below `item`: `priority`, `project.title`. */
  field: string
  comparison: Comparison
  /** A text, a number or a boolean; none for `isSet` and `isNotSet`. */
  value?: string | number | boolean | undefined
}

const fieldPattern = '([a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)*)'
const valuePattern = `("(?:[^"\\\\]|\\\\.)*"|'[^'\\\\]*'|-?\\d+(?:\\.\\d+)?|true|false)`

const patterns: readonly (readonly [Comparison, RegExp])[] = [
  ['is', new RegExp(`^item\\.${fieldPattern} == ${valuePattern}$`)],
  ['isNot', new RegExp(`^item\\.${fieldPattern} != ${valuePattern}$`)],
  ['contains', new RegExp(`^item\\.${fieldPattern}\\.contains\\(${valuePattern}\\)$`)],
  ['isAbove', new RegExp(`^item\\.${fieldPattern} > ${valuePattern}$`)],
  ['isBelow', new RegExp(`^item\\.${fieldPattern} < ${valuePattern}$`)],
  ['isSet', new RegExp(`^has\\(item\\.${fieldPattern}\\)$`)],
  ['isNotSet', new RegExp(`^!has\\(item\\.${fieldPattern}\\)$`)],
  [
    'becomes',
    new RegExp(`^has\\(changes\\.${fieldPattern}\\) && changes\\.\\1\\.to == ${valuePattern}$`),
  ],
]

/** The three parts of a simple expression; undefined for all others. */
export function readCondition(expression: string): SimpleCondition | undefined {
  const text = expression.trim()
  for (const [comparison, pattern] of patterns) {
    const [, name, literal] = pattern.exec(text) ?? []
    if (name === undefined) continue
    if (literal === undefined) return { field: name, comparison }
    const literalValue = readLiteral(literal)
    return literalValue === undefined ? undefined : { field: name, comparison, value: literalValue }
  }
  return undefined
}

function readLiteral(literal: string): string | number | boolean | undefined {
  if (literal.startsWith("'")) return literal.slice(1, -1)
  try {
    return JSON.parse(literal) as string | number | boolean
  } catch {
    return undefined // a CEL escape sequence that JSON does not have
  }
}

/** The expression of a condition in three parts. */
export function writeCondition({ field: name, comparison, value = '' }: SimpleCondition) {
  const reference = `item.${name}`
  const literal = JSON.stringify(value)
  const expressions: Record<Comparison, string> = {
    is: `${reference} == ${literal}`,
    isNot: `${reference} != ${literal}`,
    contains: `${reference}.contains(${JSON.stringify(String(value))})`,
    isAbove: `${reference} > ${literal}`,
    isBelow: `${reference} < ${literal}`,
    isSet: `has(${reference})`,
    isNotSet: `!has(${reference})`,
    becomes: `has(changes.${name}) && changes.${name}.to == ${literal}`,
  }
  return expressions[comparison]
}
