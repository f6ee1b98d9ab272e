// Answers over MCP omit data that a model can do without: empty values, values implied by another field, and details of
// single items, which get_… returns in full. Fields are removed and never renamed, so a lean answer still matches the
// operation's shape. REST keeps everything.

import type { Actor } from '../../kernel/actor.ts'
import { omitUndefined } from '../../kernel/present.ts'
import type { Entry } from '../../operations/entry.ts'
import { leanActivity } from './lean-activity.ts'
import { type Fields, type SchemaNames, isFieldRecord, schemaNamesIn } from './schema-names.ts'

/** The caller: id, address and time zone are in get_me and need not be repeated. */
export type LeanCaller = Pick<Actor, 'id' | 'display_name' | 'email' | 'timezone'>

/** Fields of items in lists, briefs and reports that only the item's get_… returns. */
const onlyInGet: ReadonlySet<string> = new Set([
  'revision',
  'created_via',
  'created_by',
  'url',
  'position',
  'watching',
  'message_id_header',
  'ranges',
  'matched_by',
  'breadcrumb',
  'via_assistant',
  'rest', // of a tool, for callers over REST
])

/** Further fields left out for one kind of item, by the prefix of its ids. */
const onlyInGetOf: Readonly<Record<string, ReadonlySet<string>>> = {
  tsk: new Set(['created_at', 'comment_count', 'blocks']),
  msg: new Set(['updated_at', 'created_at', 'seq']),
  eml: new Set(['created_at', 'updated_at', 'account_id']),
  thr: new Set(['created_at', 'updated_at', 'account_id']),
  ntf: new Set(['updated_at']),
  prj: new Set(['statuses', 'custom_fields']),
  spr: new Set(['created_at', 'updated_at']),
  mtg: new Set(['created_at', 'updated_at']),
  rmd: new Set(['created_at', 'updated_at']),
  acy: new Set(['id', 'via', 'key_name', 'call_id', 'undo']), // no operation takes the id
}

/** Fields of a task nested in something else, such as a brief or a report. */
const nestedTaskFields: ReadonlySet<string> = new Set([
  'key',
  'title',
  'status',
  'priority',
  'due_on',
  'due_local',
  'due_at',
  'assignees',
  'blocked_by',
  'trust',
])

/** Fields omitted if another field of the same object has the same value. */
const duplicateFields: readonly (readonly [name: string, to: string])[] = [
  ['updated_at', 'created_at'],
  ['created_at', 'sent_at'],
  ['created_at', 'decided_at'],
  ['created_at', 'at'],
  ['created_at', 'submitted_at'],
  ['created_at', 'occurred_at'],
  ['created_at', 'shown_at'],
  ['reply_to', 'from'],
  ['created_by', 'author'],
  ['updated_at', 'completed_at'],
  ['waiting_since', 'last_message_at'],
  ['created_by', 'owner'],
  ['created_by', 'organizer'],
  ['created_by', 'lead'],
  ['toolset', 'enabled_modules'],
]

/** Times in UTC that are omitted if the day or local time implies them. */
const impliedByLocalTime: readonly (readonly [name: string, by: readonly string[]])[] = [
  ['due_at', ['due_on', 'due_local']],
  ['starts_at', ['starts_local']],
  ['ends_at', ['ends_local']],
  ['remind_at', ['remind_local']],
]

/** Values implied by a missing field. */
const defaultValues: Readonly<Record<string, unknown>> = {
  trust: 'internal',
  delivery: 'received',
  in_session: true,
  also_to_channel: false,
}

const countName = /(^|_)(counts?|minutes|total|mentions|done)$/
const itemKeyPattern = /^([A-Z][A-Z0-9]*(-\d+)?|#\S+)$/
const addressOwnerFields: ReadonlySet<string> = new Set(['person', 'contact'])
const referenceFields: ReadonlySet<string> = new Set(['id', 'title', 'key', 'url', 'type', 'trust'])

/** Builds the lean answer from `value` as REST returns it, the requested fields, if any, and the caller. */
export function leanAnswer(
  entry: Entry,
  args: Readonly<Record<string, unknown>>,
  value: unknown,
  self: LeanCaller,
): unknown {
  const requestedFields =
    Array.isArray(args.fields) && entry.schemas.itemFields ? (args.fields as string[]) : []
  if (!isFieldRecord(value) || requestedFields.includes('*') || isReturnedInFull(entry, value))
    return value
  return new LeanAnswerBuilder(
    schemaNamesIn(entry),
    new Set(requestedFields),
    identifyingArguments(args),
    self,
  ).answer(value)
}

/** A get_… of one item is complete. */
function isReturnedInFull({ operation }: Entry, value: Fields): boolean {
  return (
    operation.kind === 'read' &&
    (typeof value.id === 'string' || ['get_tool', 'search'].includes(operation.name))
  )
}

class LeanAnswerBuilder {
  readonly #names: SchemaNames
  readonly #requestedFields: ReadonlySet<string>
  readonly #nameById: ReadonlyMap<string, string>
  readonly #self: LeanCaller
  /** Ids and keys of references already shown, and ids by title. */
  readonly #sentIds = new Set<string>()
  readonly #idOf = new Map<string, string>()
  readonly #emailOf = new Map<string, string>()
  /** The default time zone. */
  #timezone: string

  constructor(
    names: SchemaNames,
    requestedFields: ReadonlySet<string>,
    argumentsByName: ReadonlyMap<string, string>,
    self: LeanCaller,
  ) {
    this.#names = names
    this.#requestedFields = requestedFields
    this.#nameById = argumentsByName
    this.#self = self
    this.#timezone = self.timezone
    this.#sentIds.add(scoped(undefined, self.id))
    this.#idOf.set(scoped(undefined, self.display_name), self.id)
    this.#emailOf.set(self.display_name, self.email)
  }

  answer(value: Fields): Fields {
    const isPage = Array.isArray(value.items) && typeof value.has_more === 'boolean'
    if (typeof value.timezone === 'string') this.#timezone = value.timezone
    const answer: Fields = {}
    for (const [name, fieldValue] of Object.entries(value)) {
      if (
        isPage
          ? fieldValue === null || fieldValue === undefined
          : this.#isWithoutInformation(name, fieldValue) || isImplied(value, name)
      )
        continue
      if (this.#names.opaque.has(name)) answer[name] = fieldValue
      else if (isPage && name === 'items')
        answer.items = this.#entries(fieldValue as unknown[]).map((item) =>
          isFieldRecord(item) ? this.#item(item, true) : item,
        )
      else answer[name] = this.#value(fieldValue, isPage ? undefined : value)
    }
    return answer
  }

  #entries(items: readonly unknown[]): readonly unknown[] {
    return this.#requestedFields.size > 0 ? items : leanActivity(items)
  }

  /** Whether a field of a non-list answer carries no information. */
  #isWithoutInformation(name: string, value: unknown): boolean {
    if (value !== undefined && this.#names.anyValue.has(name)) return false
    return (
      value === null ||
      value === undefined ||
      (typeof value === 'object' &&
        Object.keys(value).length === 0 &&
        !this.#names.optional.has(name))
    )
  }

  #value(value: unknown, parent?: Fields): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, parent))
    if (!isFieldRecord(value)) return value
    return isReference(value) ? this.#reference(value) : this.#item(value, false, parent)
  }

  #item(item: Fields, isListed: boolean, parent?: Fields): Fields {
    const isChosen = isListed && this.#requestedFields.size > 0
    const kind = typeof item.id === 'string' ? item.id.slice(0, 3) : ''
    const isInside =
      kind === 'tsk' && !isListed && typeof item.key === 'string' && typeof item.status === 'string'
    const leanItem: Fields = {}
    if (!isListed && isAddressShape(item) && !this.#isNewAddress(item)) return { name: item.name }
    for (const name in item) {
      const value = item[name]
      if (isChosen) {
        leanItem[name] = this.#names.opaque.has(name) ? value : this.#value(value, item)
        continue
      }
      if (
        isInside ? !nestedTaskFields.has(name) : onlyInGet.has(name) || onlyInGetOf[kind]?.has(name)
      )
        continue
      if (name === 'id' && hasItemKey(item)) continue
      if (name === 'seq' && 'op' in item) continue // of a change: next_cursor says where to go on
      if (this.#isEmpty(name, value) || isImplied(item, name) || this.#isImpliedInPair(item, name))
        continue
      if (name === 'timezone' && value === this.#timezone) continue
      if (
        isListed &&
        isFieldRecord(value) &&
        isReference(value) &&
        this.#isNamedInArguments(name, value)
      )
        continue
      if (parent && isRepeated(parent[name], value)) continue
      if (addressOwnerFields.has(name) && hasSameName(item, value)) {
        if (!this.#isIdentifiedByTitle(undefined, value)) leanItem[name] = { id: value.id }
        this.#sentIds.add(scoped(undefined, value.id))
        continue
      }
      const short =
        this.#names.opaque.has(name) || typeof value !== 'object' ? value : this.#value(value, item)
      if (!this.#isEmpty(name, short)) leanItem[name] = short
    }
    return leanItem
  }

  /**
   * An address is complete the first time; later the name replaces it, unless the name has several addresses or
   * people.
   */
  #isNewAddress({
    name,
    email,
    person,
    contact,
  }: Fields & { name: string; email: string }): boolean {
    const knownEmail = this.#emailOf.get(name)
    if (knownEmail === undefined) this.#emailOf.set(name, email)
    else if (knownEmail !== email) this.#emailOf.set(name, '')
    return (
      knownEmail !== email ||
      [person, contact].some(
        (item) =>
          isFieldRecord(item) &&
          !(hasSameName({ name, email }, item) && this.#isIdentifiedByTitle(undefined, item)),
      )
    )
  }

  /** Whether a title alone identifies its id. */
  #isIdentifiedByTitle(type: unknown, { id, title }: { id: string; title: string }): boolean {
    return this.#identifies(type, title, id) && this.#sentIds.has(scoped(type, id))
  }

  /** Whether the call's arguments name exactly this item, by id or key: only then every list entry belongs to it. */
  #isNamedInArguments(name: string, { id, key }: Fields): boolean {
    const argument = this.#nameById.get(name)
    return (
      argument !== undefined &&
      (argument === id || argument === key || (argument === 'me' && id === this.#self.id))
    )
  }

  /**
   * Whether a field is empty, so that omitting it loses nothing. If a field may be absent because it has no value, an
   * empty value is a value and stays: no estimate is not an estimate of 0.
   */
  #isEmpty(name: string, value: unknown): boolean {
    if (value === undefined) return true
    const { optional, opaque, anyValue, withNone } = this.#names
    if (anyValue.has(name)) return false
    if (value === null) return true
    if (optional.has(name) || (opaque.has(name) && typeof value !== 'object')) return false
    if (value === 'none') return withNone.has(name)
    return isBlank(name, value)
  }

  /** In a conversation of two, `awaiting` implies the last sender and the person whose answer is awaited. */
  #isImpliedInPair(item: Fields, name: string): boolean {
    const { participants, awaiting, [name]: value } = item
    if (
      (name !== 'last_sender' && name !== 'waiting_for') ||
      !Array.isArray(participants) ||
      participants.length !== 2
    )
      return false
    const ownEntry = participants.find(
      (participant) =>
        isFieldRecord(participant) &&
        isFieldRecord(participant.person) &&
        participant.person.id === this.#self.id,
    ) as Fields | undefined
    const other = participants.find((participant) => participant !== ownEntry) as Fields
    if (!ownEntry || (awaiting !== 'me' && awaiting !== 'them')) return false
    if (name === 'waiting_for') return awaiting === 'them' && isSameValue(value, [other])
    return isSameValue(value, awaiting === 'me' ? other : ownEntry)
  }

  /** Whether a title has identified only this id; once it has been used for two, it identifies none. */
  #identifies(type: unknown, title: string, id: string): boolean {
    const scope = scoped(type, title)
    const knownId = this.#idOf.get(scope)
    if (knownId === undefined) this.#idOf.set(scope, id)
    else if (knownId !== id) this.#idOf.set(scope, '')
    return knownId === undefined || knownId === id
  }

  /**
   * A reference has its id the first time. Later it is the key, or the shorter of: the id, or a title that identifies
   * only one id.
   */
  #reference(reference: Fields): Fields {
    const { id, key, title, type, trust } = reference as {
      id: string
      key?: unknown
      title: string
      type?: unknown
      trust?: unknown
    }
    const itemKey = hasItemKey(reference) ? reference.key : undefined
    const kind = omitUndefined({ type, trust })
    const mark = scoped(type, itemKey ?? id)
    const isFirst = !this.#sentIds.has(mark)
    this.#sentIds.add(mark)
    if (itemKey !== undefined)
      return isFirst && key !== `#${title}` ? { ...kind, key, title } : { ...kind, key }
    const isUnambiguous = this.#identifies(type, title, id)
    if (!isFirst && title.length > id.length) return { ...kind, id }
    if (!isFirst && isUnambiguous) return { ...kind, title }
    return omitUndefined({ ...kind, id, key, title })
  }
}

/**
 * A typed reference always shows its type, so its name and id are kept apart from those of other types and untyped
 * references.
 */
function scoped(type: unknown, name: string): string {
  return `${typeof type === 'string' ? type : ''} ${name}`
}

/** Whether an item or reference has a key that operations accept instead of its id. */
function hasItemKey(item: Fields): item is Fields & { key: string } {
  return typeof item.key === 'string' && itemKeyPattern.test(item.key)
}

function isAddressShape(value: Fields): value is { name: string; email: string } {
  if (typeof value.email !== 'string' || typeof value.name !== 'string' || value.name === '')
    return false
  for (const name in value)
    if (name !== 'name' && name !== 'email' && !addressOwnerFields.has(name)) return false
  return true
}

/** Whether the person or contact next to an address has the same name. */
function hasSameName(
  { name, email }: Fields,
  value: unknown,
): value is { id: string; title: string } {
  return (
    typeof email === 'string' && isFieldRecord(value) && isReference(value) && value.title === name
  )
}

function isReference(value: Fields): boolean {
  if (typeof value.id !== 'string' || typeof value.title !== 'string') return false
  for (const name in value) if (!referenceFields.has(name)) return false
  return true
}

/** Arguments that identify items, with their values; `channel` for channel_id. */
function identifyingArguments(args: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    Object.entries(args).flatMap(([name, value]) =>
      name.endsWith('_id') && typeof value === 'string' ? [[name.slice(0, -3), value]] : [],
    ),
  )
}

/** Whether a value is false, empty, or a count of 0. */
function isBlank(name: string, value: unknown): boolean {
  if (value === false || value === '') return true
  if (value === 0) return countName.test(name)
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

/** Whether the enclosing object's field of the same name has the same reference, list or object. */
function isRepeated(outer: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isFieldRecord(outer) && isFieldRecord(value) && isReference(value))
    return outer.id === value.id
  return isSameValue(outer, value)
}

/** Whether another field of the same object implies this one. */
function isImplied(item: Fields, name: string): boolean {
  const value = item[name]
  if (defaultValues[name] !== undefined && defaultValues[name] === value) return true
  if (name === 'authentication' && isFieldRecord(value))
    return Object.values(value).every((result) => result === 'none') // of SPF, DKIM and DMARC
  if (name === 'status_category')
    return (
      String(item.status).toLowerCase().replaceAll(/\W/g, '') === String(value).replaceAll('_', '')
    )
  if (
    duplicateFields.some(
      ([field, to]) => field === name && item[to] !== undefined && isSameValue(value, item[to]),
    )
  )
    return true
  return impliedByLocalTime.some(
    ([field, by]) => field === name && by.some((entry) => typeof item[entry] === 'string'),
  )
}

function isSameValue(a: unknown, b: unknown): boolean {
  return (
    a === b ||
    (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
  )
}
