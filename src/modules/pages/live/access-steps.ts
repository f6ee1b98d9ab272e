import { ChangeSet } from '@codemirror/state'
import { sql } from 'kysely'
import { dayLength } from '../../../kernel/time/times.ts'
import { accessScopeOf, type AccessScope, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { decodeText, encodeText } from '../content/access-bodies.ts'

/** Storage time of steps; editors that were offline for longer merge whole texts instead. */
export const stepRetentionMs = 7 * dayLength

type Page = Pick<Row<'pages'>, 'id'>

/** A step as made. */
export interface PageStep {
  revision: number
  /** Id that the originating editor gave the step; undefined if an operation made it. */
  edit: string | undefined
  changes: ChangeSet
  personId: Row<'page_steps'>['created_by']
  keyId: Row<'page_steps'>['key_id']
  at: number
}

/** Steps of a visible page between two revisions, in order. */
export async function stepsOf(
  viewer: Viewer,
  { id }: Page,
  { after, upTo, limit }: { after: number; upTo?: number; limit?: number },
): Promise<PageStep[]> {
  let query = accessScopeOf(viewer)
    .all.selectFrom('page_steps')
    .selectAll()
    .where('page_id', '=', id)
    .where('revision', '>', after)
    .orderBy('revision')
  if (upTo !== undefined) query = query.where('revision', '<=', upTo)
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map((row) => ({
    revision: row.revision,
    edit: row.edit ?? undefined,
    changes: ChangeSet.fromJSON(JSON.parse(decodeText(row))),
    personId: row.created_by,
    keyId: row.key_id,
    at: row.created_at,
  }))
}

/** Counts the steps after a revision, the reader's own among them, and their total size. */
export async function stepsBehind(
  reader: Viewer,
  { id }: Page,
  after: number,
): Promise<{ count: number; own: number; size: number }> {
  const { all, actor } = accessScopeOf(reader)
  const totals = await all
    .selectFrom('page_steps')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('created_by', '=', actor.id).as('own'),
      sql<number>`coalesce(sum(length(page_steps.content)), 0)`.as('size'),
    ])
    .where('page_id', '=', id)
    .where('revision', '>', after)
    .executeTakeFirstOrThrow()
  return { count: Number(totals.count), own: Number(totals.own), size: Number(totals.size) }
}

/** The page's revision after the step with this id; undefined if there is none. */
export async function revisionOfEdit(
  viewer: Viewer,
  { id }: Page,
  edit: string,
): Promise<number | undefined> {
  const step = await accessScopeOf(viewer)
    .all.selectFrom('page_steps')
    .select('revision')
    .where('page_id', '=', id)
    .where('edit', '=', edit)
    .executeTakeFirst()
  return step?.revision
}

/** Whether all steps after a revision are still stored. */
export async function areStepsStored(
  reader: Viewer,
  { id }: Page,
  afterRevision: number,
  now: number,
): Promise<boolean> {
  const later = await accessScopeOf(reader)
    .all.selectFrom('page_versions')
    .select('id')
    .where('page_id', '=', id)
    .where('page_revision', '>', afterRevision)
    .where('created_at', '<', now - stepRetentionMs)
    .executeTakeFirst()
  return later === undefined
}

/** The revision at which a version written live ends; undefined for a version written by a call. */
export async function liveVersionEnd(
  viewer: Viewer,
  { id }: Page,
  number: number,
): Promise<{ until: number } | undefined> {
  const { all } = accessScopeOf(viewer)
  const version = await all
    .selectFrom('page_versions')
    .select(['id', 'page_revision'])
    .where('page_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!version) return undefined
  const author = await all
    .selectFrom('page_version_authors')
    .select('version_id')
    .where('version_id', '=', version.id)
    .executeTakeFirst()
  return author && { until: version.page_revision ?? 0 }
}

interface NewStep {
  edit?: string
  changes: ChangeSet
}

async function insertStep(
  scope: AccessScope,
  row: Pick<Row<'pages'>, 'id' | 'org_id'>,
  revision: number,
  { edit, changes }: NewStep,
): Promise<void> {
  await scope.all
    .insertInto('page_steps')
    .values({
      page_id: row.id,
      org_id: row.org_id,
      revision,
      edit: edit ?? null,
      key_id: scope.actor.key?.id ?? null,
      created_at: scope.now,
      created_by: scope.actor.id,
      ...encodeText(JSON.stringify(changes)),
    })
    .execute()
}

/** Records an operation's effect on a text: the page already has the revision. */
export async function recordChange(
  accessScope: AccessScope,
  row: Row<'pages'>,
  changes: ChangeSet,
): Promise<void> {
  const [earlier] = await stepsOf(accessScope, row, { after: row.revision - 1, upTo: row.revision })
  if (!earlier) return insertStep(accessScope, row, row.revision, { changes })
  // The same call has already recorded a change at this revision.
  await accessScope.all
    .updateTable('page_steps')
    .set(encodeText(JSON.stringify(earlier.changes.compose(changes))))
    .where('page_id', '=', row.id)
    .where('revision', '=', row.revision)
    .execute()
}

/** Adds an editor's step with the page's next revision; returns the updated page. The actor may edit it. */
export async function addStep(
  viewer: Viewer,
  row: Row<'pages'>,
  step: Required<NewStep>,
): Promise<Row<'pages'>> {
  const s = accessScopeOf(viewer)
  const revision = row.revision + 1
  await insertStep(s, row, revision, step)
  const patch = {
    revision,
    live_from: row.live_from ?? row.revision,
    live_since: row.live_since ?? s.now,
    live_at: s.now,
  }
  await s.all.updateTable('pages').set(patch).where('id', '=', row.id).execute()
  return { ...row, ...patch }
}
