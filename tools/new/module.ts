import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidName, withElement, withImport, type Plan } from './plan.ts'

interface Names {
  /** Name of the folder, the table and the addresses: `assets`. */
  plural: string
  /** Name of the item: `asset`. */
  singular: string
  /** Name of the answer's shape: `Asset`. */
  shape: string
  prefix: string
}

/**
 * A module with one item type: its table with a migration, its resource, shape and five operations, and a visibility
 * test that fails until the access rules are decided.
 * @throws InvalidName
 */
export function moduleFiles(root: string, plural: string, singular: string): Plan {
  requireNames(root, plural, singular)
  const shape = singular.slice(0, 1).toUpperCase() + singular.slice(1)
  const names = { plural, singular, shape, prefix: freePrefix(root, singular) }
  const folder = `src/modules/${plural}`
  const migration = `src/db/migrations/${nextMigration(root)}-${plural}.sql`
  const schema = readFileSync(join(root, 'schema.sql'), 'utf8')
  const list = 'src/modules/index.ts'
  const edges = 'test/imports.test.ts'
  return {
    created: {
      [`${folder}/index.ts`]: indexSource(names),
      [`${folder}/access.ts`]: accessSource(names),
      [`${folder}/shapes.ts`]: shapesSource(names),
      [`${folder}/${plural}.ts`]: operationsSource(names),
      [`${folder}/${plural}.test.ts`]: testSource(names),
      [migration]: table(names),
    },
    changed: {
      'schema.sql': `${schema.trimEnd()}\n\n${table(names)}`,
      [list]: withModule(readFileSync(join(root, list), 'utf8'), plural),
      [edges]: readFileSync(join(root, edges), 'utf8').replace(
        /^ {2}labels: \['directory'\],\n/m,
        (line) => `${line}  ${plural}: ['directory'],\n`,
      ),
    },
    commands: [['tools/tables.ts']],
    next: [
      `Add the columns to the table, in schema.sql and in ${migration}, then run npm run tables.`,
      `Decide who may see, change and delete: ${folder}/access.ts. Its test fails until it says so: npm test -- --no-check ${folder}/${plural}.test.ts`,
      'npm run snapshot && npm run reference && npm run web-types',
      'Read the diff of src/catalogue.snapshot, then run npm test. Tests of the whole product name what is left: an example in src/testing/fixtures, the name in test/names.test.ts, a place in the web app.',
    ],
  }
}

function requireNames(root: string, plural: string, singular: string): void {
  for (const name of [plural, singular])
    if (!/^[a-z]{3,30}$/.test(name))
      throw new InvalidName(`"${name}" is not the name of a module: lower-case letters only.`)
  if (plural === singular)
    throw new InvalidName('Give the plural first, then the singular, such as: assets asset')
  if (existsSync(join(root, 'src/modules', plural)))
    throw new InvalidName(`The module ${plural} exists already.`)
  const tables = readFileSync(join(root, 'schema.sql'), 'utf8')
  if (tables.includes(`CREATE TABLE ${plural} (`))
    throw new InvalidName(`The table ${plural} exists already.`)
}

/** Three letters of the name that are not yet used as a prefix. */
function freePrefix(root: string, singular: string): string {
  const usedPrefixes = new Set(
    globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/prefix: '([a-z]+)'/g)].map(
        (match) => match[1],
      ),
    ),
  )
  const [first, ...rest] = singular
  for (const [at, second] of rest.entries())
    for (const third of rest.slice(at + 1)) {
      const prefix = `${first}${second}${third}`
      if (!usedPrefixes.has(prefix)) return prefix
    }
  throw new InvalidName(`Every prefix from the letters of "${singular}" is taken.`)
}

function nextMigration(root: string): string {
  const last = readdirSync(join(root, 'src/db/migrations'))
    .flatMap((name) => name.match(/^(\d{3})-.*\.sql$/)?.[1] ?? [])
    .toSorted()
    .at(-1)
  return String(Number(last) + 1).padStart(3, '0')
}

function withModule(source: string, plural: string): string {
  const name = `${plural}Module`
  const imported = withImport(source, `import { ${name} } from './${plural}/index.ts'`)
  return withElement(imported, imported.indexOf('export const modules'), name, '= [')
}

function table({ plural, singular }: Names): string {
  return `CREATE TABLE ${plural} (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  title TEXT NOT NULL,
  revision INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_via TEXT NOT NULL CHECK (created_via IN ('web', 'api', 'mcp', 'automation', 'sync', 'cli')),
  deleted_at BIGINT,
  deleted_by TEXT,
  deleted_with TEXT,
  UNIQUE (org_id, id)
);
CREATE INDEX ${plural}_by_title ON ${plural} (org_id, title, id) WHERE deleted_at IS NULL; -- list_${plural}, and to find the ${singular} of a title
`
}

function indexSource({ plural, singular, shape }: Names): string {
  return `import type { Module } from '../../operations/module.ts'
import { presenter } from '../../operations/listing/presenters.ts'
import { ${singular} } from './access.ts'
import * as ${plural} from './${plural}.ts'
import { present${shape}s } from './shapes.ts'

export const ${plural}Module: Module = {
  name: '${plural}',
  about: 'TODO: what the module is for, in one sentence. Nouns: ${singular}.',
  operations: Object.values(${plural}),
  presenters: [
    presenter(${singular}, {
      operation: 'list_${plural}',
      entries: present${shape}s,
      get: { operation: 'get_${singular}', argument: '${singular}_id' },
    }),
  ],
}
`
}

function accessSource({ plural, singular, prefix }: Names): string {
  return `import { resource } from '../../records/resource.ts'

/** TODO: decide who sees, changes and deletes them. For now, everyone in the organization sees them, and the creator changes and deletes them. */
export const ${singular} = resource(
  '${plural}',
  {
    type: '${singular}',
    prefix: '${prefix}',
    see: (s) => s.all.selectFrom('${plural}').where('${plural}.org_id', '=', s.actor.org_id),
    edit: (s) => s.all.selectFrom('${plural}').where('${plural}.created_by', '=', s.actor.id),
    own: (s) => s.all.selectFrom('${plural}').where('${plural}.created_by', '=', s.actor.id),
    rule: {
      edit: 'Only its creator may change it.',
      own: 'Only its creator may delete it.',
    },
    names: { columns: ['title'] },
    list: { tool: 'list_${plural}' },
    title: (row) => row.title,
    path: (row) => \`${plural}/\${row.id}\`,
  },
  { trash: true },
)
`
}

function shapesSource({ plural, singular, shape }: Names): string {
  return `import { z } from 'zod'
import { shape } from '../../kernel/shape.ts'
import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { common, commonOf } from '../../records/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { ${singular} } from './access.ts'

export const ${shape} = shape('${shape}', {
  ...common,
  title: z.string(),
})

/** Rows as answers show them. */
export async function present${shape}s(
  ctx: ReadContext,
  rows: readonly Row<'${plural}'>[],
): Promise<z.infer<typeof ${shape}>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    ...commonOf(row, ${singular}.url(row, ctx.baseUrl), people),
    title: row.title,
  }))
}
`
}

function operationsSource({ plural, singular, shape }: Names): string {
  return `import type { z } from 'zod'
import { pageOf, paging, title } from '../../kernel/fields.ts'
import { omitUndefined } from '../../kernel/present.ts'
import type { ReadContext } from '../../operations/context.ts'
import { operation } from '../../operations/operation.ts'
import { pageWithItems, paged } from '../../records/paging.ts'
import type { Row } from '../../records/resource.ts'
import { DeletedRef } from '../../records/shapes.ts'
import { deletedRef } from '../directory/shapes.ts'
import { ${singular} } from './access.ts'
import { ${shape}, present${shape}s } from './shapes.ts'

export const create${shape} = operation({
  name: 'create_${singular}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: 'write',
  rest: 'POST /api/${plural}',
  about: 'Create a ${singular}',
  input: { title: title() },
  output: ${shape},
  async handle({ title }, ctx) {
    return present${shape}(ctx, await ctx.add('${plural}', { title: title.trim() }))
  },
})

export const get${shape} = operation({
  name: 'get_${singular}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: 'read',
  rest: 'GET /api/${plural}/{${singular}_id}',
  about: 'Read one ${singular} by its id or title',
  on: { ${singular}: ${singular}.see },
  output: ${shape},
  handle: ({ ${singular}: row }, ctx) => present${shape}(ctx, row),
})

export const list${shape}s = operation({
  name: 'list_${plural}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: 'read',
  rest: 'GET /api/${plural}',
  about: 'The ${plural} of the organization by title',
  input: { ...paging },
  output: pageOf(${shape}),
  async handle({ limit, cursor }, ctx) {
    const page = await paged(
      ${singular}.visibleTo(ctx).selectAll('${plural}'),
      [
        { by: '${plural}.title', as: 'title', dir: 'asc' },
        { by: '${plural}.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await present${shape}s(ctx, page.items))
  },
})

export const update${shape} = operation({
  name: 'update_${singular}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/${plural}/{${singular}_id}',
  about: 'Change a ${singular}',
  on: { ${singular}: ${singular}.edit },
  revision: '${singular}',
  input: { title: title().optional() },
  output: ${shape},
  async handle({ ${singular}: row, title }, ctx) {
    return present${shape}(ctx, await ctx.change('${plural}', row, omitUndefined({ title: title?.trim() })))
  },
})

export const delete${shape} = operation({
  name: 'delete_${singular}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/${plural}/{${singular}_id}',
  about: 'Delete a ${singular}',
  on: { ${singular}: ${singular}.own },
  output: DeletedRef,
  async handle({ ${singular}: row }, ctx) {
    await ctx.trash('${plural}', row)
    return deletedRef(ctx, ${singular}.ref(row, ctx.baseUrl))
  },
})

async function present${shape}(
  ctx: ReadContext,
  row: Row<'${plural}'>,
): Promise<z.infer<typeof ${shape}>> {
  const [presented] = await present${shape}s(ctx, [row])
  if (!presented) throw new Error(\`The ${singular} \${row.id} was not presented.\`)
  return presented
}
`
}

function testSource({ plural, singular, shape }: Names): string {
  return `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

test('${plural} are created, found, changed and deleted', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_${singular}', { title: ' First ' })
  assert.equal((await ann.call('get_${singular}', { ${singular}_id: 'First' })).id, id)
  await ann.call('update_${singular}', { ${singular}_id: id, title: 'Renamed' })
  const { items } = await ann.call('list_${plural}')
  assert.deepEqual(items.map((item: { title: string }) => item.title), ['Renamed'])
  await ann.call('delete_${singular}', { ${singular}_id: id })
  assert.equal((await ann.refused('get_${singular}', { ${singular}_id: id })).code, 'not_found')
})

test('who may see, change and delete ${plural}', async () => {
  const { ann, bob } = workspace
  const { id } = await ann.call('create_${singular}', { title: "${shape} of Ann's" })
  assert.equal((await bob.refused('update_${singular}', { ${singular}_id: id, title: 'No' })).code, 'permission_denied')
  assert.fail('TODO: decide in access.ts who may see, change and delete them; test a colleague, a guest and another organization.')
})
`
}
