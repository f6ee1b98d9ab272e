import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Entry } from '../operations/entry.ts'
import type { WireParam } from '../operations/schemas.ts'
import { AnyItemParam } from '../records/items.ts'
import type { Ids } from './fixtures/fixture.ts'

/** The item type of an id argument; undefined if any. */
export const typeOf = ({ param }: WireParam) =>
  param instanceof AnyItemParam ? param.types?.[0] : param.resource.definition.type
export const isMany = ({ param }: WireParam) =>
  !(param instanceof AnyItemParam) && param.modeName.startsWith('many')
const isRequired = (entry: Entry, wire: string) =>
  ((entry.schemas.inputJson.required ?? []) as string[]).includes(wire)

/** Values of which one is valid for each required argument. */
const candidates = [
  'x',
  '2026-12-01',
  { all: [{ field: 'from', op: 'contains', value: 'elsewhere' }] },
  [{ type: 'archive' }],
  'task',
  'tasks',
  'SECRET',
  5,
  true,
  {},
  [],
  [{ title: 'x' }],
  [{ text: 'x' }],
  [{ text: 'x', type: 'text' }],
  [{ label: 'x', type: 'short_text' }],
  [{ people: ['me'], rotation: 'weekly' }],
  { title: 'x' },
  [
    { name: 'Open', category: 'todo' },
    { name: 'Done', category: 'done' },
  ],
  ['x'],
  ['task.*'],
  'Europe/Berlin',
  '#112233',
  { type: 'manual' },
  [{ type: 'list_tasks' }],
]

/** The minimal arguments of an operation, with ids from `own`. */
export function leastArguments(entry: Entry, ownIds: Ids): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  const used: Record<string, number> = {}
  for (const param of entry.schemas.params) {
    if (!isRequired(entry, param.wire)) continue
    const type = typeOf(param) ?? (param.param.level === 'restore' ? 'trashed' : 'task')
    const ids = ownIds[type]!
    assert.ok(ids, `nothing of type ${type} is planted, which ${entry.operation.name} takes`)
    const id = ids[Math.min((used[type] = (used[type] ?? -1) + 1), ids.length - 1)]!
    args[param.wire] = isMany(param) ? [id] : id
  }
  for (const [name, type] of Object.entries(entry.operation.input)) {
    if ((type as z.ZodType).safeParse(undefined).success) continue
    const choices =
      (
        z.toJSONSchema(type as z.ZodType, { io: 'input', unrepresentable: 'any' }) as {
          enum?: unknown[]
        }
      ).enum ?? []
    args[name] = [...choices, ...candidates].find(
      (value) => (type as z.ZodType).safeParse(value).success,
    )
    assert.notEqual(args[name], undefined, `no value suits ${entry.operation.name}.${name}`)
  }
  return args
}

/** Arguments for calling a read: the minimal ones, plus each optional choice and word. */
export function waysToRead(
  entry: Entry,
  visibleIds: Ids,
  words: readonly string[],
): Record<string, unknown>[] {
  const least = leastArguments(entry, visibleIds)
  const ways = [least]
  const properties = (entry.schemas.inputJson.properties ?? {}) as Record<
    string,
    { enum?: string[]; items?: { enum?: string[] }; type?: string }
  >
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.enum) ways.push(...schema.enum.map((value) => ({ ...least, [name]: value })))
    if (schema.items?.enum) ways.push({ ...least, [name]: schema.items.enum })
    if (['query', 'topic', 'text'].includes(name))
      ways.push(...words.map((word) => ({ ...least, [name]: word })))
    if (name === 'limit') ways.push({ ...least, limit: 100 })
    if (schema.type === 'boolean') ways.push({ ...least, [name]: true })
  }
  for (const param of entry.schemas.params) {
    const type = typeOf(param)
    for (const id of type === 'person' || type === 'label' ? (visibleIds[type] ?? []) : [])
      ways.push({ ...least, [param.wire]: isMany(param) ? [id] : id })
  }
  return ways
}
