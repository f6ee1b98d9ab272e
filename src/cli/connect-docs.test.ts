import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientOf, setupOf } from '../connect/clients.ts'
import { leading, program, scratch, serve, workspaceJson, type Served } from '../testing/process.ts'

// docs/connect.md, line by line: what can be run here is run, what belongs to other programs is what we print for them.

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/connect.md'), 'utf8')
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(match => match[1]!.trim().split('\n'))
const ofOthers = /^(claude|codex|gemini|code) /

const { dir, remove } = scratch()
let server: Served
let key: string

before(async () => {
  const data = join(dir, 'data')
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', data)
  await workspaceJson('users', 'create', '--email', 'ann@acme.example', '--name', 'Ann', '--data', data)
  key = (await workspaceJson('keys', 'create', '--user', 'ann@acme.example', '--name', 'docs', '--data', data)).key
  server = await serve(data)
  mkdirSync(join(dir, 'bin'))
  symlinkSync(process.execPath, join(dir, 'bin', 'node'))
  writeFileSync(join(dir, 'bin', 'workspace'), `#!/bin/sh\nexec ${[program, ...leading].map(word => `"${word}"`).join(' ')} "$@"\n`, { mode: 0o755 })
})
after(async () => {
  if (server) await server.end('SIGKILL')
  remove()
})

test('every line that is to be run here works as it stands', async () => {
  const own = lines.filter(line => !ofOthers.test(line))
  assert.ok(own.length >= 10)
  const script = own.map(line => `printf '\\n# ran\\n'\n${line.replaceAll('https://work.example.org', server.url).replaceAll('svc_…', key)}`).join('\n')
  const env = { PATH: `${join(dir, 'bin')}:${process.env.PATH}`, HOME: dir, WORKSPACE_DATA: join(dir, 'data'), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    execFile('sh', ['-e', '-c', script], { cwd: dir, env }, (error, stdout, stderr) => (error ? reject(new Error(`${error.message}\n${stdout}`)) : resolve({ stdout, stderr })))
  })
  assert.equal(stdout.match(/^# ran$/gm)!.length, own.length, stderr)
  assert.match(stdout, /with the key of Ann <ann@acme\.example>/)
  assert.match(stdout, /"serverInfo":\{"name":"workspace"/)
})

test('every line for another program is one that we print for it', () => {
  const target = { baseUrl: 'https://work.example.org', selection: {}, key: { text: 'svc_key' }, name: 'workspace', bridge: ['workspace', 'mcp'] }
  const printed = ['claude-code', 'codex', 'gemini-cli'].flatMap(id => setupOf(clientOf(id)!, target).ways.flatMap(way => way.contents)).flatMap(one => (one.kind === 'command' ? [one.text] : []))
  const shown = lines.filter(line => ofOthers.test(line))
  assert.equal(shown.length, 3)
  for (const line of shown) assert.ok(printed.includes(line.replace('svc_…', 'svc_key')), line)
})

test('every configuration in it is one that we print', () => {
  const key = (text: string) => (text.includes('${env:WORKSPACE_KEY}') ? { variable: 'WORKSPACE_KEY' } : { text: 'svc_…' })
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(match => match[1]!)
  const ids = ['cursor', 'windsurf', 'zed']
  assert.equal(blocks.length, ids.length)
  blocks.forEach((block, i) => {
    const selection = block.includes('preset=core') ? { preset: 'core' } : {}
    const setup = setupOf(clientOf(ids[i]!)!, { baseUrl: 'https://work.example.org', selection, key: key(block), name: 'workspace', bridge: [] })
    const file = setup.ways[0]!.contents.find(one => one.kind === 'file')!
    assert.deepEqual(JSON.parse(block), JSON.parse(file.text))
  })
})

test('every message of the table is one of ours', () => {
  const sources = globSync('src/{connect,cli,http}/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts')).map(file => readFileSync(join(root, file), 'utf8').replace(/\$\{[^}]*\}/g, '…')).join('\n')
  const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(match => match[1]!)
  assert.ok(messages.length >= 12)
  for (const message of messages) for (const part of message.split(/…|: /).map(one => one.trim().replace(/[.:]$/, '')).filter(Boolean)) assert.ok(sources.includes(part), `${message}: ${part}`)
})
