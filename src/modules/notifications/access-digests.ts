import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../kernel/ids.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import type { Row } from '../../records/resource.ts'
import type { WorkDays } from './digest-days.ts'

export type RoundRow = Row<'digest_rounds'>

/** People who want a digest but have no round of that kind yet. */
export async function peopleWithoutRound(
  { all }: TickContext,
  limit: number,
): Promise<(Pick<RoundRow, 'person_id' | 'org_id' | 'digest'> & { timezone: string })[]> {
  const rows = await all
    .selectFrom('inboxes')
    .innerJoin('users', 'users.id', 'inboxes.person_id')
    .leftJoin('digest_rounds', 'digest_rounds.person_id', 'inboxes.person_id')
    .select(['inboxes.person_id', 'inboxes.org_id', 'inboxes.digest', 'users.timezone'])
    .where(sql<SqlBool>`inboxes.digest <> 'off'`)
    .where('digest_rounds.person_id', 'is', null)
    .limit(limit)
    .execute()
  return rows as (Pick<RoundRow, 'person_id' | 'org_id' | 'digest'> & { timezone: string })[]
}

export async function startRound(
  { all, now }: TickContext,
  { person_id, org_id, digest }: Pick<RoundRow, 'person_id' | 'org_id' | 'digest'>,
  dueAt: number,
): Promise<void> {
  await all
    .insertInto('digest_rounds')
    .values({ person_id, org_id, digest, since_at: now, due_at: dueAt })
    .execute()
}

/** Deletes rounds of people who changed or disabled their digest, and rounds due after `latestDue`, to restart them. */
export async function deleteStaleRounds({ all }: TickContext, latestDue: number): Promise<void> {
  const isOutdated = sql<SqlBool>`not exists (select 1 from inboxes where inboxes.person_id = digest_rounds.person_id and inboxes.digest = digest_rounds.digest)`
  await all
    .deleteFrom('digest_rounds')
    .where((eb) => eb.or([isOutdated, eb('due_at', '>', latestDue)]))
    .execute()
}

export function dueRounds({ all, now }: TickContext, limit: number): Promise<RoundRow[]> {
  return all
    .selectFrom('digest_rounds')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

export async function changeRound(
  { all }: TickContext,
  person: Id<'users'>,
  patch: Pick<RoundRow, 'since_at' | 'due_at'>,
): Promise<void> {
  await all.updateTable('digest_rounds').set(patch).where('person_id', '=', person).execute()
}

export async function workDaysOf({ all }: TickContext, org: Id<'orgs'>): Promise<WorkDays> {
  const { work_week_json, holidays_json } = await all
    .selectFrom('orgs')
    .select(['work_week_json', 'holidays_json'])
    .where('id', '=', org)
    .executeTakeFirstOrThrow()
  return {
    week: JSON.parse(work_week_json) as number[],
    holidays: new Set((JSON.parse(holidays_json) as { date: string }[]).map((item) => item.date)),
  }
}
