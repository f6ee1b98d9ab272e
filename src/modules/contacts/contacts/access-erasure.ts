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
import { spelledPhone } from './phones.ts'

/** The contact that replaced a former id, if that id is in the trash because of a merge. */
export async function keptFor(
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

/** Whether a running import may restore the erased data. */
export async function isImporting(ctx: WriteContext): Promise<boolean> {
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
  const words = await erasedWordsOf(ctx, ids)
  const talks = await onlyWith(ctx, ids)
  const traces = await forget(all, { org_id: actor.org_id, ids: [...ids, ...talks], words })
  for (const id of talks) await all.deleteFrom('interactions').where('id', '=', id).execute()
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
    interactions: talks.length > 0 ? talks.length : undefined,
    ...traces,
  })
}

/** Interactions with no other contacts. */
async function onlyWith(
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
 * Identifiers of these contacts: addresses, numbers in every spelling, full names. A single word as a name is too
 * common.
 */
async function erasedWordsOf(ctx: WriteContext, ids: readonly Id<'contacts'>[]): Promise<string[]> {
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
  const states = [...rows, ...images.flatMap((image) => [image.before, image.after])] as (
    | Partial<Row<'contacts'>>
    | undefined
  )[]
  const lists = (column: 'emails_json' | 'phones_json') =>
    states.flatMap((state) => JSON.parse(state?.[column] ?? '[]') as string[])
  const names = states.flatMap((state) =>
    state?.name !== undefined && /\S\s+\S/.test(state.name) ? state.name : [],
  )
  return [
    ...new Set([...names, ...lists('emails_json'), ...lists('phones_json').flatMap(spelledPhone)]),
  ]
}

/** Erases part of what remains after the call: words in the index, and the arguments of the erasing call itself. */
export async function forgetRest(
  { all }: TickContext,
  callId: string,
  contactId: string,
  first: boolean,
): Promise<boolean> {
  if (first) {
    await all
      .updateTable('calls')
      .set({ details_json: null, salt: null })
      .where('id', '=', callId as Id<'calls'>)
      .where('details_json', 'not like', `%${contactId}%`)
      .execute()
  }
  return forgetWords(all, first)
}
