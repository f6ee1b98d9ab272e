/** A number as people and spreadsheets write it, or the reason why it is not one. */
export type WrittenNumber = { value: number } | { reason: 'unreadable' | 'ambiguous' }

const spaces = /[ \u00a0\u2007\u2009\u202f]/g
/** Meaning of a comma in a number. */
export type CommaRole = 'decimal' | 'group'

/** Meaning of commas in a column of numbers, if some can only be read in one way, and none in the other. */
export function commaRoleIn(texts: Iterable<string>): CommaRole | undefined {
  const roles = new Set<CommaRole>()
  for (const text of texts) {
    const plain = text.trim()
    if (/^[^,]*,(\d{1,2}|\d{4,})$|^[+-]?0,\d+$|\..*,/.test(plain)) roles.add('decimal')
    else if (/,.*,|,.*\./.test(plain)) roles.add('group')
  }
  return roles.size === 1 ? [...roles][0] : undefined
}

const maxDigits = 15
const maxLength = 64

/**
 * Parses a number with a decimal point or comma, and digit groups separated by commas, points, spaces or apostrophes:
 * `1.234,5`, `1 234`, `1’234.50`, `12,34,567`. A single comma before three digits (`1,234`) is ambiguous unless
 * `comma` is given. A single point is decimal.
 */
export function parseNumber(text: string, comma?: CommaRole): WrittenNumber {
  if (text.length > maxLength) return { reason: 'unreadable' }
  const trimmed = text.replaceAll(/^[\s\u00a0]+|[\s\u00a0]+$/g, '').replace(/^\u2212/, '-')
  const [, sign = '', body = ''] =
    /^([+-]?)(\d[\d.,'’ \u00a0\u2007\u2009\u202f]*)$/.exec(trimmed) ?? []
  const plain = plainNumber(body.replaceAll('’', "'").replaceAll(spaces, ' '), comma)
  if (plain === 'ambiguous') return { reason: plain }
  if (plain === undefined || !hasFewDigits(plain)) return { reason: 'unreadable' }
  const value = Number(`${sign}${plain}`)
  return { value: value === 0 ? 0 : value }
}

/** The digits with a decimal point and without groups. */
function plainNumber(body: string, comma: CommaRole | undefined): string | 'ambiguous' | undefined {
  if (/^[1-9]\d{0,2},\d{3}$/.test(body) && comma !== 'decimal')
    return comma === 'group' ? body.replace(',', '') : 'ambiguous'
  if (/^\d+([.,]\d+)?$/.test(body)) return body.replace(',', '.')
  for (const [groups, decimal] of [
    [',', '.'],
    ['.', ','],
    [' ', '[.,]'],
    ["'", '[.,]'],
  ] as const) {
    const group = groups === '.' ? '\\.' : groups
    const point = decimal === '.' ? '\\.' : decimal
    const whole = `\\d{1,3}(?:${group}\\d{3})+`
    // Groups of two before the last three digits are Indian.
    const indian = groups === ',' ? `|\\d{1,2}(?:,\\d{2})+,\\d{3}` : ''
    const match = new RegExp(`^(${whole}${indian})(?:${point}(\\d+))?$`).exec(body)
    if (match) return `${match[1]?.replaceAll(groups, '')}.${match[2] ?? '0'}`
  }
  return undefined
}

function hasFewDigits(plain: string): boolean {
  return plain.split('.').every((part) => part.length <= maxDigits)
}
