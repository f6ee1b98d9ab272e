import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { escapeLike, like } from '../../../db/like.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type AccessScope, type Viewer, sightOf, withTrash } from '../../../records/access-scope.ts'
import { extensionOf } from '../../../records/resource-extensions.ts'
import { type Row, itemResources } from '../../../records/resource.ts'

/** Which changes are asked for; all of it is narrowed to what the reader may see besides. */
export interface ChangeFilter {
  itemId?: string | undefined
  projectId?: Id<'projects'> | undefined
  actorId?: Id<'users'> | undefined
  via?: readonly Row<'changes'>['via'][] | undefined
  types?: readonly string[] | undefined
  /** Item types, event names or verbs. */
  kinds?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
  /** Whether rows that tell one person of access gained or lost belong to it: the reader's own only. */
  access: boolean
}

/** A stretch of the change log: behind a place in a direction, so many rows at most. */
export interface SeqRange {
  beyond: number | undefined
  dir: 'asc' | 'desc'
  length: number
}

/**
 * The changes of one stretch that the reader may see, and where the stretch ended (undefined: the log ended first). Every
 * change is held against its item as it is now, in the trash or not: who lost sight of the item sees none of its history.
 */
export async function changesIn(
  from: Viewer,
  filter: ChangeFilter,
  stretch: SeqRange,
  limit: number,
): Promise<{ rows: Row<'changes'>[]; end: number | undefined }> {
  const s = withTrash(from)
  const inStretch = await narrowed(s, filter, stretch)
  const last = await inStretch
    .select('changes.seq')
    .orderBy('changes.seq', stretch.dir)
    .limit(1)
    .offset(stretch.length - 1)
    .executeTakeFirst()
  let found = inStretch.where((eb) => visible(s, eb, filter.access))
  if (last) found = found.where('changes.seq', stretch.dir === 'asc' ? '<=' : '>=', last.seq)
  const rows = await found
    .where((eb) => asked(eb, filter))
    .selectAll('changes')
    .orderBy('changes.seq', stretch.dir)
    .limit(limit)
    .execute()
  return { rows, end: last?.seq }
}

export function seqOf(row: Row<'changes'>): number {
  return row.seq
}

/** The place of the organization's newest change; 0 before the first. */
export async function newestSeq(from: Viewer): Promise<number> {
  const { all, actor } = sightOf(from)
  const row = await all
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', actor.org_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/**
 * What an index answers: one item's, project's or person's changes, else the organization's, and the bounds of seq and
 * time. Only the narrowest drives: the others are concatenated with nothing, which keeps SQLite from choosing their indexes.
 */
async function narrowed(s: AccessScope, filter: ChangeFilter, { beyond, dir }: SeqRange) {
  const given = [
    ['item_id', filter.itemId],
    ['project_id', filter.projectId],
    ['actor_id', filter.actorId],
    ['org_id', s.actor.org_id],
  ] as const
  const [[column, value], ...others] = given.filter(([, id]) => id !== undefined) as unknown as [
    [string, string],
    ...[string, string][],
  ]
  let found = s.all.selectFrom('changes').where(sql.ref(`changes.${column}`), '=', value)
  for (const [name, id] of others)
    found = found.where(sql<string>`${sql.ref(`changes.${name}`)} || ''`, '=', id)
  if (beyond !== undefined) found = found.where('changes.seq', dir === 'asc' ? '>' : '<', beyond)
  if (filter.after !== undefined)
    found = found.where(
      'changes.seq',
      '>=',
      (await firstSince(s, filter.after)) ?? Number.MAX_SAFE_INTEGER,
    )
  const end = filter.before === undefined ? undefined : await firstSince(s, filter.before + 1)
  return end === undefined ? found : found.where('changes.seq', '<', end)
}

async function firstSince(s: AccessScope, at: number): Promise<number | undefined> {
  const row = await s.all
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', s.actor.org_id)
    .where('at', '>=', at)
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

type Changes = ExpressionBuilder<Tables, 'changes'>

function asked(eb: Changes, { via, types, kinds }: ChangeFilter): Expression<SqlBool> {
  return eb.and([
    ...(via ? [eb('changes.via', 'in', via)] : []),
    ...(types ? [eb('changes.item_type', 'in', types)] : []),
    ...(kinds ? [eb.or([eb('changes.item_type', 'in', kinds), ...kinds.map(named)])] : []),
  ])
}

/** Whether an event of the change has this name (`task.completed`) or verb (`completed`). */
function named(kind: string): Expression<SqlBool> {
  const name = escapeLike(kind)
  const pattern = kind.includes('.') ? `%"${name}"%` : `%.${name}"%`
  return like(sql.ref('changes.events_json'), pattern)
}

/** Looked up row by row, kind by kind; the first condition of each spares the others their lookups. */
function visible(s: AccessScope, eb: Changes, access: boolean): Expression<SqlBool> {
  const items = itemResources().map((itemResource) =>
    eb.and([
      eb('changes.item_type', '=', itemResource.definition.type),
      itemResource.holds(s, 'changes.item_id'),
    ]),
  )
  const own = eb.and([
    eb('changes.for_person_id', '=', s.actor.id),
    eb.or([eb('changes.op', 'in', ['access_gained', 'access_lost']), ...items]),
  ])
  return eb.or([
    eb.and([eb('changes.for_person_id', 'is', null), eb.or([...items, ...goneItems(s, eb)])]),
    ...(access ? [own] : []),
  ])
}

/** Items that never were in the trash, erased since: their project tells who may know of it, or their own rule. */
function goneItems(s: AccessScope, eb: Changes): Expression<SqlBool>[] {
  const byRule = itemResources().flatMap((resource) => {
    const rules = extensionOf(resource, 'events')
    if (!rules) return []
    return eb.and([
      eb('changes.item_type', '=', resource.definition.type),
      eb('changes.op', '=', 'deleted'),
      rules.tombstoneVisibleTo(s, 'changes.item_id'),
    ])
  })
  const project = itemResources().find((itemResource) => itemResource.table === 'projects')
  if (!project) return byRule
  const byProject = itemResources()
    .filter((itemResource) => !itemResource.trashable && itemResource.definition.project)
    .map((itemResource) =>
      eb.and([
        eb('changes.item_type', '=', itemResource.definition.type),
        eb('changes.op', '=', 'deleted'),
        project.holds(s, 'changes.project_id'),
        sql<SqlBool>`not exists (select 1 from ${sql.table(itemResource.table)} as gone where gone.id = changes.item_id)`,
      ]),
    )
  return [...byRule, ...byProject]
}
