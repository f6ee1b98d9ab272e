import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { unzipSync } from 'fflate'
import { description, desktopBundle } from '../../tools/mcpb.ts'
import {
  leading,
  program,
  scratch,
  serve,
  workspaceJson,
  type Ran,
  type Served,
} from '../testing/process.ts'

// `workspace mcp`, and the bundle with the same bridge, started like programs do: by the official clients, against a
// real server.

const { dir, remove } = scratch()
const data = join(dir, 'data')
let server: Served
let key: string
let bundle: Uint8Array
let unpacked: string

before(async () => {
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', data)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--data',
    data,
  )
  key = (
    await workspaceJson(
      'keys',
      'create',
      '--user',
      'ann@acme.test',
      '--name',
      'laptop',
      '--data',
      data,
    )
  ).key
  server = await serve(data)
  bundle = await desktopBundle()
  unpacked = join(dir, 'bundle')
  for (const [name, bytes] of Object.entries(unzipSync(bundle))) {
    mkdirSync(join(unpacked, name, '..'), { recursive: true })
    writeFileSync(join(unpacked, name), bytes)
  }
})
after(async () => {
  if (server) await server.end('SIGKILL')
  remove()
})

interface Assistant {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<any>
  getServerVersion(): { name: string } | undefined
  close(): Promise<void>
}

type ProcessStart = { command: string; args: string[]; env: Record<string, string> }

const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
const inherited = { PATH, NODE_COMPILE_CACHE, HOME: dir }
const commandStart = (...args: string[]): ProcessStart => ({
  command: program,
  args: [...leading, 'mcp', '--data', data, ...args],
  env: { ...inherited, WORKSPACE_KEY: key },
})
/** Starts it as a program that has read the manifest: with values filled in, and omitted ones under their own names. */
const bundleStart = (): ProcessStart => ({
  command: process.execPath,
  args: [join(unpacked, 'server/index.js')],
  env: {
    ...inherited,
    WORKSPACE_URL: server.url,
    WORKSPACE_KEY: key,
    WORKSPACE_PRESET: '${user_config.preset}',
    WORKSPACE_READONLY: 'false',
    WORKSPACE_ALLOW_HTTP: 'false',
  },
})

async function connect(generation: string, start: ProcessStart): Promise<Assistant> {
  const info = { name: 'tests', version: '1' }
  const client =
    generation === 'first generation'
      ? new OldClient(info)
      : new Client(info, {
          versionNegotiation: { mode: generation === 'present' ? 'auto' : 'legacy' },
        })
  const transport =
    generation === 'first generation' ? new OldTransport(start) : new StdioClientTransport(start)
  await client.connect(transport as never)
  return client as unknown as Assistant
}

for (const generation of ['present', 'older', 'first generation']) {
  for (const [starterName, start] of [
    ['the command', commandStart],
    ['the bundle', bundleStart],
  ] as const) {
    test(`a client of the ${generation} works through ${starterName} as it does without`, async () => {
      const client = await connect(generation, start())
      assert.equal(client.getServerVersion()?.name, 'workspace')
      assert.ok((await client.listTools()).tools.length > 80)
      const label = await client.callTool({
        name: 'create_label',
        arguments: { name: `${generation} ${starterName}` },
      })
      assert.equal(label.structuredContent.created_via, 'mcp')
      assert.equal(
        (await client.callTool({ name: 'get_task', arguments: { task_id: 'nothing' } }))
          .structuredContent.code,
        'not_found',
      )
      await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/)
      await client.close()
    })
  }
}

test('many concurrent calls are all answered', async () => {
  const client = await connect('older', commandStart())
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      client.callTool({ name: 'create_label', arguments: { name: `Many ${i}` } }),
    ),
  )
  assert.deepEqual(
    results.map((result) => result.structuredContent.name),
    Array.from({ length: 40 }, (_, i) => `Many ${i}`),
  )
  await client.close()
})

test('an assistant keeps working after the instance restarts', async (t) => {
  for (const generation of ['present', 'older']) {
    const client = await connect(generation, commandStart('--url', server.url))
    t.after(() => client.close())
    await client.callTool({ name: 'list_labels', arguments: {} })
    const { port } = new URL(server.url)
    await server.end('SIGTERM')
    await assert.rejects(
      client.callTool({ name: 'list_labels', arguments: {} }),
      /cannot be reached: nothing listens there/,
    )
    server = await serve(data, '--port', port)
    assert.ok(
      (await client.callTool({ name: 'list_labels', arguments: {} })).structuredContent.items,
      generation,
    )
  }
})

const send = (method: string, path: string, body: unknown) =>
  fetch(`${server.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const uri = 'workspace://tasks/ENG-1'

/** A client that collects its resource notifications. */
async function connectSubscriber(
  generation: string,
  start: ProcessStart,
): Promise<{ client: Client; received: string[] }> {
  const client = (await connect(generation, start)) as unknown as Client
  const received: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void received.push(params.uri),
  )
  return { client, received }
}

async function waitForUpdate(received: readonly string[]): Promise<void> {
  while (received.length === 0) await pause(20)
  assert.deepEqual(received, [uri])
}

test('an assistant is notified of its subscriptions in both eras, and no longer after unsubscribing', async (t) => {
  assert.equal((await send('POST', '/projects', { name: 'Engine', key: 'ENG' })).status, 201)
  assert.equal(
    (await send('POST', '/tasks', { project_id: 'ENG', title: 'Oil the valves' })).status,
    201,
  )
  for (const generation of ['present', 'older']) {
    const { client, received } = await connectSubscriber(generation, commandStart())
    t.after(() => client.close())
    const subscription =
      generation === 'present'
        ? await client.listen({ resourceSubscriptions: [uri] })
        : await client.subscribeResource({ uri })
    await send('PATCH', '/tasks/ENG-1', { title: `Oil them, ${generation}` })
    await waitForUpdate(received)
    await ('close' in subscription
      ? (subscription as { close(): Promise<void> }).close()
      : client.unsubscribeResource({ uri }))
    await send('PATCH', '/tasks/ENG-1', { title: `Oil all, ${generation}` })
    await pause(100)
    assert.deepEqual(received, [uri], generation)
  }
})

test('subscriptions of a session carry over to the one that replaces it', async (t) => {
  const { client, received } = await connectSubscriber('older', commandStart('--url', server.url))
  t.after(() => client.close())
  await client.subscribeResource({ uri })
  const { port } = new URL(server.url)
  await server.end('SIGTERM')
  server = await serve(data, '--port', port)
  await client.callTool({ name: 'list_labels', arguments: {} })
  for (let i = 1; received.length === 0; i++) {
    await send('PATCH', '/tasks/ENG-1', { title: `Oil them once more, ${i}` }) // notifications are lost until the stream and the subscription exist, which come after the answer
    await pause(100)
  }
  assert.deepEqual(new Set(received), new Set([uri]))
})

function run({ command, args, env }: ProcessStart, input: string): Promise<Ran> {
  const child = spawn(command, args, { env })
  const ran: Ran = { code: 0, stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => (ran.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (ran.stderr += part.toString()))
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code: code ?? 1 })))
}

const initializeLine = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tests', version: '1' } } })}\n`

test('piped input is answered, nothing else goes to stdout, and the process exits', async () => {
  const { code, stdout, stderr } = await run(
    commandStart(),
    `${initializeLine}${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_me', arguments: {} } })}\n`,
  )
  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: any })
  assert.deepEqual(
    lines.map((line) => line.id),
    [1, 2],
  )
  assert.equal(lines[1]!.result.structuredContent.person.email, 'ann@acme.test')
})

test('a wrong key is reported in the response and on stderr, and appears in neither', async () => {
  const wrong = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  const { stdout, stderr } = await run(
    { ...commandStart(), env: { ...inherited, WORKSPACE_KEY: wrong } },
    initializeLine,
  )
  assert.match(
    JSON.parse(stdout).error.message,
    /does not accept the key \(401\)\. Check that it is complete/,
  )
  assert.match(stderr, /^workspace mcp: .*401/)
  assert.ok(!(stdout + stderr).includes(wrong.slice(16)))
})

test('the key can be read from a file', async () => {
  const file = join(dir, 'key')
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  const { stdout } = await run(
    { ...commandStart('--key-file', file), env: inherited },
    initializeLine,
  )
  assert.equal(JSON.parse(stdout).result.serverInfo.name, 'workspace')
})

test('without an instance, a key or a secure connection it does not start and says what to do', async () => {
  const empty = join(dir, 'empty')
  const assertFails = async (start: ProcessStart, why: RegExp) => {
    const { code, stdout, stderr } = await run(start, initializeLine)
    assert.deepEqual([code, stdout], [78, ''])
    assert.match(stderr, why)
  }
  await assertFails(
    { ...commandStart(), args: [...leading, 'mcp', '--data', empty] },
    /No instance runs on this data folder[\s\S]+--url https:/,
  )
  await assertFails({ ...commandStart(), env: inherited }, /There is no key in WORKSPACE_KEY/)
  await assertFails(commandStart('--key-file', join(dir, 'nowhere')), /The key cannot be read/)
  await assertFails(
    commandStart('--url', 'http://work.example.org'),
    /anyone on the network could read the key[\s\S]+--allow-http/,
  )
  await assertFails(commandStart('--toolsets', 'no good'), /is not a toolset/)
  const { code } = await run(commandStart('--key', key), '')
  assert.equal(code, 2, 'a key on the command line would appear in the process list')
})

test('the address is taken from the environment when no instance runs here', async () => {
  const { stdout } = await run(
    {
      ...commandStart(),
      args: [...leading, 'mcp', '--data', join(dir, 'empty')],
      env: { ...inherited, WORKSPACE_KEY: key, WORKSPACE_URL: server.url },
    },
    initializeLine,
  )
  assert.equal(JSON.parse(stdout).result.serverInfo.name, 'workspace')
})

test('the bundle is reproducible, and registries get its hash', async () => {
  assert.deepEqual(Buffer.from(await desktopBundle()), Buffer.from(bundle))
  const listing = JSON.parse(description(bundle))
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bundle))).toString(
    'hex',
  )
  assert.deepEqual(
    [
      listing.packages[0].registryType,
      listing.packages[0].fileSha256,
      listing.packages[0].transport,
    ],
    ['mcpb', hash, { type: 'stdio' }],
  )
  assert.match(
    listing.packages[0].identifier,
    /^https:\/\/github\.com\/[\w-]+\/[\w-]+\/releases\/download\/v[\d.]+\/workspace\.mcpb$/,
  )
})

test('server.json stays within the limits of its schema and describes every variable', () => {
  const {
    $schema,
    name,
    title,
    description: about,
    version,
    remotes,
  } = JSON.parse(description(bundle))
  assert.equal(
    $schema,
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  )
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.ok(title.length <= 100 && about.length <= 100 && /^\d+\.\d+\.\d+$/.test(version))
  const [{ type, url, variables, headers }] = remotes
  assert.deepEqual(
    [type, [...url.matchAll(/\{(\w+)\}/g)].map((match) => match[1])],
    ['streamable-http', Object.keys(variables)],
  )
  for (const header of headers)
    assert.deepEqual(
      [[...header.value.matchAll(/\{(\w+)\}/g)].map((match) => match[1]), header.isSecret],
      [Object.keys(header.variables), true],
    )
})

test('the bundle’s manifest lists its contents and requests exactly the settings that it uses', () => {
  const files = unzipSync(bundle)
  const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString())
  assert.deepEqual(Object.keys(files).sort(), ['icon.png', 'manifest.json', 'server/index.js'])
  assert.deepEqual(
    [manifest.manifest_version, manifest.server.type, manifest.server.entry_point, manifest.icon],
    ['0.3', 'node', 'server/index.js', 'icon.png'],
  )
  for (const field of ['name', 'version', 'description'])
    assert.equal(typeof manifest[field], 'string')
  const used = Object.values(manifest.server.mcp_config.env as Record<string, string>).map(
    (text) => /^\$\{user_config\.(\w+)\}$/.exec(text)?.[1],
  )
  assert.deepEqual(used, Object.keys(manifest.user_config))
  for (const { type, title, description: about } of Object.values(
    manifest.user_config as Record<string, any>,
  ))
    assert.ok(['string', 'boolean'].includes(type) && title && about)
  assert.equal(manifest.user_config.api_key.sensitive, true)
  assert.deepEqual([...files['icon.png']!.slice(1, 4)], [...Buffer.from('PNG')])
})
