import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Entry } from './entry.ts'
import { asOneLine, isName } from '../kernel/fields.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { emptyList } from './filters.ts'
import { invalidInput } from './invalid-input.ts'
import type { JsonSchema } from './schemas.ts'
import { assertStorableText } from '../kernel/text/text.ts'
import { issueText } from '../kernel/words.ts'

/**
 * The arguments of a call, corrected and parsed.
 * @throws Refusal invalid_argument that names each wrong argument and, for unknown arguments, the accepted ones
 */
export function parseArguments(entry: Entry, input: unknown): Record<string, unknown> {
  const args = input ?? {}
  if (typeof args !== 'object' || Array.isArray(args))
    throw new Refusal('invalid_argument', 'The arguments must be an object.')
  assertStorableText(args)
  const parsed = entry.schemas.input.safeParse(entry.coerce(args as Record<string, unknown>), {
    error: issueText,
  })
  if (!parsed.success)
    throw invalidInput(parsed.error.issues, {
      detail: (issue) => objectFieldsDetail(entry, issue) || blankDetail(entry, args, issue),
      hintForUnknown: (path, keys) =>
        (path.length === 0 ? otherOperationHint(entry, keys) : undefined) ??
        acceptedNamesHint(entry, path),
    })
  checkFields(entry, parsed.data.fields)
  if (entry.operation.kind === 'read') refuseEmptyLists(parsed.data)
  return parsed.data
}

/** List arguments that extend an answer or invitation instead of selecting items, so that they may be empty. */
const additiveLists: ReadonlySet<string> = new Set([
  'actions',
  'attendees',
  'fields',
  'include',
  'optional_attendees',
])

/** Any other empty list in a query matches nothing; treating it as absent would match everything. @throws Refusal */
function refuseEmptyLists(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args))
    if (Array.isArray(value) && value.length === 0 && !additiveLists.has(name))
      throw emptyList(name)
}

/** `fields` may name only fields of this list's items. */
function checkFields(entry: Entry, fields: unknown): void {
  const fieldNames = entry.schemas.itemFields
  if (!Array.isArray(fields) || !fieldNames) return
  const unknown = (fields as string[]).filter((name) => name !== '*' && !fieldNames.includes(name))
  if (unknown.length > 0)
    throw invalid(
      'fields',
      `${unknown.slice(0, 5).join(', ')} is not a field of these items.`,
      `Known fields: ${fieldNames.join(', ')}; * is all of them.`,
    )
}

/** Names the operation to which an unknown argument belongs. */
function otherOperationHint({ operation }: Entry, keys: readonly string[]): string | undefined {
  const hints = keys.flatMap((key) =>
    Object.hasOwn(operation.argumentHints ?? {}, key)
      ? [`${key} is for ${operation.argumentHints![key]}`]
      : [],
  )
  return hints.length > 0 ? `${hints.join(', ')}.` : undefined
}

/** Names what is accepted in place of an unknown argument: at the top level, or inside an argument. */
function acceptedNamesHint(entry: Entry, path: readonly PropertyKey[]): string | undefined {
  if (path.length === 0)
    return `${entry.operation.name} takes ${entry.schemas.names.join(', ') || 'no arguments'}.`
  const names = fieldsAt(entry, path)
  return names.length === 0 ? undefined : `${path.join('.')} takes ${names.join(', ')}.`
}

/** The fields of an object at a path in the arguments; empty if its fields are not fixed. */
function fieldsAt(entry: Entry, path: readonly PropertyKey[]): string[] {
  const schemaAtPath = path.reduce<JsonSchema | undefined>((schema, part) => {
    const branches = [schema, ...((schema?.anyOf ?? []) as JsonSchema[])]
    if (typeof part === 'number')
      return branches.find((branch) => branch?.items)?.items as JsonSchema | undefined
    return branches
      .map(
        (branch) => (branch?.properties as Record<string, JsonSchema> | undefined)?.[String(part)],
      )
      .find((item) => item !== undefined)
  }, entry.schemas.inputJson)
  const objects = [schemaAtPath, ...((schemaAtPath?.anyOf ?? []) as JsonSchema[])]
  return Object.keys(
    (objects.find((object) => object?.properties)?.properties as JsonSchema | undefined) ?? {},
  )
}

/** Names the fields of an object that was expected in place of another type. */
function objectFieldsDetail(entry: Entry, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return ''
  const names = fieldsAt(entry, issue.path)
  return names.length === 0 ? '' : ` with the fields ${names.join(', ')}`
}

/** For an empty string: what to send instead. */
function blankDetail(entry: Entry, args: object, { path }: z.core.$ZodIssue): string {
  const value = path.reduce<unknown>(
    (parent, part) => (parent as Record<PropertyKey, unknown> | undefined)?.[part],
    args,
  )
  if (value !== '') return ''
  const [name] = path
  const { properties, required } = entry.schemas.inputJson
  if (path.length > 1 || ((required ?? []) as unknown[]).includes(name)) return ''
  const schema = ((properties ?? {}) as Record<PropertyKey, JsonSchema>)[name ?? '']
  const options = (schema?.anyOf as JsonSchema[] | undefined) ?? []
  return options.some((option) => option.type === 'null')
    ? '; null clears it'
    : '; leave it out if there is no value'
}

/** Checks expected_revision against the row that the operation names. */
export function checkRevision(
  entry: Entry,
  args: Record<string, unknown>,
  rowsByName: Record<string, unknown>,
): void {
  const { revision } = entry.operation
  const expected = args.expected_revision
  if (!revision || expected === undefined) return
  const row = rowsByName[revision] as { revision: number }
  if (row.revision === expected) return
  throw new Refusal(
    'conflict',
    `It changed meanwhile (revision ${row.revision}, you sent ${String(expected)}).`,
    {
      field: 'expected_revision',
      hint: 'Read it again, then retry.',
      context: { current_revision: row.revision },
    },
  )
}

/**
 * Applies `fields` of a list; id always stays. A timestamp keeps its local date or time with it: in UTC alone it may
 * look like another day.
 */
export function pickFields(value: unknown, fields: string[] | undefined): unknown {
  if (!fields || fields.length === 0 || fields.includes('*')) return value
  const page = value as { items: Record<string, unknown>[] }
  const localFields = fields
    .filter((name) => name.endsWith('_at'))
    .flatMap((name) => [name.replace(/at$/, 'on'), name.replace(/at$/, 'local')])
  const keep = new Set(['id', ...fields, ...localFields])
  return {
    ...page,
    items: page.items.map((item) =>
      Object.fromEntries(
        Object.entries(item).filter(
          ([name, value]) => keep.has(name) || (name === 'trust' && value === 'external'),
        ),
      ),
    ),
  }
}

/** Hash of the arguments, by which two requests with the same idempotency key are compared. */
export function argumentsHash(args: Record<string, unknown>): string {
  return createHash('sha256').update(canonicalJson(args)).digest('hex')
}

/** JSON with sorted object keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

/**
 * Arguments that the system fills in with text from other people, in automations and forms: names are collapsed to one
 * line instead of being refused.
 */
export function withOneLineNames(entry: Entry, input: unknown): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const { shape } = entry.schemas.input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' && Object.hasOwn(shape, name) && isName(shape[name] as z.ZodType)
        ? asOneLine(value)
        : value,
    ]),
  )
}
