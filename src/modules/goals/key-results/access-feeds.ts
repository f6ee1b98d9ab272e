import type { Kysely } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'

// Internal bookkeeping of key results: counting positions and stale values; not recorded as anyone's changes.

/** Item kinds that affect the value or validity of a key result. */
const relevantTypes = new Set([
  'task',
  'project',
  'label',
  'milestone',
  'goal',
  'deal',
  'form',
  'form_response',
])
/** Item types for which any change may affect every key result of a kind. */
const sourceKindByType: Readonly<Record<string, NonNullable<Row<'key_results'>['source_kind']>>> = {
  deal: 'deals',
  form: 'form',
  form_response: 'form',
}
/** Changes processed per batch. */
const batchSize = 200

type All = Kysely<Tables>
export type GoalChangeRow = Pick<
  Row<'changes'>,
  'seq' | 'item_type' | 'item_id' | 'project_id' | 'fields_json'
>

/** A key result with a source, with whether it is open, and whether the person who set the source is active. */
export type SourcedKeyResult = Row<'key_results'> & { isOpen: boolean; isSetterActive: boolean }

function orgsWithSources(all: All): Promise<{ org_id: Id<'orgs'>; seq: number | null }[]> {
  return all
    .selectFrom('key_results')
    .leftJoin('goal_feeds', 'goal_feeds.org_id', 'key_results.org_id')
    .where('key_results.source_kind', 'is not', null)
    .select(['key_results.org_id', 'goal_feeds.seq'])
    .distinct()
    .execute()
}

/**
 * An organization with unprocessed changes for its key results: a relevant one, or so many that the feed must
 * advance.
 */
export async function orgWithGoalChanges(all: All): Promise<Id<'orgs'> | undefined> {
  for (const { org_id, seq } of await orgsWithSources(all)) {
    const next = await all
      .selectFrom('changes')
      .select('item_type')
      .where('org_id', '=', org_id)
      .where('seq', '>', seq ?? 0)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    if (next.length === batchSize || next.some((item) => relevantTypes.has(item.item_type)))
      return org_id
  }
  return undefined
}

/** An organization's next changes after its feed position; relevant ones, and the end of the batch. */
export async function nextGoalChanges(
  { all }: TickContext,
  orgId: Id<'orgs'>,
): Promise<{ changes: GoalChangeRow[]; end: number }> {
  const feed = await all
    .selectFrom('goal_feeds')
    .select('seq')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const rows = await all
    .selectFrom('changes')
    .select(['seq', 'item_type', 'item_id', 'project_id', 'fields_json'])
    .where('org_id', '=', orgId)
    .where('seq', '>', feed?.seq ?? 0)
    .orderBy('seq')
    .limit(batchSize)
    .execute()
  return {
    changes: rows.filter((row) => relevantTypes.has(row.item_type)),
    end: rows.at(-1)?.seq ?? feed?.seq ?? 0,
  }
}

export async function advanceGoalFeed(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  seq: number,
): Promise<void> {
  await all
    .insertInto('goal_feeds')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }))
    .execute()
}

/** Starts an organization's feed now if there is none: earlier changes are included in the current count. */
export async function startFeed(viewer: Viewer): Promise<void> {
  const { all, actor } = accessScopeOf(viewer)
  const last = await all
    .selectFrom('changes')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst()
  await all
    .insertInto('goal_feeds')
    .values({ org_id: actor.org_id, seq: Number(last?.seq ?? 0) })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .execute()
}

/**
 * An organization's key results fed from one of these projects or labels, belonging to one of these goals, or
 * counting items of a changed kind.
 */
export async function keyResultsAffectedBy(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  ids: ReadonlySet<string>,
  changed: readonly GoalChangeRow[],
): Promise<SourcedKeyResult[]> {
  const sourceKinds = [
    ...new Set(changed.flatMap((goalChangeRow) => sourceKindByType[goalChangeRow.item_type] ?? [])),
  ]
  if (ids.size + sourceKinds.length === 0) return []
  const sourceIds = [...ids]
  return readSourcedKeyResults(
    sourcedKeyResults(all)
      .where('key_results.org_id', '=', orgId)
      .where((eb) =>
        eb.or([
          eb('source_project_id', 'in', sourceIds),
          eb('source_label_id', 'in', sourceIds),
          eb('goal_id', 'in', sourceIds as Id<'goals'>[]),
          ...(sourceKinds.length > 0 ? [eb('source_kind', 'in', sourceKinds)] : []),
        ]),
      ),
  )
}

/** Stale key results whose setters are active again; at most `limit`, longest stale first. */
export function staleKeyResults({ all }: TickContext, limit: number): Promise<SourcedKeyResult[]> {
  return readSourcedKeyResults(
    sourcedKeyResults(all)
      .where('stale_since_at', 'is not', null)
      .where('users.status', '=', 'active')
      .orderBy('stale_since_at')
      .limit(limit),
  )
}

function sourcedKeyResults(all: All) {
  return all
    .selectFrom('key_results')
    .innerJoin('goals', 'goals.id', 'key_results.goal_id')
    .innerJoin('users', 'users.id', 'key_results.source_by')
    .where('key_results.source_kind', 'is not', null)
    .where('key_results.retired', '=', 0)
    .selectAll('key_results')
    .select([
      'goals.status as goal_status',
      'goals.deleted_at as goal_deleted_at',
      'users.status as by_status',
    ])
}

async function readSourcedKeyResults(
  query: ReturnType<typeof sourcedKeyResults>,
): Promise<SourcedKeyResult[]> {
  const rows = await query.execute()
  return rows.map(({ goal_status, goal_deleted_at, by_status, ...row }) => ({
    ...row,
    isOpen: (goal_status === 'active' || goal_status === 'draft') && goal_deleted_at === null,
    isSetterActive: by_status === 'active',
  }))
}

/** Marks a value as no longer counted. */
export async function markStale(
  { all, now }: TickContext,
  { id, stale_since_at }: Row<'key_results'>,
): Promise<void> {
  if (stale_since_at === null)
    await all.updateTable('key_results').set({ stale_since_at: now }).where('id', '=', id).execute()
}

/** Inactive setters of sources, by id. */
export async function inactiveUserIds(
  viewer: Viewer,
  ids: readonly (Id<'users'> | null)[],
): Promise<Set<string>> {
  const userIds = [...new Set(ids.filter((id) => id !== null))]
  if (userIds.length === 0) return new Set()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('status', '<>', 'active')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** The goals of key results, by id. */
export async function goalsOf(
  { all }: TickContext,
  keyResults: readonly Row<'key_results'>[],
): Promise<Map<string, Row<'goals'>>> {
  const rows = await all
    .selectFrom('goals')
    .selectAll()
    .where('id', 'in', [...new Set(keyResults.map((row) => row.goal_id))])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
