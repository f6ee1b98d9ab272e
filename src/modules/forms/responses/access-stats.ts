// Statistics over one form's responses, after checking the reader; the database does all counting.

import { sql, type SelectQueryBuilder } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'

/** Period in which responses were submitted, in milliseconds. */
export interface Period {
  after?: number | undefined
  before?: number | undefined
}

type Database = ReturnType<typeof accessScopeOf>['all']

function responses(
  all: Database,
  formId: Id<'forms'>,
  { after, before }: Period,
): SelectQueryBuilder<Tables, 'form_responses', {}> {
  let query = all.selectFrom('form_responses').where('form_responses.form_id', '=', formId)
  if (after !== undefined) query = query.where('form_responses.created_at', '>=', after)
  if (before !== undefined) query = query.where('form_responses.created_at', '<=', before)
  return query
}

/** Answers to one field; optionally only of responses in a period. */
function answers(
  all: Database,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
): SelectQueryBuilder<Tables, 'form_answers', {}> {
  const query = all
    .selectFrom('form_answers')
    .where('form_answers.form_id', '=', formId)
    .where('form_answers.field_id', '=', fieldId)
  if (within.after === undefined && within.before === undefined) return query
  return query.where(
    'form_answers.response_id',
    'in',
    responses(all, formId, within).select('form_responses.id'),
  )
}

export async function countCompleted(
  viewer: Viewer,
  formId: Id<'forms'>,
  within: Period,
): Promise<number> {
  const { count } = await responses(accessScopeOf(viewer).all, formId, within)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Views and starts between two days, inclusive. */
export async function countVisits(
  reader: Viewer,
  formId: Id<'forms'>,
  first: string | undefined,
  last: string | undefined,
): Promise<{ views: number; started: number }> {
  let query = accessScopeOf(reader).all.selectFrom('form_days').where('form_id', '=', formId)
  if (first !== undefined) query = query.where('day_on', '>=', first)
  if (last !== undefined) query = query.where('day_on', '<=', last)
  const row = await query
    .select((eb) => [
      eb.fn.sum<number | null>('views').as('views'),
      eb.fn.sum<number | null>('started').as('started'),
    ])
    .executeTakeFirstOrThrow()
  return { views: Number(row.views ?? 0), started: Number(row.started ?? 0) }
}

export async function countByDay(
  viewer: Viewer,
  formId: Id<'forms'>,
  within: Period,
): Promise<{ date: string; count: number }[]> {
  const rows = await responses(accessScopeOf(viewer).all, formId, within)
    .select((eb) => ['submitted_on', eb.fn.countAll<number>().as('count')])
    .groupBy('submitted_on')
    .orderBy('submitted_on')
    .execute()
  return rows.map((row) => ({ date: row.submitted_on, count: row.count }))
}

/** Median time on the page; undefined if there are none. */
export async function medianSeconds(
  reader: Viewer,
  formId: Id<'forms'>,
  within: Period,
): Promise<number | undefined> {
  const timed = responses(accessScopeOf(reader).all, formId, within).where(
    'seconds',
    'is not',
    null,
  )
  const { count } = await timed
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count === 0) return undefined
  const middle = await timed
    .select('seconds')
    .orderBy('seconds')
    .offset(Math.floor((count - 1) / 2))
    .limit(2 - (count % 2))
    .execute()
  return Math.round(middle.reduce((sum, row) => sum + row.seconds!, 0) / middle.length)
}

/** Counts the responses that answer a field; `isMultiple`: one answer may have several values. */
export async function countAnswered(
  viewer: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
  isMultiple: boolean,
): Promise<number> {
  const { count } = await answers(accessScopeOf(viewer).all, formId, fieldId, within)
    .select((eb) =>
      (isMultiple
        ? eb.fn.count<number>('form_answers.response_id').distinct()
        : eb.fn.countAll<number>()
      ).as('count'),
    )
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the responses to some versions of a form that answer a field. */
export async function countAnsweredIn(
  reader: Viewer,
  { formId, fieldId }: { formId: Id<'forms'>; fieldId: string },
  within: Period,
  versions: readonly number[],
): Promise<number> {
  if (versions.length === 0) return 0
  const { all } = accessScopeOf(reader)
  const { count } = await answers(all, formId, fieldId, within)
    .innerJoin('form_responses', 'form_responses.id', 'form_answers.response_id')
    .where('form_responses.form_version', 'in', versions)
    .select((eb) => eb.fn.count<number>('form_answers.response_id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function distribution(
  viewer: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
  column: 'text' | 'number',
): Promise<Map<string | number, number>> {
  const query = answers(accessScopeOf(viewer).all, formId, fieldId, within)
  const rows =
    column === 'text'
      ? await query
          .select((eb) => ['text as value', eb.fn.countAll<number>().as('count')])
          .groupBy('text')
          .execute()
      : await query
          .select((eb) => ['number as value', eb.fn.countAll<number>().as('count')])
          .groupBy('number')
          .execute()
  return new Map(rows.map((row) => [row.value!, row.count]))
}

export interface NumberStats {
  count: number
  min: number
  max: number
  sum: number
  mean: number
  median: number
}

/** Statistics of numeric answers; undefined if there are none. */
export async function numberStats(
  viewer: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
): Promise<NumberStats | undefined> {
  const query = answers(accessScopeOf(viewer).all, formId, fieldId, within)
  const row = await query
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number>('number').as('min'),
      eb.fn.max<number>('number').as('max'),
      eb.fn.sum<number>('number').as('sum'),
    ])
    .executeTakeFirstOrThrow()
  if (row.count === 0) return undefined
  const middle = await query
    .select('number')
    .orderBy('number')
    .offset(Math.floor((row.count - 1) / 2))
    .limit(2 - (row.count % 2))
    .execute()
  return {
    ...row,
    mean: row.sum / row.count,
    median: middle.reduce((sum, item) => sum + item.number!, 0) / middle.length,
  }
}

/** Mean of numeric answers; undefined if there are none. */
export async function averageAnswer(
  reader: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
): Promise<number | undefined> {
  return (await numberStats(reader, formId, fieldId, {}))?.mean
}

/** First and last of sortable texts (days), and the number of distinct ones. */
export async function textRange(
  viewer: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
): Promise<{ min: string | null; max: string | null; distinct: number }> {
  return answers(accessScopeOf(viewer).all, formId, fieldId, within)
    .select((eb) => [
      eb.fn.min<string | null>('text').as('min'),
      eb.fn.max<string | null>('text').as('max'),
      eb.fn.count<number>('text').distinct().as('distinct'),
    ])
    .executeTakeFirstOrThrow()
}

/** Promoters (9, 10) minus detractors (0 to 6), in percent of all; undefined without answers. */
export async function netPromoterScore(
  reader: Viewer,
  formId: Id<'forms'>,
  fieldId: string,
  within: Period,
): Promise<number | undefined> {
  const row = await answers(accessScopeOf(reader).all, formId, fieldId, within)
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number | null>`sum(case when number >= 9 then 1 when number <= 6 then -1 else 0 end)`.as(
        'net',
      ),
    ])
    .executeTakeFirstOrThrow()
  return row.count === 0 ? undefined : Math.round(((row.net ?? 0) / row.count) * 1000) / 10
}
