import type { z } from 'zod'

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** Describes to its sender what is wrong with a value; a message in the schema takes precedence. */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && /^invalid_(type|value|union)$/.test(issue.code))
    return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'at least')
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'at most')
    default:
      return undefined
  }
}

function bound(
  origin: Issue['origin'],
  limit: number | bigint,
  way: 'at least' | 'at most',
): string | undefined {
  if (origin === 'string' && way === 'at least' && limit === 1) return 'must not be blank'
  if (origin === 'string') return `must have ${way} ${limit} characters`
  if (origin === 'array') return `must have ${way} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return origin === 'number' || origin === 'int' ? `must be ${way} ${limit}` : undefined
}
