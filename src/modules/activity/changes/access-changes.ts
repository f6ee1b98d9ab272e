import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { escapeLike, like } from '../../../db/text-conditions.ts'
import type { Tables } from '../../../db/tables.ts'
import {
  type AccessScope,
  type Viewer,
  accessScopeOf,
  withTrash,
} from '../../../records/access-scope.ts'
import { extensionOf } from '../../../records/resource-extensions.ts'
import { type Row, type Scoped, itemResources } from '../../../records/resource.ts'

/** The column whose index a query of the change log follows. */
export type DrivingColumn = 'item_id' | 'project_id' | 'actor_id' | 'org_id'

type ChangeQuery = Scoped<'changes'>

/** Selects changes to read; always narrowed further to those that the reader may see. */
export interface ChangeSelection {
  drivenBy: DrivingColumn
  /** Conditions that an index answers; they decide where a stretch ends. */
  range?(log: ChangeQuery): ChangeQuery
  /** Conditions on the changes of a stretch. */
  matching?(log: ChangeQuery): ChangeQuery
  /** Whether to include rows about access that one person gained or lost: only the reader's own. */
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
 * change is held against its item as it is now, in the trash or not: who lost access to the item sees none of its history.
 */
export async function changesIn(
  viewer: Viewer,
  selection: ChangeSelection,
  stretch: SeqRange,
  limit: number,
): Promise<{ rows: Row<'changes'>[]; end: number | undefined }> {
  const s = withTrash(viewer)
  const inStretch = inRange(s, selection, stretch)
  const last = await inStretch
    .select('changes.seq')
    .orderBy('changes.seq', stretch.dir)
    .limit(1)
    .offset(stretch.length - 1)
    .executeTakeFirst()
  let query = inStretch.where((eb) => visible(s, eb, selection.access))
  if (last) query = query.where('changes.seq', stretch.dir === 'asc' ? '<=' : '>=', last.seq)
  const rows = await (selection.matching?.(query) ?? query)
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
export async function newestSeq(viewer: Viewer): Promise<number> {
  const { all, actor } = accessScopeOf(viewer)
  return newestSeqIn(all, actor.org_id)
}

/** The number of the newest change in an organization; 0 where there is none. */
export async function newestSeqIn(db: Kysely<Tables>, organization: Id<'orgs'>): Promise<number> {
  const row = await db
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', organization)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

function inRange(
  scope: AccessScope,
  { drivenBy, range }: ChangeSelection,
  { beyond, dir }: SeqRange,
): ChangeQuery {
  const log = scope.all
    .selectFrom('changes')
    .where(columnIs('org_id', scope.actor.org_id, drivenBy))
  const query = range?.(log) ?? log
  if (beyond === undefined) return query
  return query.where('changes.seq', dir === 'asc' ? '>' : '<', beyond)
}

/**
 * Whether a column has a value. Only the driving column is compared as it is; the others are concatenated with nothing,
 * which keeps SQLite from choosing their indexes.
 */
export function columnIs(
  column: DrivingColumn,
  value: string,
  drivenBy: DrivingColumn,
): Expression<SqlBool> {
  const name = sql.ref(`changes.${column}`)
  return column === drivenBy
    ? sql<SqlBool>`${name} = ${value}`
    : sql<SqlBool>`${name} || '' = ${value}`
}

/** The place of the organization's first change at a moment or later; undefined where there is none. */
export async function seqSince(viewer: Viewer, at: number): Promise<number | undefined> {
  const s = accessScopeOf(viewer)
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

/** Whether an event of the change has this name (`task.completed`) or verb (`completed`). */
export function hasEvent(kind: string): Expression<SqlBool> {
  const name = escapeLike(kind)
  const pattern = kind.includes('.') ? `%"${name}"%` : `%.${name}"%`
  return like(sql.ref('changes.events_json'), pattern)
}

/** Looked up row by row, kind by kind; the first condition of each spares the others their lookups. */
function visible(scope: AccessScope, eb: Changes, access: boolean): Expression<SqlBool> {
  const items = itemResources().map((itemResource) =>
    eb.and([
      eb('changes.item_type', '=', itemResource.definition.type),
      itemResource.holds(scope, 'changes.item_id'),
    ]),
  )
  const ownAccess = eb.and([
    eb('changes.for_person_id', '=', scope.actor.id),
    eb.or([eb('changes.op', 'in', ['access_gained', 'access_lost']), ...items]),
  ])
  return eb.or([
    eb.and([eb('changes.for_person_id', 'is', null), eb.or([...items, ...goneItems(scope, eb)])]),
    ...(access ? [ownAccess] : []),
  ])
}

/** Items that never were in the trash, erased since: their project tells who may know of it, or their own rule. */
function goneItems(accessScope: AccessScope, eb: Changes): Expression<SqlBool>[] {
  const byRule = itemResources().flatMap((resource) => {
    const rules = extensionOf(resource, 'events')
    if (!rules) return []
    return eb.and([
      eb('changes.item_type', '=', resource.definition.type),
      eb('changes.op', '=', 'deleted'),
      rules.tombstoneVisibleTo(accessScope, 'changes.item_id'),
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
        project.holds(accessScope, 'changes.project_id'),
        sql<SqlBool>`not exists (select 1 from ${sql.table(itemResource.table)} as gone where gone.id = changes.item_id)`,
      ]),
    )
  return [...byRule, ...byProject]
}
