import { Catalogue } from '../operations/catalogue.ts'
import type { Entry } from '../operations/entry.ts'
import type { Module } from '../operations/module.ts'
import { toJson } from '../operations/schemas.ts'

/** The whole public surface as text, one block an operation, sorted by name: a change of it is a diff that somebody reads. */
export function snapshotOf(modules: readonly Module[]): string {
  const { routes } = new Catalogue(modules)
  const blocks = [...routes]
    .sort((a, b) => (a.operation.name < b.operation.name ? -1 : 1))
    .map(block)
  return `${blocks.join('\n')}`
}

function block({ operation, module, schemas }: Entry): string {
  const { name, kind, idempotent, rest, about, aliases, unlisted } = operation
  return [
    `${name}  (${module})`,
    `  ${kind}${kind !== 'read' && idempotent ? ', idempotent' : ''}${unlisted ? ', unlisted' : ''}  ${rest}`,
    `  ${about}`,
    ...(aliases.length > 0 ? [`  also ${aliases.join(', ')}`] : []),
    `  in  ${JSON.stringify(schemas.inputJson)}`,
    `  out ${JSON.stringify(toJson(schemas.output, 'output'))}`,
    '',
  ].join('\n')
}
