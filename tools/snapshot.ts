// `npm run snapshot`: writes src/catalogue.snapshot, the public surface as text. Run it after changing an operation,
// and read the diff.

import { writeFileSync } from 'node:fs'
import { Catalogue } from '../src/operations/catalogue.ts'
import type { Entry } from '../src/operations/entry.ts'
import type { Module } from '../src/operations/module.ts'
import { componentsOf } from '../src/http/openapi/components.ts'
import { modules } from '../src/modules/index.ts'
import { schemaText } from './schema-text.ts'

/**
 * The whole public surface as text: a block per operation, then one per shape shared by several answers, sorted by
 * name. Changes to it appear in a diff for review.
 */
export function snapshotOf(all: readonly Module[]): string {
  const { routes } = new Catalogue(all)
  const { schemas, outputOf } = componentsOf(routes)
  const operations = [...routes]
    .sort((a, b) => (a.operation.name < b.operation.name ? -1 : 1))
    .map((entry) => operationBlock(entry, schemaText(outputOf(entry), '  ')))
  const shapes = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `${name}  ${schemaText(schema, '')}\n`)
  return [...operations, ...shapes].join('\n')
}

function operationBlock({ operation, module, schemas }: Entry, output: string): string {
  const { name, kind, idempotent, rest, about, aliases, unlisted } = operation
  return [
    `${name}  (${module})`,
    `  ${kind}${kind !== 'read' && idempotent ? ', idempotent' : ''}${unlisted ? ', unlisted' : ''}  ${rest}`,
    `  ${about}`,
    ...(aliases.length > 0 ? [`  also ${aliases.join(', ')}`] : []),
    `  in  ${schemaText(schemas.inputJson, '  ')}`,
    `  out ${output}`,
    '',
  ].join('\n')
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL('../src/catalogue.snapshot', import.meta.url), snapshotOf(modules))
