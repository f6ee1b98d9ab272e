import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { entryOf } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { modules } from '../../modules/index.ts'
import { scratch, serve, workspaceJson, type Served } from '../../testing/process.ts'
import { toJson, type JsonSchema } from '../../operations/schemas.ts'
import { leanAnswer } from './lean.ts'

// Compares lean MCP answers with the full ones: REST answers on the demo data, and random answers that match the shape
// of every operation. Everything left out must follow from the rest of the answer or be a field that only get_… returns.
// The permitted omissions are listed here again, so that a rule that leaves out too much fails.

type Fields = Record<string, any>
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object }[] }>
  callTool(params: { name: string; arguments: Fields }): Promise<any>
  close(): Promise<void>
}

const { dir, remove } = scratch()
let server: Served
let key: string
let self: { id: string; display_name: string; email: string; timezone: string } & Parameters<
  typeof leanAnswer
>[3]
const clients: AnyClient[] = []

before(async () => {
  const demo = await workspaceJson('demo', '--keys', '--data', dir)
  key = demo.people.find((item: { email: string }) => item.email.startsWith('mia@')).key
  server = await serve(dir)
  const { person } = await askRest(reads.find((read) => read.operation.name === 'get_me')!, {})
  self = {
    id: person.id,
    display_name: person.display_name,
    email: person.email,
    timezone: person.timezone,
  }
})
after(async () => {
  await Promise.allSettled(clients.map((client) => client.close()))
  if (server && server.child.exitCode === null) await server.end('SIGKILL')
  remove()
})

async function connect(
  era: 'present' | 'older' | 'first generation',
  query = '',
): Promise<AnyClient> {
  const url = new URL(`${server.url}/mcp${query}`)
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const info = { name: 'lean', version: '1' }
  const mode = era === 'present' ? 'auto' : 'legacy'
  const client =
    era === 'first generation'
      ? new OldClient(info)
      : new Client(info, { versionNegotiation: { mode } })
  const transport =
    era === 'first generation'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)
  await client.connect(transport as never)
  clients.push(client as unknown as AnyClient)
  return client as unknown as AnyClient
}

const reads: Entry[] = modules.flatMap((module) =>
  module.operations
    .filter((operation) => operation.kind === 'read' && !operation.unlisted)
    .map((operation) => entryOf(module.name, operation)),
)

/** The full answer over REST; undefined if the arguments are invalid. */
async function askRest({ operation, schemas }: Entry, args: Fields): Promise<any> {
  const [method, path] = operation.rest.split(' ') as [string, string]
  const url = new URL(
    server.url + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args[name])),
  )
  const others = Object.entries(args).filter(([name]) => !schemas.path.includes(name))
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (method === 'GET')
    for (const [name, value] of others) url.searchParams.set(name, String(value))
  else headers['content-type'] = 'application/json'
  const body = method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(others)) }
  const response = await fetch(url, { method, headers, ...body })
  return response.ok && response.headers.get('content-type')?.includes('json')
    ? response.json()
    : undefined
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const argumentValues: Fields = {
  query: 'prices',
  topic: 'website',
  project_id: 'WEB',
  task_id: 'WEB-4',
  channel_id: '#website',
  item_id: 'WEB-4',
  person_id: 'me',
  incident_id: 'INC-1',
  from: day(-30),
  to: day(7),
  since: day(-30),
  group_by: 'project',
  attendees: ['tom@demo-studio.example'],
  duration_minutes: 30,
  name: 'list_tasks',
  tool_name: 'list_tasks',
}

let pendingReads: Promise<{ entry: Entry; args: Fields; full: any }[]> | undefined

/** Every read with required arguments that can be filled from lists, with its full answer. */
function allReads(): Promise<{ entry: Entry; args: Fields; full: any }[]> {
  return (pendingReads ??= askAll())
}

async function askAll(): Promise<{ entry: Entry; args: Fields; full: any }[]> {
  const knownFields: Fields = { ...argumentValues }
  const collectedReads: { entry: Entry; args: Fields; full: any }[] = []
  for (const entry of reads.toSorted((a, b) => required(a).length - required(b).length)) {
    const names = required(entry)
    if (!names.every((name) => name in knownFields)) continue
    const args = Object.fromEntries(names.map((name) => [name, knownFields[name]]))
    const full = await askRest(entry, args)
    if (full === undefined) continue
    collectedReads.push({ entry, args, full })
    const item = full.items?.[0]
    const noun = entry.operation.name
      .replace(/^list_/, '')
      .replace(/ies$/, 'y')
      .replace(/s$/, '')
      .replace(/^email_/, '')
    if (typeof item?.id === 'string') knownFields[`${noun}_id`] ??= item.id
  }
  return collectedReads
}

function required({ schemas }: Entry): string[] {
  return (schemas.toolJson.required as string[] | undefined) ?? []
}

/**
 * Fields that lists, briefs and reports may leave out: the item's get_… returns them, or they only say how something
 * was done.
 */
const dispensable = new Set([
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
  'rest',
])
const dispensableOf: Readonly<Record<string, readonly string[]>> = {
  tsk: ['created_at', 'comment_count', 'blocks'],
  msg: ['updated_at', 'created_at', 'seq'],
  eml: ['created_at', 'updated_at', 'account_id'],
  thr: ['created_at', 'updated_at', 'account_id', 'last_email_id'],
  ntf: ['updated_at'],
  prj: ['statuses', 'custom_fields'],
  spr: ['created_at', 'updated_at'],
  mtg: ['created_at', 'updated_at'],
  rmd: ['created_at', 'updated_at'],
  acy: ['id', 'via', 'key_name', 'call_id', 'undo'],
}
/** Fields of a task nested in another item; get_task returns the rest. */
const insideTask = [
  'key',
  'title',
  'status',
  'priority',
  'due_on',
  'due_local',
  'due_at',
  'assignees',
  'blocked_by',
]
/** Fields omitted if another field of the same item, shown or implied, has the same value. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  updated_at: ['created_at', 'completed_at'],
  created_at: ['sent_at', 'decided_at', 'at', 'submitted_at', 'occurred_at', 'shown_at'],
  reply_to: ['from'],
  created_by: ['author', 'owner', 'organizer', 'lead'],
  waiting_since: ['last_message_at'],
  toolset: ['enabled_modules'],
}
const localOf: Readonly<Record<string, readonly string[]>> = {
  due_at: ['due_on', 'due_local'],
  starts_at: ['starts_local'],
  ends_at: ['ends_local'],
  remind_at: ['remind_local'],
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function variants(schema: JsonSchema): JsonSchema[] {
  return [
    schema,
    ...((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]).flatMap((jsonSchema) =>
      variants(jsonSchema),
    ),
  ]
}

/** The schemas that may apply to a field. */
function propertySchemasOf(schemas: readonly JsonSchema[], name: string): JsonSchema[] {
  const propertySchemas = schemas
    .flatMap((schema) => variants(schema))
    .map((jsonSchema) => (jsonSchema.properties as Record<string, JsonSchema> | undefined)?.[name])
  return propertySchemas.flatMap((item) => (item ? variants(item) : []))
}

/** Whether a person chooses the type of the value, so that false, 0, "" and null are meaningful. */
function isOfAnyType(schema: JsonSchema): boolean {
  const types = new Set(variants(schema).flatMap(typesIn))
  if (types.has('any')) return true
  const scalars = ['string', 'number', 'integer', 'boolean'].filter((type) => types.has(type))
  return scalars.length > 1 || (scalars.length === 1 && types.has('array'))
}

function typesIn({ type, anyOf, oneOf, const: only, enum: values }: JsonSchema): unknown[] {
  if (anyOf !== undefined || oneOf !== undefined) return []
  return [type ?? (only === undefined && values === undefined ? 'any' : 'enum')].flat()
}

function isDefault(name: string, value: unknown): boolean {
  return (
    (name === 'trust' && value === 'internal') ||
    (name === 'delivery' && value === 'received') ||
    (name === 'in_session' && value === true) ||
    (name === 'also_to_channel' && value === false)
  )
}

/** Whether a missing field can only mean this value: it is always present unless empty. */
function isImpliedByAbsence(schemas: readonly JsonSchema[], name: string, value: unknown): boolean {
  if (propertySchemasOf(schemas, name).some(isOfAnyType)) return false
  if (value === null || isDefault(name, value)) return true
  const owners = schemas
    .flatMap((schema) => variants(schema))
    .filter((jsonSchema) => name in ((jsonSchema.properties as object | undefined) ?? {}))
  const fieldSchemas = propertySchemasOf(schemas, name)
  const isSure =
    owners.every((owner) => (owner.required as string[] | undefined)?.includes(name)) &&
    fieldSchemas.every((jsonSchema) => jsonSchema.type !== 'null')
  if (owners.length === 0 || !isSure) return false
  if (value === 'none')
    return fieldSchemas.some((jsonSchema) =>
      (jsonSchema.enum as unknown[] | undefined)?.includes('none'),
    )
  if (typeof value !== 'object')
    return (
      (value === false || value === '' || value === 0) &&
      fieldSchemas.some((jsonSchema) => jsonSchema.type !== undefined)
    )
  if (Array.isArray(value))
    return value.length === 0 && fieldSchemas.some((jsonSchema) => jsonSchema.type === 'array')
  return (
    fieldSchemas.some((jsonSchema) => jsonSchema.type === 'object') &&
    Object.entries(value).every(([inner, innerValue]) =>
      isImpliedByAbsence(fieldSchemas, inner, innerValue),
    )
  )
}

/**
 * Activity without repeated data: moment and actor equal to the previous entry, an item's initial values, ids of
 * items with names.
 */
function withoutRepetitions(full: any): any {
  const namedTypes = new Set([
    'entity',
    'page',
    'meeting',
    'form',
    'deal',
    'contact',
    'company',
    'label',
  ])
  const items = full.items.map(({ at, actor, changes, item, ...entry }: any, i: number) => {
    const before = full.items[i - 1]
    const listedChanges = changes.filter((change: any) => change.to !== at)
    const isNamed = namedTypes.has(item.type) && item.key === undefined && item.title?.length < 80
    return {
      ...entry,
      ...(before?.at.slice(0, 19) !== at.slice(0, 19) && { at }),
      ...(before?.actor.id !== actor.id && { actor }),
      ...((before?.item.id !== item.id || item.trust) && {
        item: isNamed ? { ...item, id: undefined } : item,
      }),
      changes: (entry.verb === 'created' ? [] : listedChanges).map(({ from, ...change }: any) =>
        from === null ? change : { ...change, from },
      ),
    }
  })
  return JSON.parse(JSON.stringify({ ...full, items }))
}

/** Compares a lean answer with the full one, and records anything missing that cannot be inferred. */
class Auditor {
  readonly lost: string[] = []
  readonly #args: Fields
  readonly #self: typeof self
  readonly #schemas: readonly JsonSchema[]
  #timezone: string
  /** Ids shown with a title, and addresses of a name. */
  readonly #ids = new Map<string, Set<string>>()
  readonly #emails = new Map<string, Set<string>>()
  readonly #titles = new Map<string, string>()

  constructor(schema: JsonSchema, args: Fields, who: typeof self) {
    this.#args = args
    this.#self = who
    this.#schemas = [schema]
    this.#timezone = who.timezone
    this.#rememberTitle(undefined, who.display_name, who.id)
    this.#titles.set(` ${who.id}`, who.display_name)
    this.#emails.set(who.display_name, new Set([who.email]))
  }

  audit(full: any, lean: any, name: string): string[] {
    if (typeof full.timezone === 'string') this.#timezone = full.timezone
    this.#compare(full, lean, this.#schemas, name, 'top')
    return this.lost
  }

  #compare(
    full: any,
    lean: any,
    schemas: readonly JsonSchema[],
    path: string,
    depth: 'top' | 'listed' | 'inside',
    parent?: Fields,
  ): void {
    if (Array.isArray(full)) {
      assert.equal(lean.length, full.length, `${path} has all of its entries`)
      const items = schemas
        .flatMap((schema) => variants(schema))
        .flatMap((jsonSchema) => (jsonSchema.items ? variants(jsonSchema.items as JsonSchema) : []))
      return full.forEach((item, i) =>
        this.#compare(item, lean[i], items, `${path}[${i}]`, depth, parent),
      )
    }
    const hasFields = schemas
      .flatMap((schema) => variants(schema))
      .some((jsonSchema) => jsonSchema.properties !== undefined)
    if (full === null || typeof full !== 'object' || !hasFields)
      return assert.deepEqual(lean, full, path)
    for (const name of Object.keys(lean))
      assert.ok(name in full, `${path}.${name} is in the whole answer`)
    this.#rememberReferences(lean, full)
    for (const [name, value] of Object.entries(full)) {
      const at = `${path}.${name}`
      if (name in lean)
        this.#compare(
          value,
          lean[name],
          propertySchemasOf(schemas, name),
          at,
          depth === 'top' && name === 'items' ? 'listed' : 'inside',
          full,
        )
      else if (!this.#isInferable(full, lean, schemas, name, depth, parent))
        this.lost.push(`${at} ${JSON.stringify(value)}`)
    }
  }

  #isInferable(
    full: Fields,
    lean: Fields,
    schemas: readonly JsonSchema[],
    name: string,
    depth: string,
    around?: Fields,
  ): boolean {
    const value = full[name]
    if (isImpliedByAbsence(schemas, name, value)) return true
    if (name === 'authentication')
      return isEqual(value, { spf: 'none', dkim: 'none', dmarc: 'none' })
    if (
      sameAs[name]?.some((other) => isEqual(full[other], value)) ||
      localOf[name]?.some((other) => typeof full[other] === 'string')
    )
      return true
    if (
      name === 'status_category' &&
      String(full.status).toLowerCase().replaceAll(/\W/g, '') === String(value).replaceAll('_', '')
    )
      return true
    if (depth === 'top') return false
    if (name === 'seq' && 'op' in full) return true
    const kind = String(full.id).slice(0, 3)
    if (dispensable.has(name) || dispensableOf[kind]?.includes(name)) return true
    if (
      kind === 'tsk' &&
      depth === 'inside' &&
      'status' in full &&
      !insideTask.includes(name) &&
      lean.key === full.key
    )
      return true
    if (name === 'timezone' && value === this.#timezone) return true
    if (depth === 'listed' && [value?.id, value?.key].includes(this.#args[`${name}_id`]))
      return true
    if (depth === 'listed' && this.#args[`${name}_id`] === 'me' && value?.id === this.#self.id)
      return true
    if (around?.[name]?.id !== undefined && around[name].id === value?.id) return true
    if (typeof value === 'object' && isEqual(around?.[name], value)) return true
    if (name === 'last_sender' || name === 'waiting_for') return this.#isOfTwo(full, name)
    return this.#isNamed(full, lean, name, around)
  }

  /**
   * True if a reference or address may be left out: it was shown before, and the remaining fields identify it
   * unambiguously.
   */
  #isNamed(full: Fields, lean: Fields, name: string, around?: Fields): boolean {
    const value = full[name]
    if (name === 'id' && typeof full.key === 'string' && lean.key === full.key) return true
    if (name === 'id' && typeof lean.title === 'string')
      return this.#identifies(full.type, lean.title, value)
    if (name === 'id' && around?.name === full.title)
      return this.#identifies(undefined, full.title, value)
    if (name === 'title' && (lean.key ?? lean.id) !== undefined)
      return (
        lean.key === `#${value}` ||
        this.#titles.get(`${full.type ?? ''} ${lean.key ?? lean.id}`) === value ||
        around?.name === value
      )
    if (name === 'key') return this.#titles.has(`${full.type ?? ''} ${full.id}`)
    if (name === 'email') return isEqual([...(this.#emails.get(full.name) ?? [])], [value])
    return (
      (name === 'person' || name === 'contact') &&
      value.title === full.name &&
      this.#identifies(undefined, value.title, value.id)
    )
  }

  #isOfTwo({ participants, awaiting, ...full }: Fields, name: string): boolean {
    const others = participants.filter(
      (participant: Fields) => participant.person?.id !== this.#self.id,
    )
    const ownEntries = participants.filter(
      (participant: Fields) => participant.person?.id === this.#self.id,
    )
    if (others.length !== 1 || ownEntries.length !== 1) return false
    if (name === 'waiting_for') return awaiting === 'them' && isEqual(full.waiting_for, others)
    const senders: Record<string, unknown> = { me: others[0], them: ownEntries[0] }
    return isEqual(full.last_sender, senders[awaiting])
  }

  #identifies(type: unknown, title: string, id: string): boolean {
    return isEqual([...(this.#ids.get(`${type ?? ''} ${title}`) ?? [])], [id])
  }

  #rememberReferences(
    { id, title, key, name, email, person, contact }: Fields,
    { type, ...full }: Fields,
  ): void {
    if (
      typeof title === 'string' &&
      Object.keys(full).every((item) => ['id', 'title', 'key', 'url', 'trust'].includes(item))
    ) {
      if (typeof id === 'string') this.#rememberTitle(type, title, id)
      for (const item of [id, key])
        if (typeof item === 'string') this.#titles.set(`${type ?? ''} ${item}`, title)
    }
    if (typeof name !== 'string') return
    for (const item of [person, contact]) {
      if (typeof item?.id !== 'string') continue
      this.#rememberTitle(undefined, name, item.id)
      this.#titles.set(` ${item.id}`, name)
    }
    if (typeof email === 'string')
      this.#emails.set(name, (this.#emails.get(name) ?? new Set()).add(email))
  }

  #rememberTitle(type: unknown, title: string, id: string): void {
    const scope = `${typeof type === 'string' ? type : ''} ${title}`
    this.#ids.set(scope, (this.#ids.get(scope) ?? new Set()).add(id))
  }
}

test('for every testable read, what a lean answer omits is implied by the rest or available in get_… only', async () => {
  const reads = await allReads()
  assert.ok(reads.length > 80, `only ${reads.length} reads could be asked`)
  const lost = reads.flatMap(({ entry, args, full }) => {
    return new Auditor(toJson(entry.schemas.output, 'output'), args, self).audit(
      entry.operation.name === 'list_activity' ? withoutRepetitions(full) : full,
      leanAnswer(entry, args, full, self),
      entry.operation.name,
    )
  })
  assert.deepEqual(lost, [])
})

/** People and things of a random answer. Some share a name, and one of them is the caller. */
const testItems: readonly Fields[] = [
  { id: 'usr_1', title: 'Kim Lee', email: 'kim@one.example', type: 'person' },
  { id: 'usr_2', title: 'Kim Lee', email: 'kim@two.example', type: 'person' },
  { id: 'usr_3', title: 'Ann Ash', email: 'ann@one.example', type: 'person' },
  { id: 'con_4', title: 'Kim Lee', email: 'kim@out.example', type: 'contact' },
  { id: 'con_5', title: 'Bo Bay', email: 'bo@out.example', type: 'contact' },
  { id: 'ent_6', title: 'Ann Ash', type: 'entity' },
  { id: 'tsk_7', title: 'A task', key: 'ENG-7', type: 'task' },
  { id: 'msg_8', title: 'A long line of a message that is cut in the middle', type: 'message' },
  { id: 'prj_9', title: 'Engine', key: 'ENG', type: 'project' },
  { id: 'thr_10', title: 'none', type: 'email_thread' },
].map((item) => ({ ...item, id: item.id.padEnd(30, '0') }))
const testCaller = {
  id: 'usr_3'.padEnd(30, '0'),
  display_name: 'Ann Ash',
  email: 'ann@one.example',
  timezone: 'Europe/Berlin',
} as typeof self

/** Generates deterministic values for a shape. */
class ValueGenerator {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }

  #pick<T>(from: readonly T[]): T {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0
    return from[(this.#state >>> 8) % from.length]!
  }

  make(schema: JsonSchema, name = ''): any {
    const {
      type,
      properties,
      required,
      items,
      enum: values,
      format,
    } = schema as {
      properties?: Record<string, JsonSchema>
      required?: string[]
      items?: JsonSchema
      enum?: unknown[]
    } & JsonSchema
    const tuple = schema.prefixItems as JsonSchema[] | undefined
    if (tuple) return tuple.map((jsonSchema) => this.make(jsonSchema, name))
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (options) return this.make(this.#pick(options), name)
    if ('const' in schema) return schema.const
    if (values) return this.#pick(values)
    if (type === 'array')
      return Array.from({ length: this.#pick([0, 1, 2, 3]) }, () => this.make(items ?? {}, name))
    if (properties) return this.#object(properties, required ?? [])
    if (type === 'object') return this.#pick([{}, { a: false, none: 'none', zero: 0, empty: [] }])
    if (type === 'boolean') return this.#pick([true, false])
    if (type === 'integer' || type === 'number') return this.#pick([0, 1, 5])
    if (type === 'null') return null
    if (type === undefined) return this.#pick([null, false, 0, '', 'none', [], {}, { a: false }])
    if (name === 'timezone') return this.#pick(['Europe/Berlin', 'UTC'])
    if (format === 'date-time')
      return this.#pick(['2026-03-04T05:06:07.000Z', '2026-03-04T05:06:08.123Z'])
    return this.#pick(['', 'none', 'Something', 'Something else'])
  }

  #object(properties: Record<string, JsonSchema>, required: readonly string[]): Fields {
    const object: Fields = {}
    const fields = this.#pick(
      testItems.filter((other) => !('email' in properties) || 'email' in other),
    )
    for (const [name, schema] of Object.entries(properties)) {
      if (!required.includes(name) && this.#pick([true, false])) continue
      object[name] = this.make(schema, name)
    }
    if ('email' in properties && 'name' in properties) this.#address(object, fields)
    if (typeof object.id !== 'string') return object
    object.id = fields.id
    if ('title' in object) object.title = fields.title
    if ('key' in properties && fields.key) object.key = fields.key
    else delete object.key
    if ('type' in object && 'title' in object) object.type = fields.type
    return object
  }

  #address(fields: Fields, { id, title, email }: Fields): void {
    if (typeof fields.name === 'string') fields.name = title
    if (typeof fields.email === 'string') fields.email = email
    for (const [field, prefix] of [
      ['person', 'usr'],
      ['contact', 'con'],
    ] as const) {
      if (!(field in fields)) continue
      if (id.startsWith(prefix)) fields[field] = { id, title }
      else delete fields[field]
    }
  }
}

test('random answers in the shape of any operation lose nothing either', () => {
  const entries = modules.flatMap((module) =>
    module.operations
      .filter((operation) => !operation.unlisted)
      .map((operation) => entryOf(module.name, operation)),
  )
  assert.ok(entries.length > 340, `only ${entries.length} operations`)
  const lost = new Set<string>()
  for (const entry of entries) {
    const schema = toJson(entry.schemas.output, 'output')
    if (schema.type !== 'object') continue
    for (let seed = 1; seed <= 8; seed++) {
      const full = new ValueGenerator(seed * 7919).make(schema)
      const args = Object.fromEntries(
        entry.schemas.names
          .filter((name) => name.endsWith('_id'))
          .map((name) => [name, seed % 2 ? 'ENG-7' : testItems[0]!.id]),
      )
      const missing = new Auditor(schema, args, testCaller).audit(
        full,
        leanAnswer(entry, args, full, testCaller),
        entry.operation.name,
      )
      for (const name of missing) lost.add(name.replaceAll(/\[\d+\]/g, '[]'))
    }
  }
  assert.deepEqual([...lost].slice(0, 50), [])
})

test('over MCP the answer is the lean one, both as text and as object', async () => {
  const client = await connect('present')
  for (const [name, args] of [
    ['list_tasks', {}],
    ['list_messages', { channel_id: '#website' }],
    ['get_sprint_report', { sprint_id: 'Sprint 3' }],
  ] as const) {
    const entry = reads.find((read) => read.operation.name === name)!
    const { structuredContent, content } = await client.callTool({ name, arguments: args })
    const full = await askRest(entry, args)
    assert.deepEqual(structuredContent, leanAnswer(entry, args, full, self))
    assert.deepEqual(JSON.parse(content[0].text), structuredContent)
    assert.ok(content[0].text.length < JSON.stringify(full).length * 0.45, name)
  }
})

test('fields=["*"] returns each item in full, named fields stay even when empty, and unknown ones are refused', async () => {
  const client = await connect('present')
  for (const name of ['list_tasks', 'list_projects', 'list_notifications', 'list_channels']) {
    const all = await client.callTool({ name, arguments: { fields: ['*'] } })
    assert.deepEqual(
      all.structuredContent,
      await askRest(reads.find((read) => read.operation.name === name)!, {}),
    )
  }
  const selection = await client.callTool({
    name: 'list_tasks',
    arguments: { fields: ['key', 'revision', 'labels'] },
  })
  for (const item of selection.structuredContent.items)
    assert.deepEqual(Object.keys(item).sort(), ['id', 'key', 'labels', 'revision'])
  const refused = await client.callTool({
    name: 'list_channels',
    arguments: { fields: ['nothing'] },
  })
  assert.match(refused.content[0].text, /nothing is not a field of these items.*member_count/)
})

test('every list accepts fields', () => {
  const lists = reads.filter(
    (read) => read.schemas.itemFields && read.schemas.names.includes('limit'),
  )
  assert.ok(lists.length > 60)
  assert.deepEqual(
    lists
      .filter((list) => !list.schemas.names.includes('fields'))
      .map((list) => list.operation.name),
    [],
  )
})

test('a get_… of one item is complete', async () => {
  const client = await connect('present')
  const { structuredContent } = await client.callTool({
    name: 'get_task',
    arguments: { task_id: 'WEB-4' },
  })
  assert.deepEqual(
    structuredContent,
    await askRest(reads.find((read) => read.operation.name === 'get_task')!, { task_id: 'WEB-4' }),
  )
})

for (const era of ['present', 'older', 'first generation'] as const) {
  test(`for clients of the ${era} protocol every answer matches its output schema`, async () => {
    const client = await connect(era, '?output_schemas=true')
    const { tools } = await client.listTools()
    assert.ok(tools.filter((tool) => tool.outputSchema).length > 250)
    for (const { entry, args } of await allReads()) {
      const result = await client.callTool({ name: entry.operation.name, arguments: args }) // throws if it does not match
      assert.ok(!result.isError, `${entry.operation.name}: ${result.content[0].text}`)
    }
  })
}

test('a truncated page says where its text continues, and the parts add up to the whole', async () => {
  const client = await connect('present')
  const body_markdown = Array.from({ length: 6000 }, (_, i) => `Line ${i} of a löng page.`).join(
    '\n',
  )
  const page = await client.callTool({
    name: 'create_page',
    arguments: { title: 'Long', body_markdown },
  })
  let text = ''
  for (let offset: number | undefined = 0, count = 0; offset !== undefined; count++) {
    assert.ok(count < 9)
    const { structuredContent, content, _meta } = await client.callTool({
      name: 'get_page',
      arguments: { page_id: page.structuredContent.id, offset },
    })
    assert.ok(Buffer.byteLength(content[0].text) <= 65_536)
    text += structuredContent.body_markdown
    offset = structuredContent.next_offset
    if (offset === undefined) continue
    assert.equal(offset, text.length)
    assert.match(content[1].text, new RegExp(`offset=${offset}`))
    assert.equal(_meta['workspace/cut'].next_offset, offset)
  }
  assert.equal(text, body_markdown)
})
