import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { entryOf, type Entry } from '../core/catalogue.ts'
import { modules } from '../modules/index.ts'
import { scratch, serve, workspaceJson, type Served } from '../testing/process.ts'
import { equals, isEmpty, isImplied, leanAnswer, namedBy, onlyInGet, onlyInGetOf, opaqueNames, taskInside } from './lean.ts'

// What answers over MCP leave out, held against the whole answers of REST on the data of the demo: for each read, everything
// that is missing has to follow from the rest of the answer, or be among the fields that only get_… gives.

type Fields = Record<string, any>
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object }[] }>
  callTool(params: { name: string; arguments: Fields }): Promise<any>
  close(): Promise<void>
}

const { dir, remove } = scratch()
let server: Served
let key: string
const clients: AnyClient[] = []

before(async () => {
  const made = await workspaceJson('demo', '--keys', '--data', dir)
  key = made.people.find((one: { email: string }) => one.email.startsWith('mia@')).key
  server = await serve(dir)
})
after(async () => {
  await Promise.allSettled(clients.map(client => client.close()))
  if (server && server.child.exitCode === null) await server.end('SIGKILL')
  remove()
})

async function connect(era: 'present' | 'older' | 'first generation', query = ''): Promise<AnyClient> {
  const url = new URL(`${server.url}/mcp${query}`)
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  const info = { name: 'lean', version: '1' }
  const mode = era === 'present' ? 'auto' : 'legacy'
  const client = era === 'first generation' ? new OldClient(info) : new Client(info, { versionNegotiation: { mode } })
  const transport = era === 'first generation' ? new OldTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  await client.connect(transport as never)
  clients.push(client as unknown as AnyClient)
  return client as unknown as AnyClient
}

const reads: Entry[] = modules.flatMap(module => module.operations
  .filter(operation => operation.kind === 'read' && !operation.unlisted)
  .map(operation => entryOf(module.name, operation)))

/** The whole answer, over REST; undefined where the arguments do not fit. */
async function askRest({ operation, schemas }: Entry, args: Fields): Promise<any> {
  const [method, path] = operation.rest.split(' ') as [string, string]
  const url = new URL(server.url + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args[name])))
  const others = Object.entries(args).filter(([name]) => !schemas.path.includes(name))
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (method === 'GET') for (const [name, value] of others) url.searchParams.set(name, String(value))
  else headers['content-type'] = 'application/json'
  const body = method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(others)) }
  const response = await fetch(url, { method, headers, ...body })
  return response.ok && response.headers.get('content-type')?.includes('json') ? response.json() : undefined
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const plain: Fields = {
  query: 'prices', topic: 'website', project_id: 'WEB', task_id: 'WEB-4', channel_id: '#website', item_id: 'WEB-4',
  person_id: 'me', incident_id: 'INC-1', from: day(-30), to: day(7), since: day(-30), group_by: 'project',
  attendees: ['tom@demo-studio.example'], duration_minutes: 30, name: 'list_tasks', tool_name: 'list_tasks',
}

let asked: Promise<{ entry: Entry; args: Fields; full: any }[]> | undefined

/** Every read whose required arguments can be filled with what lists have shown, with its whole answer. */
function allReads(): Promise<{ entry: Entry; args: Fields; full: any }[]> {
  return (asked ??= askAll())
}

async function askAll(): Promise<{ entry: Entry; args: Fields; full: any }[]> {
  const known: Fields = { ...plain }
  const found: { entry: Entry; args: Fields; full: any }[] = []
  for (const entry of reads.toSorted((a, b) => required(a).length - required(b).length)) {
    const names = required(entry)
    if (!names.every(name => name in known)) continue
    const args = Object.fromEntries(names.map(name => [name, known[name]]))
    const full = await askRest(entry, args)
    if (full === undefined) continue
    found.push({ entry, args, full })
    const item = full.items?.[0]
    const noun = entry.operation.name.replace(/^list_/, '').replace(/ies$/, 'y').replace(/s$/, '').replace(/^email_/, '')
    if (typeof item?.id === 'string') known[`${noun}_id`] ??= item.id
  }
  return found
}

function required({ schemas }: Entry): string[] {
  return (schemas.toolJson.required as string[] | undefined) ?? []
}

/** Follows a lean answer beside the whole one, and notes what is missing and does not follow from the rest. */
class Auditor {
  readonly lost: string[] = []
  readonly #opaque: ReadonlySet<string>
  readonly #named: ReadonlySet<string>
  readonly #titles = new Map<string, Set<string>>()
  readonly #emails = new Map<string, string>()

  constructor(entry: Entry, args: Fields) {
    this.#opaque = opaqueNames(entry)
    this.#named = namedBy(args)
  }

  compare(full: any, lean: any, path: string, depth: 'top' | 'listed' | 'inside', around?: Fields): void {
    if (Array.isArray(full)) {
      assert.equal(lean.length, full.length, `${path} has all of its entries`)
      const within = depth === 'top' ? 'listed' : 'inside'
      return full.forEach((one, i) => this.compare(one, lean[i], `${path}[${i}]`, depth === 'listed' ? 'listed' : within, around))
    }
    if (full === null || typeof full !== 'object') return assert.deepEqual(lean, full, path)
    for (const name of Object.keys(lean)) assert.ok(name in full, `${path}.${name} is in the whole answer`)
    for (const [name, value] of Object.entries(full)) {
      const at = `${path}.${name}`
      if (name in lean) {
        if (this.#opaque.has(name)) assert.deepEqual(lean[name], value, at)
        else this.compare(value, lean[name], at, depth === 'top' && name === 'items' ? 'listed' : 'inside', full)
      } else if (!this.#follows(full, lean, name, depth, around)) this.lost.push(at)
    }
    this.#learn(lean)
  }

  #follows(full: Fields, lean: Fields, name: string, depth: string, around?: Fields): boolean {
    const value = full[name]
    if (depth === 'top') return value === null || (typeof value === 'object' && Object.keys(value).length === 0) || isImplied(full, name)
    if (isBare(name, value) || isImplied(full, name)) return true
    const kind = String(full.id).slice(0, 3)
    if (onlyInGet.has(name) || onlyInGetOf[kind]?.has(name)) return true
    if (kind === 'tsk' && depth === 'inside' && 'status' in full && !taskInside.has(name)) return true
    if (depth === 'listed' && this.#named.has(name)) return true
    if (around?.[name]?.id !== undefined && around[name].id === value?.id) return true
    if (name === 'id' && typeof full.key === 'string' && lean.key === full.key) return true
    if (name === 'id' && this.#titles.get(full.title)?.size === 1) return this.#titles.get(full.title)!.has(full.id)
    if ((name === 'title' || name === 'key') && (lean.key ?? lean.title) !== undefined) return true
    if (name === 'email') return this.#emails.get(full.name) === value
    if (name === 'title' && around?.name === value) return true
    return (name === 'person' || name === 'contact') && value.title === full.name
  }

  #learn({ id, title, name, email, person, contact }: Fields): void {
    if (typeof title === 'string' && typeof id === 'string') this.#know(title, id)
    if (typeof name === 'string') for (const one of [person, contact]) if (typeof one?.id === 'string') this.#know(name, one.id)
    if (typeof name === 'string' && typeof email === 'string' && !this.#emails.has(name)) this.#emails.set(name, email)
  }

  #know(title: string, id: string): void {
    this.#titles.set(title, (this.#titles.get(title) ?? new Set()).add(id))
  }
}

function isBare(name: string, value: unknown): boolean {
  if (isEmpty(name, value)) return true
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.entries(value).every(([inner, one]) => isBare(inner, one))
}

test('what a lean answer leaves out follows from the rest of it, or is for get_… only: every read that has an answer', async () => {
  const asked = await allReads()
  assert.ok(asked.length > 80, `only ${asked.length} reads could be asked`)
  const lost = asked.flatMap(({ entry, args, full }) => {
    const lean = leanAnswer(entry, args, full)
    const auditor = new Auditor(entry, args)
    auditor.compare(full, lean, entry.operation.name, 'top')
    return auditor.lost
  })
  assert.deepEqual(lost, [])
})

test('over MCP the answer is that lean one, and both text and object are it', async () => {
  const client = await connect('present')
  for (const [name, args] of [['list_tasks', {}], ['list_messages', { channel_id: '#website' }], ['get_sprint_report', { sprint_id: 'Sprint 3' }]] as const) {
    const entry = reads.find(one => one.operation.name === name)!
    const { structuredContent, content } = await client.callTool({ name, arguments: args })
    const full = await askRest(entry, args)
    assert.deepEqual(structuredContent, leanAnswer(entry, args, full))
    assert.deepEqual(JSON.parse(content[0].text), structuredContent)
    assert.ok(content[0].text.length < JSON.stringify(full).length * 0.45, name)
  }
})

test('fields=["*"] gives all of each item, named fields stay even when empty, and unknown ones are refused', async () => {
  const client = await connect('present')
  for (const name of ['list_tasks', 'list_projects', 'list_notifications', 'list_channels']) {
    const all = await client.callTool({ name, arguments: { fields: ['*'] } })
    assert.deepEqual(all.structuredContent, await askRest(reads.find(one => one.operation.name === name)!, {}))
  }
  const some = await client.callTool({ name: 'list_tasks', arguments: { fields: ['key', 'revision', 'labels'] } })
  for (const item of some.structuredContent.items) assert.deepEqual(Object.keys(item).sort(), ['id', 'key', 'labels', 'revision'])
  const refused = await client.callTool({ name: 'list_channels', arguments: { fields: ['nothing'] } })
  assert.match(refused.content[0].text, /nothing is not a field of these items.*member_count/)
})

test('every list takes fields', () => {
  const lists = reads.filter(one => one.schemas.itemFields && one.schemas.names.includes('limit'))
  assert.ok(lists.length > 60)
  assert.deepEqual(lists.filter(one => !one.schemas.names.includes('fields')).map(one => one.operation.name), [])
})

test('a get_… of one item is whole', async () => {
  const client = await connect('present')
  const { structuredContent } = await client.callTool({ name: 'get_task', arguments: { task_id: 'WEB-4' } })
  assert.deepEqual(structuredContent, await askRest(reads.find(one => one.operation.name === 'get_task')!, { task_id: 'WEB-4' }))
})

for (const era of ['present', 'older', 'first generation'] as const) {
  test(`clients of the ${era} protocol find every answer in accord with its output schema`, async () => {
    const client = await connect(era, '?output_schemas=true')
    const { tools } = await client.listTools()
    assert.ok(tools.filter(one => one.outputSchema).length > 250)
    for (const { entry, args } of await allReads()) {
      const result = await client.callTool({ name: entry.operation.name, arguments: args }) // throws where it is not
      assert.ok(!result.isError, `${entry.operation.name}: ${result.content[0].text}`)
    }
  })
}

test('a page that is cut tells where its text goes on, and the parts make the whole', async () => {
  const client = await connect('present')
  const body_markdown = Array.from({ length: 6000 }, (_, i) => `Line ${i} of a löng page.`).join('\n')
  const made = await client.callTool({ name: 'create_page', arguments: { title: 'Long', body_markdown } })
  let text = ''
  for (let offset: number | undefined = 0, count = 0; offset !== undefined; count++) {
    assert.ok(count < 9)
    const { structuredContent, content, _meta } = await client.callTool({ name: 'get_page', arguments: { page_id: made.structuredContent.id, offset } })
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

test('the rules name no field twice', () => {
  assert.equal(new Set(equals.map(pair => pair.join())).size, equals.length)
})
