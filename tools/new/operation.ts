import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { camelCase, InvalidName, withElement, withImport, type Plan } from './plan.ts'

/**
 * An operation in its own file, its test, and its entry in the module's list.
 * @throws InvalidName
 */
export function operationFiles(root: string, module: string, name: string): Plan {
  requireNames(root, module, name)
  const folder = `src/modules/${module}`
  const file = name.replaceAll('_', '-')
  const identifier = camelCase(name)
  const index = `${folder}/index.ts`
  return {
    created: {
      [`${folder}/${file}.ts`]: operationSource(module, name),
      [`${folder}/${file}.test.ts`]: testSource(name, `${folder}/${file}.ts`),
    },
    changed: {
      [index]: registered(
        withImport(
          readFileSync(join(root, index), 'utf8'),
          `import { ${identifier} } from './${file}.ts'`,
        ),
        identifier,
      ),
    },
    next: [
      `Write the operation: ${folder}/${file}.ts (docs/writing-an-operation.md explains each property).`,
      `Complete its test and run it: npm test -- --no-check ${folder}/${file}.test.ts`,
      'npm run snapshot && npm run reference && npm run web-types',
      'Read the diff of src/catalogue.snapshot, then run npm test.',
    ],
  }
}

function requireNames(root: string, module: string, name: string): void {
  if (!existsSync(join(root, 'src/modules', module, 'index.ts')) || !/^[a-z]+$/.test(module))
    throw new InvalidName(`There is no module "${module}" in src/modules.`)
  if (!/^[a-z]+(_[a-z0-9]+)+$/.test(name))
    throw new InvalidName(
      `"${name}" is not the name of an operation: a verb and a noun in snake_case, such as merge_labels.`,
    )
  const existingPath = globSync('src/modules/**/*.ts', { cwd: root }).find((path) =>
    readFileSync(join(root, path), 'utf8').includes(`  name: '${name}',`),
  )
  if (existingPath) throw new InvalidName(`The operation ${name} exists already: ${existingPath}.`)
}

/** The index of a module with an added operation. */
function registered(source: string, identifier: string): string {
  const nouns = source.indexOf('const nouns = [')
  if (nouns >= 0) return withElement(source, nouns, `{ ${identifier} }`)
  const values = /^ {2}operations: (Object\.values\(\w+\)),$/m
  if (values.test(source)) return source.replace(values, `  operations: [...$1, ${identifier}],`)
  const start = source.search(/^ {2}operations: \[/m)
  const isOfNouns = /^ {2}operations: \[[^\]]*\]\.flatMap\(/m.test(source)
  return withElement(source, start, isOfNouns ? `{ ${identifier} }` : identifier)
}

function operationSource(module: string, name: string): string {
  const isRead = /^(get|list|search|find|count|export)_/.test(name)
  const path = `/api/${module}/${name.replaceAll('_', '-')}`
  return `import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'

export const ${camelCase(name)} = operation({
  name: '${name}',
  searchHint: 'TODO: phrases that people use for it, separated by commas',
  kind: '${isRead ? 'read' : 'write'}',
  // TODO: the address, such as /api/labels/{label_id}/merge for an operation on one label.
  rest: '${isRead ? 'GET' : 'POST'} ${path}',
  about: 'TODO: what it does, in one sentence',
  output: z.strictObject({ done: z.boolean() }),
  async handle() {
    // TODO: list the rows it needs in \`on\` and other arguments in \`input\`; do the work here.
    throw new Refusal('unavailable', '${name} is not implemented yet.')
  },
})
`
}

function testSource(name: string, path: string): string {
  return `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

// TODO: implement ${name} in
// ${path},
// then test its result, each refusal, what people without access get and, for a write, undo.
test('TODO: a sentence about what ${name} does', async () => {
  const { ann } = workspace
  assert.deepEqual(await ann.call('${name}'), { done: true })
})
`
}
