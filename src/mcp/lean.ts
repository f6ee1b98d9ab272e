// Answers over MCP leave out what a model can do without: what is empty, what another field says, and what only matters
// for one item, which get_… gives whole. Fields are removed and never renamed, so a lean answer is still of the
// operation's shape. REST keeps everything.

import type { Entry } from '../core/catalogue.ts'
import { toJson, type JsonSchema } from '../core/schemas.ts'

type Fields = Record<string, unknown>

/** Fields of items in lists, briefs and reports that only the get_… of the item gives. */
export const onlyInGet: ReadonlySet<string> = new Set([
  'revision', 'created_via', 'created_by', 'url', 'position', 'watching', 'message_id_header', 'ranges', 'matched_by',
  'breadcrumb', 'via_assistant',
])

/** What else is left out of items of one kind, by the prefix of their ids. */
export const onlyInGetOf: Readonly<Record<string, ReadonlySet<string>>> = {
  tsk: new Set(['created_at', 'comment_count', 'blocks']),
  msg: new Set(['updated_at', 'created_at']),
  eml: new Set(['created_at', 'updated_at', 'account_id']),
  thr: new Set(['created_at', 'updated_at', 'account_id']),
  ntf: new Set(['updated_at']),
  prj: new Set(['statuses', 'custom_fields']),
  spr: new Set(['created_at', 'updated_at']),
  mtg: new Set(['created_at', 'updated_at']),
}

/** Fields of a task that stands inside of something else, such as a brief or a report. */
export const taskInside: ReadonlySet<string> = new Set([
  'key', 'title', 'status', 'priority', 'due_on', 'due_local', 'due_at', 'assignees', 'blocked_by',
])

/** Fields that are left out where another field of the same object holds the same value. */
export const equals: readonly (readonly [name: string, to: string])[] = [
  ['updated_at', 'created_at'], ['created_at', 'sent_at'], ['created_at', 'decided_at'], ['created_at', 'at'],
  ['created_at', 'submitted_at'], ['created_at', 'occurred_at'], ['reply_to', 'from'], ['created_by', 'author'],
  ['updated_at', 'completed_at'], ['waiting_since', 'last_message_at'], ['created_by', 'owner'], ['created_by', 'organizer'], ['created_by', 'lead'],
]

/** Moments that are left out where the day or the local time says them. */
const saidLocally: readonly (readonly [name: string, by: readonly string[]])[] = [
  ['due_at', ['due_on', 'due_local']], ['starts_at', ['starts_local']], ['ends_at', ['ends_local']],
]

/** Values that a field has unless it is there. */
const usual: Readonly<Record<string, string>> = { trust: 'internal', delivery: 'received' }

const countName = /(^|_)(counts?|minutes|total|mentions|done)$/
const itemKey = /^[A-Z][A-Z0-9]*(-\d+)?$/
const ofAddress: ReadonlySet<string> = new Set(['person', 'contact'])
const ofReference: ReadonlySet<string> = new Set(['id', 'title', 'key', 'url', 'type'])

/** What a lean answer is made of: `value` as REST gives it, and the fields that the call has asked for, if any. */
export function leanAnswer(entry: Entry, args: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const asked = Array.isArray(args.fields) && entry.schemas.itemFields ? (args.fields as string[]) : []
  if (!isObject(value) || asked.includes('*') || isKeptWhole(entry, value)) return value
  const lean = new Lean(opaqueNames(entry), new Set(asked), namedBy(args))
  return lean.answer(value)
}

/** A get_… of one item has all of it. */
function isKeptWhole({ operation }: Entry, value: Fields): boolean {
  return operation.kind === 'read' && (typeof value.id === 'string' || operation.name === 'get_tool')
}

class Lean {
  readonly #opaque: ReadonlySet<string>
  readonly #asked: ReadonlySet<string>
  readonly #named: ReadonlySet<string>
  /** References that were shown: the title or key by the id, and the id by the title. */
  readonly #shown = new Set<string>()
  readonly #idOf = new Map<string, string>()
  readonly #emailOf = new Map<string, string>()

  constructor(opaque: ReadonlySet<string>, asked: ReadonlySet<string>, named: ReadonlySet<string>) {
    this.#named = named
    this.#opaque = opaque
    this.#asked = asked
  }

  answer(value: Fields): Fields {
    const isPage = Array.isArray(value.items) && typeof value.has_more === 'boolean'
    const made: Fields = {}
    for (const [name, one] of Object.entries(value)) {
      if (isPage ? one === null || one === undefined : isNothing(one) || isImplied(value, name)) continue
      if (this.#opaque.has(name)) made[name] = one
      else if (isPage && name === 'items') made.items = (one as unknown[]).map(item => (isObject(item) ? this.#item(item, true) : item))
      else made[name] = this.#value(one)
    }
    return made
  }

  #value(value: unknown, around?: Fields): unknown {
    if (Array.isArray(value)) return value.map(one => this.#value(one, around))
    if (!isObject(value)) return value
    return isReference(value) ? this.#reference(value) : this.#item(value, false, around)
  }

  #item(item: Fields, isListed: boolean, around?: Fields): Fields {
    const isChosen = isListed && this.#asked.size > 0
    const kind = typeof item.id === 'string' ? item.id.slice(0, 3) : ''
    const isInside = kind === 'tsk' && !isListed && typeof item.key === 'string' && typeof item.status === 'string'
    const made: Fields = {}
    if (!isListed && isAddress(item) && !this.#isNewAddress(item)) return { name: item.name }
    for (const name in item) {
      const value = item[name]
      if (isChosen) {
        made[name] = this.#opaque.has(name) ? value : this.#value(value, item)
        continue
      }
      if (isInside ? !taskInside.has(name) : onlyInGet.has(name) || onlyInGetOf[kind]?.has(name)) continue
      if (isEmpty(name, value) || isImplied(item, name)) continue
      if (isListed && this.#named.has(name) && isObject(value) && isReference(value)) continue
      if (around && isObject(value) && isReference(value) && (around[name] as Fields | undefined)?.id === value.id) continue
      if (ofAddress.has(name) && isSelf(item, value)) {
        if (!this.#standsFor(value.title, value.id) || !this.#shown.has(value.id)) made[name] = { id: value.id }
        this.#shown.add(value.id)
        continue
      }
      const short = this.#opaque.has(name) || typeof value !== 'object' ? value : this.#value(value, item)
      if (!isEmpty(name, short)) made[name] = short
    }
    return made
  }

  /** An address is told in full the first time; later the name stands for it, if it stands for no other address. */
  #isNewAddress({ name, email }: { name: string; email: string }): boolean {
    const known = this.#emailOf.get(name)
    if (known === undefined) this.#emailOf.set(name, email)
    return known !== email
  }

  /** Whether a title has stood for this id only; once it has stood for two it stands for none. */
  #standsFor(title: string, id: string): boolean {
    const named = this.#idOf.get(title)
    if (named === undefined) this.#idOf.set(title, id)
    else if (named !== id) this.#idOf.set(title, '')
    return named === undefined || named === id
  }

  /** A reference has its id the first time. Later ones are told by key or title, which stand for one id only. */
  #reference(reference: Fields): Fields {
    const { id, key, title, type } = reference as { id: string; key?: unknown; title: string; type?: unknown }
    const byKey = typeof key === 'string' && itemKey.test(key)
    const kind = type === undefined ? {} : { type }
    const isFirst = !this.#shown.has(id)
    this.#shown.add(id)
    if (byKey) return isFirst ? { ...kind, key, title } : { ...kind, key }
    if (!this.#standsFor(title, id)) return { ...kind, id, ...(key === undefined ? {} : { key }), title }
    if (!isFirst) return { ...kind, title }
    return { ...kind, id, ...(key === undefined ? {} : { key }), title }
  }
}

function isAddress(value: Fields): value is { name: string; email: string } {
  if (typeof value.email !== 'string' || typeof value.name !== 'string' || value.name === '') return false
  for (const name in value) if (name !== 'name' && name !== 'email' && !ofAddress.has(name)) return false
  return true
}

/** Whether somebody stands beside an address under the name that the address has. */
function isSelf({ name, email }: Fields, value: unknown): value is { id: string; title: string } {
  return typeof email === 'string' && isObject(value) && isReference(value) && value.title === name
}

function isReference(value: Fields): boolean {
  if (typeof value.id !== 'string' || typeof value.title !== 'string') return false
  for (const name in value) if (!ofReference.has(name)) return false
  return true
}

/** What the arguments name for all items of a list: `channel` for channel_id. */
export function namedBy(args: Readonly<Record<string, unknown>>): Set<string> {
  return new Set(Object.keys(args).filter(name => name.endsWith('_id') && typeof args[name] === 'string').map(name => name.slice(0, -3)))
}

/** Whether a field of an answer that is no list says nothing. */
function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** Whether a field says nothing: it is none, false, or a count of 0. */
export function isEmpty(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 'none') return true
  if (value === 0) return countName.test(name)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

/** Whether another field of the same object says what this one does. */
export function isImplied(item: Fields, name: string): boolean {
  const value = item[name]
  if (usual[name] !== undefined && usual[name] === value) return true
  if (name === 'status_category') return String(item.status).toLowerCase().replaceAll(/\W/g, '') === String(value).replaceAll('_', '')
  if (equals.some(([of, to]) => of === name && item[to] !== undefined && isSame(value, item[to]))) return true
  return saidLocally.some(([of, by]) => of === name && by.some(one => typeof item[one] === 'string'))
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

const known = new WeakMap<Entry, ReadonlySet<string>>()

/** Names of fields that hold what people have put there, where null and false have a meaning of their own. */
export function opaqueNames(entry: Entry): ReadonlySet<string> {
  let names = known.get(entry)
  if (!names) known.set(entry, (names = new Set(opaqueIn(toJson(entry.schemas.output, 'output')))))
  return names
}

function opaqueIn(schema: JsonSchema): string[] {
  const { properties, items, anyOf, oneOf } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[]; oneOf?: JsonSchema[] }
  const own = Object.entries(properties ?? {}).flatMap(([name, one]) => (isOpen(one) ? [name] : opaqueIn(one)))
  return [...own, ...[...(items ? [items] : []), ...(anyOf ?? []), ...(oneOf ?? [])].flatMap(opaqueIn)]
}

/** Whether a schema says nothing of the fields of an object, or nothing at all. */
function isOpen({ type, properties, items, anyOf, oneOf, const: only, enum: values }: JsonSchema): boolean {
  const parts = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (parts) return parts.some(isOpen)
  if (type === 'array') return items === undefined || isOpen(items as JsonSchema)
  if (type === 'object') return properties === undefined
  return type === undefined && only === undefined && values === undefined
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
