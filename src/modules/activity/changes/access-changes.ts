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
  /** Index conditions; they determine where a batch ends. */
  range?(log: ChangeQuery): ChangeQuery
  /** Conditions on the changes of a batch. */
  matching?(log: ChangeQuery): ChangeQuery
  /** Whether to include rows about access gained or lost: only the reader's own. */
  includesAccess: boolean
}

/** A range of the change log: from a position in a direction, with a maximum number of rows. */
export interface SeqRange {
  after: number | undefined
  dir: 'asc' | 'desc'
  length: number
}

/**
 * The changes of one batch visible to the reader, and where the batch ended (undefined: the log ended first). Each
 * change is checked against its item's current state, in the trash or not: without access to the item, its history is
 * invisible.
 */
export async function changesIn(
  viewer: Viewer,
  selection: ChangeSelection,
  seqRange: SeqRange,
  limit: number,
): Promise<{ rows: Row<'changes'>[]; end: number | undefined }> {
  const s = withTrash(viewer)
  const rangeQuery = inRange(s, selection, seqRange)
  const last = await rangeQuery
    .select('changes.seq')
    .orderBy('changes.seq', seqRange.dir)
    .limit(1)
    .offset(seqRange.length - 1)
    .executeTakeFirst()
  let query = rangeQuery.where((eb) => isVisible(s, eb, selection.includesAccess))
  if (last) query = query.where('changes.seq', seqRange.dir === 'asc' ? '<=' : '>=', last.seq)
  const rows = await (selection.matching?.(query) ?? query)
    .selectAll('changes')
    .orderBy('changes.seq', seqRange.dir)
    .limit(limit)
    .execute()
  return { rows, end: last?.seq }
}

export function seqOf(row: Row<'changes'>): number {
  return row.seq
}

/** Position of the organization's newest change; 0 before the first. */
export async function newestSeq(viewer: Viewer): Promise<number> {
  const { all, actor } = accessScopeOf(viewer)
  return newestSeqIn(all, actor.org_id)
}

/** Number of an organization's newest change; 0 if there is none. */
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
  { after, dir }: SeqRange,
): ChangeQuery {
  const log = scope.all
    .selectFrom('changes')
    .where(columnIs('org_id', scope.actor.org_id, drivenBy))
  const query = range?.(log) ?? log
  if (after === undefined) return query
  return query.where('changes.seq', dir === 'asc' ? '>' : '<', after)
}

/**
 * Whether a column has a value. Only the driving column is compared directly; the others are concatenated with an
 * empty string, which keeps SQLite from choosing their indexes.
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

/** Position of the organization's first change at or after a moment; undefined if there is none. */
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

/** Checked row by row, kind by kind; the first condition of each avoids lookups for the others. */
function isVisible(scope: AccessScope, eb: Changes, includesAccess: boolean): Expression<SqlBool> {
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
    eb.and([
      eb('changes.for_person_id', 'is', null),
      eb.or([...items, ...erasedItemConditions(scope, eb)]),
    ]),
    ...(includesAccess ? [ownAccess] : []),
  ])
}

/** Erased items that were never in the trash: their project, or their own rule, determines visibility. */
function erasedItemConditions(accessScope: AccessScope, eb: Changes): Expression<SqlBool>[] {
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
