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

// Follows the documents that walk through a change, literally, in a copy of the sources.

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['writing-an-operation', 'common-changes'].map((name) => ({
  name,
  text: readFileSync(join(root, 'docs', `${name}.md`), 'utf8'),
}))
const copy = mkdtempSync(join(tmpdir(), 'workspace-sources-'))
const run = promisify(execFile)

before(() => {
  for (const name of [
    'bench',
    'src',
    'docs',
    'test',
    'tools',
    '.gitignore',
    'package.json',
    'tsconfig.json',
    'biome.json',
    'knip.json',
    'bin',
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
})
after(() => rmSync(copy, { recursive: true, force: true }))

for (const { name, text } of pages) {
  test(`the blocks of ${name} match the sources`, () => {
    for (const [, path, source] of text.matchAll(
      /`([\w/.-]+\.(?:ts|sql))`:\n\n```(?:ts|sql)\n([^]*?)```/g,
    )) {
      mkdirSync(join(copy, path!, '..'), { recursive: true })
      writeFileSync(join(copy, path!), source!)
    }
    for (const [, path, change] of text.matchAll(/```diff\n(?=--- a\/(.+)\n)([^]*?)```/g)) {
      const changed = applyPatch(readFileSync(join(copy, path!), 'utf8'), change!)
      assert.ok(changed, `${path} is another one by now: write the block anew`)
      writeFileSync(join(copy, path!), changed)
    }
  })

  for (const [, block] of text.matchAll(/```sh\n([^]*?)```/g))
    for (const command of block!.trim().split('\n'))
      test(`${name}: ${command} succeeds`, async () => {
        await run('sh', ['-c', command], {
          cwd: copy,
          env: { ...process.env, NODE_TEST_CONTEXT: undefined },
        })
      })
}

test('the code added by the pages passes the check and the house rules', async () => {
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const rules = ['words', 'names', 'imports', 'catalogue'].map((name) => `test/${name}.test.ts`)
  await run('npm', ['run', 'check'], { cwd: copy, env })
  await run('npm', ['test', '--', '--no-check', ...rules], { cwd: copy, env })
})

test('the operations are in the snapshot, the reference and the types', () => {
  const places = {
    raise_task_priority: ['docs/reference/tasks.md', 'docs/reference/permissions.md'],
    list_unused_labels: ['docs/reference/labels.md'],
  }
  for (const [operation, paths] of Object.entries(places))
    for (const path of ['src/catalogue.snapshot', 'src/web/api/operations.ts', ...paths])
      assert.ok(readFileSync(join(copy, path), 'utf8').includes(operation), path)
})
