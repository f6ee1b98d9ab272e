import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientOf, setupOf } from '../assistants/clients.ts'

// docs/connect.md: its blocks for other programs match what we print. Blocks that can run here are run by
// test/document-blocks.long.test.ts.

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/connect.md'), 'utf8')
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((match) =>
  match[1]!.trim().split('\n'),
)
const clientCommand = /^(claude|codex|gemini|code) /

test('every command for a client in the docs is one that we print for it', () => {
  const target = {
    baseUrl: 'https://work.example.org',
    selection: {},
    key: { text: 'svc_key' },
    name: 'workspace',
    bridge: ['workspace', 'mcp'],
  }
  const printed = ['claude-code', 'codex', 'gemini-cli']
    .flatMap((id) => setupOf(clientOf(id)!, target).ways.flatMap((way) => way.contents))
    .flatMap((item) => (item.kind === 'command' ? [item.text] : []))
  const foreignLines = lines.filter((line) => clientCommand.test(line))
  assert.equal(foreignLines.length, 3)
  for (const line of foreignLines)
    assert.ok(printed.includes(line.replace('svc_…', 'svc_key')), line)
})

test('every configuration in the docs is one that we print', () => {
  const key = (text: string) =>
    text.includes('${env:WORKSPACE_KEY}') ? { variable: 'WORKSPACE_KEY' } : { text: 'svc_…' }
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)].map((match) => match[1]!)
  const ids = ['cursor', 'windsurf', 'zed']
  assert.equal(blocks.length, ids.length)
  blocks.forEach((block, i) => {
    const selection = block.includes('preset=core') ? { preset: 'core' } : {}
    const setup = setupOf(clientOf(ids[i]!)!, {
      baseUrl: 'https://work.example.org',
      selection,
      key: key(block),
      name: 'workspace',
      bridge: [],
    })
    const file = setup.ways[0]!.contents.find((content) => content.kind === 'file')!
    assert.deepEqual(JSON.parse(block), JSON.parse(file.text))
  })
})

test('every message in the table of the docs exists in our sources', () => {
  const sources = globSync('src/{assistants,cli,http}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8').replace(/\$\{[^}]*\}/g, '…'))
    .join('\n')
  const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]!)
  assert.ok(messages.length >= 12)
  for (const message of messages)
    for (const part of message
      .split(/…|: /)
      .map((name) => name.trim().replace(/[.:]$/, ''))
      .filter(Boolean))
      assert.ok(sources.includes(part), `${message}: ${part}`)
})
