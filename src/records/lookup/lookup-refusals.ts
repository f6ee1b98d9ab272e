import { isId, prefixOf } from '../../kernel/ids.ts'
import { omitNullish } from '../../kernel/present.ts'
import { Refusal, type RefusalMore, notFound } from '../../kernel/refusal.ts'
import type { AccessScope, Viewer } from '../access-scope.ts'
import { ExtensionPoint } from '../extension-point.ts'
import { extensionOf } from '../resource-extensions.ts'
import type { ItemTable, Row } from '../row.ts'
import { type NameOptions, maxCandidates } from './names.ts'
import type { ResourceQueries } from './resource-queries.ts'

/** Project keys by id, of the projects that the viewer can see. Registered by the projects module. */
export const projectKeys = new ExtensionPoint<
  (viewer: Viewer, projectIds: readonly string[]) => Promise<Map<string, string>>
>()

/** Rows as suggestions in a refusal. */
export async function candidatesOf<T extends ItemTable>(
  { definition: { title, key, names } }: ResourceQueries<T>,
  viewer: Viewer,
  rows: readonly Row<T>[],
): Promise<Record<string, unknown>[]> {
  const projectOf = (row: Row<T>) => (row as { project_id?: string | null }).project_id ?? undefined
  const ids = rows.flatMap((row) => projectOf(row) ?? [])
  const keys = await projectKeys.entries[0]?.(viewer, ids)
  return rows.slice(0, maxCandidates).map((row) => {
    const rowKey = key?.(row)
    const project = keys?.get(projectOf(row) ?? '')
    const details = Object.entries(names?.details?.(row) ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    )
    return omitNullish({
      id: row.id,
      key: rowKey,
      title: title(row),
      ...(project && { project }),
      ...Object.fromEntries(details),
    })
  })
}

/** The call that lists such rows, if its arguments are known. */
function listCall<T extends ItemTable>(
  { definition: { list, names } }: ResourceQueries<T>,
  within: NameOptions<T>['within'],
): RefusalMore['next'] {
  if (!list || list.by === 'query' || (list.by === 'container' && !within)) return undefined
  return {
    tool: list.tool,
    arguments: names?.within && within ? { [within.column]: within.id } : {},
  }
}

interface UnknownName<T extends ItemTable> {
  text: string
  field: string
  options: NameOptions<T>
  /** The rows whose names are most similar to the text. */
  similar: () => Promise<Row<T>[]>
}

/** The refusal for a text that matches no row visible to the viewer. */
export async function unknownName<T extends ItemTable>(
  resource: ResourceQueries<T>,
  scope: AccessScope,
  { text, field, options, similar }: UnknownName<T>,
): Promise<Refusal> {
  const { list, names, prefix } = resource.definition
  const instead = extensionOf(resource, 'refusals')?.insteadOfUnknown(text)
  const refusal = notFound(resource.name, field, instead)
  if (!names || isId(prefix, text) || prefixOf(text)) return refusal
  if (options.outside && /^[^\s@]+@[^\s@]+$/.test(text.trim()))
    return new Refusal('not_found', refusal.message, { field, hint: options.outside })
  const candidates = await candidatesOf(resource, scope, await similar())
  const listHint = list ? [`Find it with ${list.tool}.`] : []
  const hint = [
    ...(candidates.length > 0 ? ['Similar names are in `candidates`.'] : []),
    ...(instead === undefined ? listHint : [instead]),
  ].join(' ')
  const next = listCall(resource, options.within)
  return new Refusal('not_found', refusal.message, {
    ...refusal.more,
    ...(hint && { hint }),
    ...(next && { next }),
    ...(candidates.length > 0 && { context: { candidates } }),
  })
}

interface AmbiguousName<T extends ItemTable> {
  text: string
  field: string | undefined
  rows: readonly Row<T>[]
}

/** The refusal for a text that matches several rows. */
export async function ambiguousName<T extends ItemTable>(
  resource: ResourceQueries<T>,
  scope: AccessScope,
  { text, field, rows }: AmbiguousName<T>,
): Promise<Refusal> {
  const next = listCall(resource, undefined)
  return new Refusal(
    'invalid_argument',
    `"${text.slice(0, 100)}" matches more than one ${resource.name}.`,
    omitNullish({
      hint: 'Use an id.',
      field,
      ...(next && { next }),
      context: { candidates: await candidatesOf(resource, scope, rows) },
    }),
  )
}
