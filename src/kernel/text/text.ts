import { Refusal } from '../refusal.ts'

const maxDepth = 32

/** Refuses texts that the database cannot store: NUL and lone surrogates, in values and names, at any depth. */
export function assertStorableText(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') return checkText(value, path)
  if (value === null || typeof value !== 'object') return
  if (depth > maxDepth)
    throw new Refusal(
      'invalid_argument',
      `${path.slice(0, 80)}: nested deeper than ${maxDepth} levels.`,
    )
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) checkName(name, path)
    assertStorableText(child, path ? `${path}.${name}` : name, depth + 1)
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw textRefusal(path, 'contains a NUL character')
  if (!text.isWellFormed())
    throw textRefusal(path, 'contains half of a surrogate pair, which is not a character')
}

function checkName(name: string, path: string): void {
  if (name === '__proto__')
    throw textRefusal(path, 'has a property called __proto__, which is not accepted')
  checkText(name, path)
}

function textRefusal(path: string, why: string): Refusal {
  const field = path.slice(0, 80)
  return new Refusal(
    'invalid_argument',
    `${field || 'The input'} ${why}.`,
    field ? { field, errors: [{ path: field, message: why }] } : {},
  )
}

/** Whether a text is pure ASCII. */
export function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text)
}
