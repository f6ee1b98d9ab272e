import { Catalogue } from '../src/operations/catalogue.ts'
import type { Entry } from '../src/operations/entry.ts'
import { AnyItemParam } from '../src/records/items.ts'
import type { Module } from '../src/operations/module.ts'
import { allResources, type ItemTable, type Level, type Resource } from '../src/records/resource.ts'
import { cell } from './cells.ts'

/** The page about access levels required by operations, and restrictions of keys. */
export function demandsPage(modules: readonly Module[]): string {
  const { entries } = new Catalogue(modules)
  return [
    '# What operations ask for',
    '',
    'Every id in a call becomes a row before the operation runs, by a query that finds what the caller may *see*, *change*, or *dispose of* (delete, share, manage). Who that is, is told in [permissions.md](../permissions.md). An id that the caller may not see is refused as `not_found`, one that is only seen with `permission_denied` and the sentence in italics here. Operations that are not named here ask that what they are given is seen, and say in a refusal what else.',
    '',
    ...modules.flatMap((module) => moduleText(module, entries)),
    '## Keys',
    '',
    'A key with `--read-only` calls what reads; one with `--toolsets` the modules that it names, and of those with `:ro` what reads. How many operations of each module read, write, and are destructive, which is to delete, to send or to publish:',
    '',
    '| module | read | write | destructive |',
    '| --- | --- | --- | --- |',
    ...modules.map(
      ({ name }) =>
        `| ${name} | ${['read', 'write', 'destructive'].map((kind) => String(entries.filter((entry) => entry.module === name && entry.operation.kind === kind).length)).join(' | ')} |`,
    ),
    '',
    'With a key that holds outbound (`--hold-outbound`), what these operations would send outside waits until its owner releases it:',
    '',
    `${entries
      .filter((entry) => entry.operation.outbound === true)
      .map(linkTo)
      .join(', ')}.`,
    '',
    'These send something outside, depending on their arguments, and wait when they do:',
    '',
    `${entries
      .filter((entry) => typeof entry.operation.outbound === 'function')
      .map(linkTo)
      .join(', ')}.`,
    '',
  ].join('\n')
}

function moduleText(module: Module, entries: readonly Entry[]): string[] {
  const rows = ofModule(module, entries).map(
    (resource) =>
      `| ${[resource.name, ...(['edit', 'own'] as const).map((level) => cell(demanded(resource, level, entries))), resource.trashable ? 'yes' : 'no'].join(' | ')} |`,
  )
  return rows.length === 0
    ? []
    : [
        `## ${module.name}`,
        '',
        '| kind | changed by | disposed of by | goes to the trash |',
        '| --- | --- | --- | --- |',
        ...rows,
        '',
      ]
}

/** Item types that operations of a module are the first to refer to. */
function ofModule(module: Module, entries: readonly Entry[]): Resource<ItemTable>[] {
  const home = (resource: Resource<ItemTable>) =>
    entries
      .filter((entry) => levelsOf(entry, resource).length > 0)
      .toSorted((a, b) => nearness(b, resource) - nearness(a, resource))[0]?.module
  return allResources()
    .filter((resource) => home(resource) === module.name)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** An operation named after an item type is nearer to it than one that merely accepts such an item. */
function nearness({ operation }: Entry, { definition }: Resource<ItemTable>): number {
  return (
    (operation.name.endsWith(`_${definition.type}`) ? 2 : 0) + (operation.kind === 'read' ? 0 : 1)
  )
}

function levelsOf({ schemas }: Entry, resource: Resource<ItemTable>): Level[] {
  return schemas.params.flatMap(({ param }) =>
    !(param instanceof AnyItemParam) && param.resource === resource ? [param.level] : [],
  )
}

function demanded(
  resource: Resource<ItemTable>,
  level: 'edit' | 'own',
  entries: readonly Entry[],
): string {
  const rule = resource.definition.rule?.[level]
  const names = entries.filter((entry) => levelsOf(entry, resource).includes(level)).map(linkTo)
  return [names.join(', '), rule ? `*${rule}*` : ''].filter(Boolean).join(' — ')
}

function linkTo({ module, operation: { name } }: Entry): string {
  return `[\`${name}\`](${module}.md#${name})`
}
