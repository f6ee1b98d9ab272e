// Assembles the arguments of an operation from a REST request. Values stay as they were sent: the core corrects and
// validates them. Only errors specific to HTTP are refused here.

import type { Entry } from '../../operations/entry.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import {
  idempotencyKey as idempotencyKeySchema,
  type JsonSchema,
} from '../../operations/schemas.ts'
import { readJson } from '../transport/body.ts'
import type { Incoming } from '../transport/request-info.ts'

const maxQueryFields = 50

type Arguments = Record<string, unknown>

/** Reads the arguments of a route's operation: ids from the path, the others from the query (GET, DELETE) or the JSON body. */
export async function readArguments(
  entry: Entry,
  lists: ReadonlySet<string>,
  incoming: Incoming,
): Promise<Arguments> {
  const ids = pathIds(entry, incoming)
  const sent = takesQuery(entry) ? readQuery(incoming, lists) : await readBody(incoming)
  for (const [name, id] of Object.entries(ids)) {
    if (name in sent && sent[name] !== id)
      throw invalid(name, 'the path has another value.', 'Send it in the path only.')
  }
  const expected = expectedRevision(entry, incoming)
  if (expected === undefined) return { ...sent, ...ids }
  if ('expected_revision' in sent && Number(sent.expected_revision) !== expected)
    throw invalid('expected_revision', 'If-Match names another revision.', 'Send one of them.')
  return { ...sent, ...ids, expected_revision: expected }
}

/** True if the arguments outside the path are in the query. */
export function takesQuery(entry: Entry): boolean {
  return entry.method === 'GET' || entry.method === 'DELETE'
}

/** Names of the arguments that are lists. */
export function listArguments(entry: Entry): Set<string> {
  const properties = Object.entries(
    (entry.schemas.inputJson.properties ?? {}) as Record<string, JsonSchema>,
  )
  return new Set(properties.filter(([, schema]) => isList(schema)).map(([name]) => name))
}

function isList(schema: JsonSchema): boolean {
  return (
    schema.type === 'array' || ((schema.anyOf as JsonSchema[] | undefined)?.some(isList) ?? false)
  )
}

/** Routes that differ only in variable names share one, so these are numbered: `p0`, `p1`. */
function pathIds(entry: Entry, incoming: Incoming): Record<string, string> {
  return Object.fromEntries(
    entry.schemas.path.map((name, i) => [name, decode(incoming.params[`p${i}`]!, name)]),
  )
}

function decode(text: string, field: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(field, 'the URL has an invalid percent-encoded character.')
  }
}

/** The fields of a query; all values for those in `lists`. */
export function readQuery(incoming: Incoming, lists: ReadonlySet<string>): Arguments {
  if (incoming.hasBody)
    throw new Refusal(
      'invalid_argument',
      `A ${incoming.method} request takes no body.`,
      'Send its arguments in the query.',
    )
  const query = incoming.url.search.slice(1)
  if (query === '') return {}
  const fields = query.split('&')
  if (fields.length > maxQueryFields)
    throw new Refusal('invalid_argument', `The query has more than ${maxQueryFields} fields.`)
  const values = new Map<string, string[]>()
  for (const field of fields) if (field !== '') addField(values, field)
  return Object.fromEntries(
    [...values].map(([name, fieldValues]) => [
      name,
      queryValue(name, fieldValues, lists.has(name)),
    ]),
  )
}

function addField(values: Map<string, string[]>, field: string): void {
  const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(field)!
  const name = decode(rawName.replaceAll('+', ' '), 'The query')
  const value = decode(rawValue.replaceAll('+', ' '), name.slice(0, 80))
  if (name === '__proto__')
    throw new Refusal(
      'invalid_argument',
      'The query has a field called __proto__, which is not accepted.',
    )
  values.set(name, [...(values.get(name) ?? []), value])
}

/** A list comes as repeated fields, comma-separated, or as JSON; coercion handles the last. */
function queryValue(name: string, values: string[], isList: boolean): unknown {
  if (values.length > 1) {
    if (isList) return values
    throw invalid(name.slice(0, 80), `the query contains it ${values.length} times.`)
  }
  const single = values[0]!
  return isList && single !== '' && !single.startsWith('[') ? single.split(',') : single
}

async function readBody(incoming: Incoming): Promise<Arguments> {
  if (incoming.url.search.length > 1)
    throw new Refusal(
      'invalid_argument',
      `A ${incoming.method} request takes no query.`,
      'Send its arguments in a JSON body.',
    )
  const body = (await readJson(incoming)) ?? {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Refusal('invalid_argument', 'The body must be a JSON object.')
  return body as Arguments
}

/** The key of an Idempotency-Key header. */
export function idempotencyKey(incoming: Incoming): string | undefined {
  const key = incoming.header('idempotency-key')
  if (key === undefined) return undefined
  if (idempotencyKeySchema().safeParse(key).success) return key
  throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters.')
}

/** The revision of an If-Match header. `*` only asks that the item exists, which is required anyway. */
function expectedRevision(entry: Entry, incoming: Incoming): number | undefined {
  const tag = incoming.header('if-match')
  if (tag === undefined || tag === '*' || entry.operation.kind === 'read') return undefined
  if (!entry.schemas.names.includes('expected_revision'))
    throw invalid('If-Match', `${entry.operation.name} cannot be conditional.`, 'Omit the header.')
  const revision = /^"([1-9]\d{0,14})"$/.exec(tag)?.[1]
  if (revision === undefined)
    throw invalid('If-Match', 'must be the ETag of a response, such as "3".')
  return Number(revision)
}
