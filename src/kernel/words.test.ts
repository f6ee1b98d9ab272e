import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { parseArguments } from '../operations/arguments.ts'
import { Catalogue } from '../operations/catalogue.ts'
import { date, title } from './fields.ts'
import { operation } from '../operations/operation.ts'
import { Refusal } from './refusal.ts'

const sow = operation({
  name: 'sow',
  kind: 'write',
  rest: 'POST /api/seeds',
  about: 'For these tests',
  input: {
    name: title(),
    depth: z.enum(['flat', 'deep']),
    count: z.int().min(1).max(9).optional(),
    on: date().optional(),
    rows: z
      .array(z.strictObject({ length: z.number(), wet: z.boolean().optional() }))
      .max(2)
      .optional(),
  },
  output: z.object({}),
  handle: async () => ({}),
})
const entry = new Catalogue([
  { name: 'garden', about: 'For these tests', operations: [sow] },
]).requireEntry('sow')

/** Error message for arguments that are valid except for these. */
function said(args: Record<string, unknown>): string {
  try {
    parseArguments(entry, { name: 'x', depth: 'flat', ...args })
  } catch (error) {
    if (error instanceof Refusal) return error.body().message
    throw error
  }
  return ''
}

test('an invalid value is explained once per argument', () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ name: undefined }, 'name: is required.'],
    [{ depth: undefined }, 'depth: is required.'],
    [{ name: '' }, 'name: must not be blank.'],
    [{ name: '  ' }, 'name: must not be blank.'],
    [{ name: ['a', 'b'] }, 'name: must be a string.'],
    [{ depth: 'low' }, 'depth: must be one of flat, deep.'],
    [{ count: 'many' }, 'count: must be a number.'],
    [{ count: 1.5 }, 'count: must be a whole number.'],
    [{ count: 0 }, 'count: must be at least 1.'],
    [{ count: 10 }, 'count: must be at most 9.'],
    [
      { on: 'tomorrow' },
      'on: must be a date such as 2026-11-20; get_current_time(phrase) turns words such as "tomorrow" into one.',
    ],
    [{ on: '2026-02-30' }, 'on: is not a calendar date.'],
    [{ name: 'x'.repeat(501) }, 'name: must have at most 500 characters.'],
    [{ rows: [{ length: 1 }, { length: 2 }, { length: 3 }] }, 'rows: must have at most 2 entries.'],
    [
      { rows: ['x', 'y'] },
      'rows.0: must be an object with the fields length, wet; rows.1: must be an object with the fields length, wet.',
    ],
  ]
  for (const [args, message] of cases) assert.equal(said(args), message)
})

test('an unknown argument is reported with the accepted ones', () => {
  assert.equal(
    said({ colour: 'red' }),
    'colour: unknown argument. sow takes name, depth, count, on, rows, idempotency_key.',
  )
  assert.equal(
    said({ rows: [{ length: 1, width: 2 }] }),
    'rows.0.width: unknown argument. rows.0 takes length, wet.',
  )
})
