// Erasing a contact on request: its row, those merged into it, interactions with it alone, and all other traces.
import { omitNullish } from '../../../kernel/present.ts'
import { sql } from 'kysely'
import type { WriteContext } from '../../../operations/context.ts'
import { forget, forgetWords, type Counts } from '../../../privacy/erasure.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import type { Image } from '../../../records/row-images.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { phoneNotations } from './phones.ts'

/** The contact into which a trashed contact was merged; undefined if it was not merged. */
export async function mergedInto(
  ctx: WriteContext,
  row: Row<'contacts'>,
): Promise<Id<'contacts'> | undefined> {
  const redirect = await accessScopeOf(ctx)
    .all.selectFrom('contact_redirects')
    .select('contact_id')
    .where('old_id', '=', row.id)
    .executeTakeFirst()
  return redirect?.contact_id as Id<'contacts'> | undefined
}

/** Whether an import of contacts is running, which could store the erased data again. */
export async function isImportRunning(ctx: WriteContext): Promise<boolean> {
  const { all, actor } = accessScopeOf(ctx)
  return (
    (await all
      .selectFrom('contact_imports')
      .select('id')
      .where('org_id', '=', actor.org_id)
      .where('finished_at', 'is', null)
      .executeTakeFirst()) !== undefined
  )
}

/** Erases a contact with all its data, and leaves its id as a tombstone. @returns counts of erased data, by place */
export async function eraseContact(ctx: WriteContext, row: Row<'contacts'>): Promise<Counts> {
  const { all, actor, now } = accessScopeOf(ctx)
  const merged = (
    await all
      .selectFrom('contact_redirects')
      .select('old_id')
      .where('contact_id', '=', row.id)
      .execute()
  ).map((item) => item.old_id as Id<'contacts'>)
  const ids = [row.id, ...merged]
  const words = await identifiersOf(ctx, ids)
  const soleInteractions = await interactionsOnlyWith(ctx, ids)
  const erasedTraces = await forget(all, {
    org_id: actor.org_id,
    ids: [...ids, ...soleInteractions],
    words,
  })
  for (const id of soleInteractions)
    await all.deleteFrom('interactions').where('id', '=', id).execute()
  for (const id of merged) await all.deleteFrom('contacts').where('id', '=', id).execute()
  await ctx.remove('contacts', row)
  for (const id of ids)
    await all
      .insertInto('contact_tombstones')
      .values({
        id: id as string as Id<'contact_tombstones'>,
        org_id: actor.org_id,
        erased_at: now,
      })
      .execute()
  return omitNullish({
    contacts: ids.length,
    interactions: soleInteractions.length > 0 ? soleInteractions.length : undefined,
    ...erasedTraces,
  })
}

/** Ids of the interactions that have no other contacts than these. */
async function interactionsOnlyWith(
  ctx: WriteContext,
  ids: readonly Id<'contacts'>[],
): Promise<Id<'interactions'>[]> {
  const rows = await accessScopeOf(ctx)
    .all.selectFrom('interaction_contacts')
    .select('interaction_id')
    .groupBy('interaction_id')
    .where('interaction_id', 'in', (eb) =>
      eb.selectFrom('interaction_contacts').select('interaction_id').where('contact_id', 'in', ids),
    )
    .having(sql<number>`sum(case when contact_id in (${sql.join(ids)}) then 0 else 1 end)`, '=', 0)
    .execute()
  return rows.map((row) => row.interaction_id)
}

/**
 * Identifiers of these contacts: addresses, phone numbers in every notation, and full names. A name of a single word is
 * too common.
 */
async function identifiersOf(ctx: WriteContext, ids: readonly Id<'contacts'>[]): Promise<string[]> {
  const { all } = accessScopeOf(ctx)
  const rows = await all.selectFrom('contacts').selectAll().where('id', 'in', ids).execute()
  const changes = await all
    .selectFrom('changes')
    .select('images_json')
    .where('item_id', 'in', ids as readonly string[])
    .where('images_json', 'is not', null)
    .execute()
  const images = changes
    .flatMap((change) => JSON.parse(change.images_json!) as Image[])
    .filter((image) => image.table === 'contacts')
  const formerRows = [...rows, ...images.flatMap((image) => [image.before, image.after])] as (
    | Partial<Row<'contacts'>>
    | undefined
  )[]
  const valuesOf = (column: 'emails_json' | 'phones_json') =>
    formerRows.flatMap((state) => JSON.parse(state?.[column] ?? '[]') as string[])
  const fullNames = formerRows.flatMap((state) =>
    state?.name !== undefined && /\S\s+\S/.test(state.name) ? state.name : [],
  )
  return [
    ...new Set([
      ...fullNames,
      ...valuesOf('emails_json'),
      ...valuesOf('phones_json').flatMap(phoneNotations),
    ]),
  ]
}

/** Erases a part of the remains after the call: words in the index, and the arguments of the erasing call itself. */
export async function eraseRemains(
  { all }: TickContext,
  callId: string,
  contactId: string,
  isFirstRun: boolean,
): Promise<boolean> {
  if (isFirstRun) {
    await all
      .updateTable('calls')
      .set({ details_json: null, salt: null })
      .where('id', '=', callId as Id<'calls'>)
      .where('details_json', 'not like', `%${contactId}%`)
      .execute()
  }
  return forgetWords(all, isFirstRun)
}
