import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import GithubSlugger from 'github-slugger'
import { referencePages } from '../tools/reference.ts'
import { endpointTable } from '../tools/web-api.ts'
import { Catalogue } from '../src/operations/catalogue.ts'
import { refusalStatus } from '../src/kernel/refusal.ts'
import { settingList } from '../src/config/settings.ts'
import { endpointsWith } from '../src/http/web/endpoints.ts'
import { modules } from '../src/modules/index.ts'

const root = new URL('..', import.meta.url).pathname
const reference = new Map(
  [...(await referencePages(modules))].map(([name, text]) => [`docs/reference/${name}`, text]),
)
const read = (path: string) => reference.get(path) ?? readFileSync(join(root, path), 'utf8')
/** Whether a file is in the tree; docs/reference is ignored by Git and may be missing or stale. */
const isThere = (path: string) =>
  existsSync(join(root, path)) && !path.startsWith('docs/reference/')
const inTree = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/reference/**'] }).sort(),
]
const written = [...inTree, ...reference.keys()]
const { entries } = new Catalogue(modules)

test('the table of docs/web-api.md matches the endpoints; `npm run reference` rewrites it', () => {
  assert.ok(read('docs/web-api.md').includes(`\n${endpointTable(modules)}\n<!-- /endpoints -->`))
})

test('every operation is in the reference, with every argument', () => {
  const missing = entries.filter(({ operation, module, schemas }) => {
    const text = read(`docs/reference/${module}.md`)
    const section = text.slice(text.indexOf(`\n## ${operation.name}\n`)).split('\n## ')[1] ?? ''
    return (
      !section.includes(operation.rest) ||
      !schemas.names.every((name) => section.includes(`\`${name}\``))
    )
  })
  assert.deepEqual(
    missing.map((entry) => entry.operation.name),
    [],
  )
})

test('every setting is in the reference with flag, variable and purpose', () => {
  const text = read('docs/reference/settings.md')
  for (const { env, flag, help } of Object.values(settingList)) {
    assert.ok(
      text.includes(`\`${env}\``) &&
        text.includes(flag.replaceAll('|', '\\|')) &&
        text.includes(help),
      env,
    )
  }
})

test('variables and flags named in the documents exist', () => {
  const envNames = new Set(Object.values(settingList).map((item) => item.env))
  const others = [
    'WORKSPACE_KEY',
    'WORKSPACE_URL',
    'WORKSPACE_NODE',
    'WORKSPACE_PASSWORD',
    'WORKSPACE_MASTER_KEY',
    'WORKSPACE_EMBEDDINGS_KEY',
    'WORKSPACE_RERANK_KEY',
  ]
  const unknown = written.flatMap((path) =>
    [...read(path).matchAll(/\bWORKSPACE_[A-Z_]+\b/g)]
      .map(([name]) => name)
      .filter((name) => !envNames.has(name) && !others.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('every refusal code is documented, with its status', () => {
  const received = [...read('docs/rest.md').matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(
    ([, code, status]) => [code, Number(status)],
  )
  assert.deepEqual(Object.fromEntries(received), refusalStatus)
})

test('operations called in the documents are in the catalogue', () => {
  const verbs = [...new Set(entries.map((entry) => entry.operation.name.split('_')[0]!))].join('|')
  const knownNames = new Set([
    ...entries.flatMap(({ operation, schemas }) => [
      operation.name,
      ...operation.aliases,
      ...schemas.names,
    ]),
    ...endpointsWith(modules).flatMap(({ input }) => Object.keys(input)),
  ])
  const called = (text: string) =>
    [...text.matchAll(new RegExp(`\`((?:${verbs})_[a-z_]+)(?:\\([^\`]*\\))?\``, 'g'))].map(
      (match) => match[1]!,
    )
  const unknown = written
    .filter((path) => !path.startsWith('docs/decisions/'))
    .flatMap((path) =>
      called(read(path))
        .filter((name) => !knownNames.has(name))
        .map((name) => `${path}: ${name}`),
    )
  assert.deepEqual(unknown, [])
})

test('links between the documents resolve', () => {
  const broken = written.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g)]
      .filter(([, target]) => {
        const file = join(dirname(path), target!)
        return !isThere(file) && !(reference.has(path) && reference.has(file))
      })
      .map(([, target]) => `${path} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('the README states the number of operations, and the figures of docs/performance.md', () => {
  const operations = modules.flatMap((module) => module.operations)
  const listed = operations.filter((operation) => !operation.unlisted).length
  const readme = read('README.md')
  assert.ok(readme.includes(`Each of its ${listed} operations`), `it has ${listed} operations`)
  const figures = read('docs/performance.md')
  const cells = (row: string) => {
    const tableRow = figures.split('\n').find((line) => line.startsWith(`| ${row} |`))
    assert.ok(tableRow, row)
    return tableRow.split('|').map((cell) => cell.trim().replace(',', ''))
  }
  const ms = (row: string) => (Number(cells(row)[6]) / 1000).toFixed(1)
  for (const line of [
    `| REST: list of 20, filtered: CPU time per call | ${ms('REST list of 20 filtered | 16')} ms |`,
    `| REST: create: CPU time per call | ${ms('REST create | 16')} ms |`,
    `| MCP: read call: CPU time per call | ${ms('MCP tools/call list_tasks | 16')} ms |`,
    `| start to first answer | ${cells('cold start to first answer, ms')[2]} ms |`,
    `| memory when idle | ${cells('idle RSS, MiB')[2]} MiB |`,
  ])
    assert.ok(readme.includes(line), line)
})

test('links to a part of a document resolve to an existing heading', () => {
  const headings = new Map<string, Set<string>>()
  const headingsOf = (path: string) => {
    const slugger = new GithubSlugger()
    const text = read(path).replaceAll(/^```[^]*?^```/gm, '')
    return (
      headings.get(path) ??
      headings
        .set(
          path,
          new Set(
            [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
              slugger.slug(title!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
            ),
          ),
        )
        .get(path)!
    )
  }
  const broken = written.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)#([^)]*)\)/g)].flatMap(
      ([, target, part]) => {
        const file = target === '' ? path : join(dirname(path), target!)
        return !file.endsWith('.md') ||
          !(isThere(file) || reference.has(file)) ||
          headingsOf(file).has(part!)
          ? []
          : [`${path} → ${target}#${part}`]
      },
    ),
  )
  assert.deepEqual(broken, [])
})

/** The number of the next migration, from the file names. */
function nextMigration(): string {
  const numbers = readdirSync(join(root, 'src/db/migrations')).map((name) =>
    Number.parseInt(name, 10),
  )
  return String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(3, '0')
}

test('project files named in the documents exist', () => {
  const filesIn = (text: string) =>
    [
      ...text.matchAll(/`((?:src|tools|bench|docs|packaging)\/[\w./*{},-]+\.(?:ts|mjs|md|sql))`/g),
    ].map(([, path]) => path!)
  const examplePaths = [
    'src/modules/tasks/priority-steps.ts', // by docs/writing-an-operation.md
    'src/modules/tasks/priority-steps.test.ts',
    `src/db/migrations/${nextMigration()}-label-emoji.sql`, // by docs/common-changes.md
    'src/modules/labels/list-unused-labels.ts',
    'src/modules/labels/list-unused-labels.test.ts',
  ]
  const missing = written.flatMap((path) =>
    filesIn(read(path))
      .filter(
        (name) =>
          !examplePaths.includes(name) &&
          !reference.has(name) &&
          globSync(name, { cwd: root }).length === 0,
      )
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('every decision is in the index, under its title', () => {
  const index = read('docs/decisions/README.md')
  const nameOf = (path: string) =>
    read(path)
      .split('\n')[0]!
      .replace(/^# (\d+\. )?/, '')
  const missing = globSync('docs/decisions/0*.md', { cwd: root }).filter(
    (path) => !index.includes(`[${nameOf(path)}](${path.split('/').at(-1)})`),
  )
  assert.deepEqual(missing, [])
})

test('each defence of the threat model names an existing test', () => {
  const text = read('docs/security.md')
  const table = text.slice(text.indexOf('### What defends')).split('\n\n')[1]!.split('\n').slice(2)
  assert.ok(table.length >= 20)
  for (const row of table) {
    const tests = [...row.split('|')[3]!.matchAll(/`(src\/[\w./-]+\.test\.ts)`/g)].map(
      ([, path]) => path!,
    )
    assert.ok(tests.length > 0 && tests.every((path) => existsSync(join(root, path))), row)
  }
})

test('defaults stated in the documents match the settings', () => {
  const defaults = new Map(
    Object.values(settingList).flatMap((item) => [
      [item.env, String(item.default())],
      [item.flag.split(' ')[0]!, String(item.default())],
    ]),
  )
  const wrong = written.flatMap((path) =>
    [...read(path).matchAll(/`(WORKSPACE_[A-Z_]+|--[a-z-]+)`(?: [a-z]+){0,3} \((\d[\d,]*)\)/g)]
      .filter(
        ([, name, value]) =>
          defaults.has(name!) && defaults.get(name!) !== value!.replaceAll(',', ''),
      )
      .map(([text]) => `${path}: ${text}`),
  )
  assert.deepEqual(wrong, [])
})

test('docs/architecture.md names exactly the existing folders of src', () => {
  const table = read('docs/architecture.md').split('| room | purpose |')[1]!.split('\n\n')[0]!
  const listedFolders = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, room]) => room)
  const there = readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  assert.deepEqual(listedFolders.toSorted(), there.toSorted())
})
