// Background work for forms: across all organizations, inside write jobs.

import type { Kysely } from 'kysely'
import type { Cause, TickContext } from '../../../operations/jobs/tick.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

type Database = Kysely<Tables>

/** Open forms past their closing time. */
export function overdueForms({ all, now }: TickContext, limit: number): Promise<Row<'forms'>[]> {
  return all
    .selectFrom('forms')
    .selectAll()
    .where('status', '=', 'published')
    .where('closes_at', '<=', now)
    .where('deleted_at', 'is', null)
    .orderBy('closes_at')
    .limit(limit)
    .execute()
}

/** Forms with new responses since their creator was last notified, if that was long enough ago; with counts. */
export async function formsWithUnreportedResponses(
  { all, now }: TickContext,
  intervalMs: number,
  limit: number,
): Promise<(Row<'forms'> & { fresh: number })[]> {
  return all
    .selectFrom('forms')
    .selectAll('forms')
    .select((eb) =>
      eb
        .selectFrom('form_responses')
        .whereRef('form_responses.form_id', '=', 'forms.id')
        .whereRef('form_responses.created_at', '>', 'forms.told_at')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('fresh'),
    )
    .where('forms.last_response_at', 'is not', null)
    .whereRef('forms.last_response_at', '>', 'forms.told_at')
    .where('forms.told_at', '<=', now - intervalMs)
    .where('forms.deleted_at', 'is', null)
    .orderBy('forms.last_response_at')
    .limit(limit)
    .execute()
}

/** Responses of existing forms in a delivery state. */
function responsesInState(all: Database, state: 'waiting' | 'queued') {
  return all
    .selectFrom('form_responses')
    .innerJoin('forms', 'forms.id', 'form_responses.form_id')
    .where('form_responses.destination_state', '=', state)
    .where('forms.deleted_at', 'is', null)
}

/** The next response to deliver, or one whose delivery job was lost before the given time. */
export async function nextToDeliver(
  all: Database,
  lostBefore: number,
): Promise<(Pick<Row<'form_responses'>, 'id'> & { created_by: Id<'users'> }) | undefined> {
  const columns = ['form_responses.id', 'forms.created_by'] as const
  const waiting = await responsesInState(all, 'waiting').select(columns).limit(1).executeTakeFirst()
  if (waiting) return waiting
  return responsesInState(all, 'queued')
    .where('form_responses.updated_at', '<', lostBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', 'fulfil_form_response')
            .whereRef('jobs.unique_key', '=', 'form_responses.id')
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .select(columns)
    .limit(1)
    .executeTakeFirst()
}

export async function hasWaitingResponse(all: Database): Promise<boolean> {
  return (
    (await responsesInState(all, 'waiting')
      .select('form_responses.id')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/**
 * Cause of a form response, recorded on the items created from it: the automation run that submitted it, with that
 * run's hold, or else the response itself.
 */
export async function causeOf(
  { all }: TickContext,
  { id, trust }: Pick<Row<'form_responses'>, 'id' | 'trust'>,
): Promise<Cause> {
  const change = await all
    .selectFrom('changes')
    .select('run_id')
    .where('item_id', '=', id)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  const run =
    change?.run_id == null
      ? undefined
      : await all
          .selectFrom('automation_runs')
          .select(['id', 'held'])
          .where('id', '=', change.run_id as Id<'automation_runs'>)
          .executeTakeFirst()
  const isHeld = run?.held === 1
  return { run: run?.id ?? id, held: isHeld, isExternal: isHeld || trust === 'external' }
}

/** Records the delivery progress of a response. */
export async function recordDelivery(
  { all, now }: TickContext,
  id: string,
  patch: Partial<Pick<Row<'form_responses'>, 'destination_state' | 'destination_error'>>,
): Promise<void> {
  await all
    .updateTable('form_responses')
    .set({ ...patch, updated_at: now })
    .where('id', '=', id as Id<'form_responses'>)
    .execute()
}

/** A response being delivered, with its form; undefined if either is gone, or delivery has ended. */
export async function responseInDelivery(
  { all }: TickContext,
  id: string,
): Promise<{ response: Row<'form_responses'>; form: Row<'forms'> } | undefined> {
  const response = await all
    .selectFrom('form_responses')
    .selectAll()
    .where('id', '=', id as Id<'form_responses'>)
    .where('destination_state', 'in', ['waiting', 'queued'])
    .executeTakeFirst()
  const form =
    response &&
    (await all
      .selectFrom('forms')
      .selectAll()
      .where('id', '=', response.form_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  return form && { response, form }
}
