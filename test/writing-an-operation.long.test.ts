import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { applyPatch } from 'diff'

// docs/writing-an-operation.md is followed letter by letter in a copy of the sources.

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/writing-an-operation.md'), 'utf8')
const copy = mkdtempSync(join(tmpdir(), 'workspace-sources-'))
const run = promisify(execFile)

before(() => {
  for (const name of [
    'src',
    'docs',
    'tools',
    'package.json',
    'tsconfig.json',
    'schema.sql',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'LICENSE',
  ]) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
  }
  for (const modules of ['node_modules', 'tools/runtime/node_modules'])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(copy, modules))
  for (const [, path, text] of page.matchAll(/`([\w/.-]+\.ts)`:\n\n```ts\n([^]*?)```/g)) {
    mkdirSync(join(copy, path!, '..'), { recursive: true })
    writeFileSync(join(copy, path!), text!)
  }
})
after(() => rmSync(copy, { recursive: true, force: true }))

test('the change of the list of the module fits', () => {
  const [, path, change] = /```diff\n(?=--- a\/(.+)\n)([^]*?)```/.exec(page)!
  const changed = applyPatch(readFileSync(join(copy, path!), 'utf8'), change!)
  assert.ok(changed, `${path} is another one by now: write the block anew`)
  writeFileSync(join(copy, path!), changed)
})

const commands = /```sh\n([^]*?)```/.exec(page)![1]!.trim().split('\n')
for (const command of commands) {
  test(`${command} succeeds`, async () => {
    await run('sh', ['-c', command], {
      cwd: copy,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
  })
}

test('the operation is in the snapshot, the reference and the types', () => {
  assert.equal(commands.length, 4)
  for (const path of [
    'src/catalogue.snapshot',
    'docs/reference/tasks.md',
    'docs/reference/permissions.md',
    'src/web/api/operations.ts',
  ])
    assert.match(readFileSync(join(copy, path), 'utf8'), /raise_task_priority/, path)
})
