import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { scratch, serve, workspace, workspaceJson, type Served } from '../src/testing/process.ts'

// Acceptance test of the whole: commands, a server and official clients, each a separate process or connection. The
// tests are one story and run in order.

interface Key {
  id: string
  key: string
}

/** A connected assistant, with either generation of the official client. */
interface Assistant {
  listTools(): Promise<{
    tools: { name: string; annotations?: Record<string, unknown> | undefined }[]
  }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<any>
  close(): Promise<void>
}

/** An assistant that was connected with a key, and the status of its last request. */
interface Connected {
  era: string
  client: Assistant
  status(): number | undefined
}

const { dir, remove } = scratch()
let server: Served
const keys: Record<'laptop' | 'phone' | 'bob', Key> = {} as never
const opened: Assistant[] = []

const command = (...args: string[]) => workspaceJson(...args, '--data', dir)
const newKey = (email: string, name: string) =>
  command('keys', 'create', '--user', email, '--name', name) as Promise<Key>

before(async () => {
  await command('orgs', 'create', '--name', 'Acme')
  await command('users', 'create', '--email', 'ann@acme.test', '--name', 'Ann', '--admin')
  await command('users', 'create', '--email', 'bob@acme.test', '--name', 'Bob')
  keys.laptop = await newKey('ann@acme.test', 'laptop')
  keys.phone = await newKey('ann@acme.test', 'phone')
  server = await serve(dir)
  keys.bob = await newKey('bob@acme.test', 'laptop')
})
after(async () => {
  await Promise.allSettled(opened.map((client) => client.close()))
  if (server && server.child.exitCode === null) await server.end('SIGKILL')
  remove()
})

/** A REST call; the caller checks whether it is refused. */
async function rest(
  { key }: Key,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: any }> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: await answer.json() }
}

async function connect(
  era: 'present' | 'older' | 'first generation',
  { key }: Key,
): Promise<Connected> {
  let status: number | undefined
  const watched: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    status = answer.status
    return answer
  }
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch: watched }
  const url = new URL(`${server.url}/mcp`)
  const info = { name: 'house', version: '1' }
  const client =
    era === 'first generation'
      ? new OldClient(info)
      : new Client(info, { versionNegotiation: { mode: era === 'present' ? 'auto' : 'legacy' } })
  await client.connect(
    (era === 'first generation'
      ? new OldTransport(url, options)
      : new StreamableHTTPClientTransport(url, options)) as never,
  )
  opened.push(client as unknown as Assistant)
  return { era, client: client as unknown as Assistant, status: () => status }
}

const connectAll = (key: Key) =>
  Promise.all((['present', 'older', 'first generation'] as const).map((era) => connect(era, key)))

/** Calls a tool that must not be refused. */
async function use(
  { client }: Connected,
  name: string,
  args: Record<string, unknown> = {},
): Promise<any> {
  const result = await client.callTool({ name, arguments: args })
  assert.notEqual(result.isError, true, JSON.stringify(result.structuredContent))
  return result.structuredContent
}

/** Checks that every access with this key is closed: REST, and the assistants connected with it. */
async function assertShut(key: Key, assistants: readonly Connected[]): Promise<void> {
  const { status, json } = await rest(key, 'GET', '/tasks')
  assert.deepEqual([status, json.code], [401, 'unauthenticated'])
  for (const { era, client, status } of assistants) {
    await assert.rejects(client.callTool({ name: 'list_tasks', arguments: {} }))
    assert.equal(status(), 401, era)
  }
}

test('assistants of every protocol revision get the whole catalogue, with its kinds', async () => {
  const { stdout } = await workspace(['call', '--list', '--json'])
  const hints = { read: [true, false], write: [false, false], destructive: [false, true] }
  const isForResearch = ({ name }: { name: string }) => ['search', 'fetch'].includes(name)
  const operations = JSON.parse(stdout) as { name: string; kind: keyof typeof hints }[]
  const expected = operations
    .filter((operation) => !isForResearch(operation))
    .map(({ name, kind }) => [name, ...hints[kind]])
  assert.ok(expected.length > 80)
  for (const { era, client } of await connectAll(keys.laptop)) {
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name, annotations }) => [
        name,
        // A missing hint has the protocol's default; a read tool is never destructive.
        annotations?.readOnlyHint ?? false,
        annotations?.destructiveHint ?? !annotations?.readOnlyHint,
      ]),
      expected,
      era,
    )
  }
})

test('items created by assistants are listed by every assistant, REST and the command line', async () => {
  await rest(keys.laptop, 'POST', '/projects', { name: 'Engine room', key: 'ENG' })
  const assistants = await connectAll(keys.laptop)
  for (const assistant of assistants)
    assert.equal(
      (
        await use(assistant, 'create_task', {
          project_id: 'ENG',
          title: `Oil the valves, ${assistant.era}`,
        })
      ).created_via,
      'mcp',
    )
  const createdTask = await rest(keys.laptop, 'POST', '/tasks', {
    project_id: 'ENG',
    title: 'Oil the valves, by hand',
  })
  assert.deepEqual(
    [createdTask.status, createdTask.json.key, createdTask.json.created_via],
    [201, 'ENG-4', 'api'],
  )
  const { json } = await rest(keys.laptop, 'GET', '/tasks?project_id=ENG')
  assert.deepEqual(json.items.map((task: { key: string }) => task.key).sort(), [
    'ENG-1',
    'ENG-2',
    'ENG-3',
    'ENG-4',
  ])
  for (const assistant of assistants)
    assert.deepEqual(
      await use(assistant, 'list_tasks', { project_id: 'ENG', fields: ['*'] }),
      json,
      assistant.era,
    )
  const shell = await workspace([
    'call',
    'list_tasks',
    '--as',
    'ann@acme.test',
    '--data',
    dir,
    '--project-id',
    'ENG',
  ])
  assert.deepEqual(JSON.parse(shell.stdout), json)
})

test('a person outside the project sees nothing of it through any interface', async () => {
  const { json: project } = await rest(keys.laptop, 'GET', '/projects/ENG')
  const { json: task } = await rest(keys.laptop, 'GET', '/tasks/ENG-1')
  await rest(keys.laptop, 'DELETE', '/tasks/ENG-3')
  for (const path of [
    '/tasks',
    '/tasks/search?query=valves',
    '/activities?kind=task',
    '/trash-items',
    '/projects',
    '/changes',
  ]) {
    const mine = await rest(keys.laptop, 'GET', path)
    assert.match(JSON.stringify(mine.json), /ENG|valves/, `${path} shows it to who is a member`)
    const { status, json } = await rest(keys.bob, 'GET', path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(JSON.stringify(json), /ENG|valves|Engine/, path)
  }
  assert.deepEqual((await rest(keys.bob, 'GET', '/tasks')).json, { items: [], has_more: false })
  const counts = await rest(keys.bob, 'GET', '/tasks/counts?group_by=status')
  assert.deepEqual([counts.json.total, counts.json.groups], [0, []])

  const unknownTask = task.id.slice(0, 4) + '0'.repeat(task.id.length - 4)
  const unknownProject = project.id.slice(0, 4) + '0'.repeat(project.id.length - 4)
  const twins = [
    [`/tasks/${task.id}`, `/tasks/${unknownTask}`],
    ['/tasks/ENG-1', '/tasks/NONE-1'],
    ['/tasks/ENG-3', '/tasks/NONE-3'],
    ['/projects/ENG', '/projects/NONE'],
    [`/projects/${project.id}`, `/projects/${unknownProject}`],
    ['/tasks?project_id=ENG', '/tasks?project_id=NONE'],
    [`/activities?item_id=${task.id}`, `/activities?item_id=${unknownTask}`],
  ] as const
  for (const [there, nowhere] of twins) {
    const [hidden, unknown] = [
      await rest(keys.bob, 'GET', there),
      await rest(keys.bob, 'GET', nowhere),
    ]
    assert.equal(hidden.status, 404, there)
    assert.deepEqual(said(hidden.json), said(unknown.json), there)
  }
  const assistant = await connect('present', keys.bob)
  const [hidden, unknown] = await Promise.all(
    ['ENG-1', 'NONE-1'].map((key) =>
      assistant.client.callTool({ name: 'update_task', arguments: { task_id: key, title: 'x' } }),
    ),
  )
  assert.equal(hidden.structuredContent.code, 'not_found')
  assert.deepEqual(hidden.content, unknown.content)
  assert.deepEqual(await use(assistant, 'list_tasks'), { items: [], has_more: false })
})

/** A refusal without request-specific fields. */
function said({ request_id, instance, ...rest }: Record<string, unknown>): unknown {
  return rest
}

test('calls over every transport are in the call log', async () => {
  const { json } = await rest(keys.laptop, 'GET', '/api-calls?tool=create_task')
  assert.deepEqual(
    json.items
      .map((item: { transport: string; key: { id: string } }) => [item.transport, item.key.id])
      .sort(),
    [...Array(3).fill(['mcp', keys.laptop.id]), ['rest', keys.laptop.id]],
  )
  assert.ok(json.items.some((item: { client?: { name: string } }) => item.client?.name === 'house'))
  const others = await rest(keys.bob, 'GET', '/api-calls')
  assert.ok(others.json.items.every((item: { key: { id: string } }) => item.key.id === keys.bob.id))
})

test('a key revoked by another process is refused at the very next request, everywhere', async () => {
  const assistants = await connectAll(keys.laptop)
  for (const assistant of assistants) await use(assistant, 'list_tasks')
  assert.equal((await rest(keys.laptop, 'GET', '/tasks')).status, 200)
  await command('keys', 'revoke', keys.laptop.id)
  await assertShut(keys.laptop, assistants)
  assert.equal(
    (await rest(keys.phone, 'GET', '/tasks')).status,
    200,
    'the other key of the same person',
  )
})

test('each interface rejects a revoked key independently, without a prior request on another one', async () => {
  for (const era of ['present', 'older', 'first generation'] as const) {
    const key = await newKey('ann@acme.test', era)
    const connected = await connect(era, key)
    await use(connected, 'list_tasks')
    await command('keys', 'revoke', key.id)
    await assert.rejects(connected.client.callTool({ name: 'list_tasks', arguments: {} }))
    assert.equal(connected.status(), 401, era)
  }
})

test('a deactivated person is refused at the next request, with all keys', async () => {
  const assistants = await connectAll(keys.phone)
  for (const assistant of assistants) await use(assistant, 'get_me')
  await command('users', 'set-role', 'bob@acme.test', 'admin')
  await command('users', 'deactivate', 'ann@acme.test')
  await assertShut(keys.phone, assistants)
  assert.equal((await rest(keys.bob, 'GET', '/tasks')).status, 200, 'somebody else')
})

test('a second server on the same data directory exits with 75', async () => {
  const second = await workspace(['serve', '--data', dir, '--port', '0'])
  assert.equal(second.code, 75)
  assert.ok(second.stderr.includes(server.url))
})

test('the server exits with 0 on request, and the call log is intact before and after', async () => {
  assert.equal((await workspace(['audit', 'verify', '--data', dir])).code, 0)
  assert.equal(await server.end('SIGTERM'), 0)
  assert.equal((await workspace(['audit', 'verify', '--data', dir])).code, 0)
})
