// Channel imports: pending work of a job, and positions of imported messages.
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'

type ImportRow = Row<'chat_imports'>

/** By the channel's id in the file: the local channel, and its number of written messages. */
export type ImportState = Record<
  string,
  { channel: Id<'channels'>; done: number; isComplete?: boolean }
>

export async function startChatImport(
  ctx: WriteContext,
  columns: Pick<ImportRow, 'file_id' | 'options_json' | 'result_json'>,
): Promise<Id<'chat_imports'>> {
  const { all, actor, now } = accessScopeOf(ctx)
  const id = newId<'chat_imports'>('him', now)
  await all
    .insertInto('chat_imports')
    .values({
      ...columns,
      id,
      org_id: actor.org_id,
      owner_id: actor.id,
      key_id: actor.key?.id ?? null,
      state_json: '{}',
      created_at: now,
      finished_at: null,
    })
    .execute()
  return id
}

export async function chatImport(
  { all }: Pick<TickContext, 'all'>,
  id: string,
): Promise<ImportRow | undefined> {
  return all
    .selectFrom('chat_imports')
    .selectAll()
    .where('id', '=', id as ImportRow['id'])
    .executeTakeFirst()
}

/** Stores the state in the transaction that writes the messages, so that each is written once. */
export async function storeState(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  state: ImportState,
  result: object,
): Promise<void> {
  await all
    .updateTable('chat_imports')
    .set({ state_json: JSON.stringify(state), result_json: JSON.stringify(result) })
    .where('id', '=', id as ImportRow['id'])
    .execute()
}

export async function endChatImport(
  { all, now }: Pick<TickContext, 'all' | 'now'>,
  id: string,
): Promise<void> {
  await all
    .updateTable('chat_imports')
    .set({ finished_at: now })
    .where('id', '=', id as ImportRow['id'])
    .execute()
}

/** Removes old imports, and those whose job ended early: the person was deactivated, or it failed too often. */
export async function endLostChatImports({ all, now }: TickContext): Promise<boolean> {
  const live = all
    .selectFrom('jobs')
    .select('unique_key')
    .where('kind', '=', 'import_channels')
    .where('finished_at', 'is', null)
    .where('unique_key', 'is not', null)
  await all
    .updateTable('chat_imports')
    .set({ finished_at: now })
    .where('finished_at', 'is', null)
    .where('id', 'not in', live.$castTo<{ unique_key: Id<'chat_imports'> }>())
    .execute()
  await all
    .deleteFrom('chat_imports')
    .where('finished_at', '<', now - 7 * dayLength)
    .execute()
  return false
}

/** Previously imported channels of the organization by source, including those invisible to the caller. */
export async function importedBefore(
  ctx: ReadContext,
  refs: readonly string[],
): Promise<Set<string>> {
  const { all, actor } = accessScopeOf(ctx)
  const rows =
    refs.length === 0
      ? []
      : await all
          .selectFrom('channels')
          .select('imported_ref')
          .where('org_id', '=', actor.org_id)
          .where('imported_ref', 'in', refs)
          .execute()
  return new Set(rows.flatMap((row) => row.imported_ref ?? []))
}

/** Reserves numbers for some messages of a channel; returns the first. */
export async function reserveSeqs(
  ctx: WriteContext,
  id: Id<'channels'>,
  count: number,
  lastAt: number,
): Promise<number> {
  const row = await accessScopeOf(ctx)
    .all.updateTable('channels')
    .set((eb) => ({ last_seq: eb('last_seq', '+', count), last_message_at: lastAt }))
    .where('id', '=', id)
    .returning('last_seq')
    .executeTakeFirstOrThrow()
  return row.last_seq - count + 1
}

/** The message that started a thread at a moment. */
export async function threadRootAt(
  ctx: ReadContext,
  id: Id<'channels'>,
  at: number,
): Promise<Id<'messages'> | undefined> {
  const row = await accessScopeOf(ctx)
    .all.selectFrom('messages')
    .select('id')
    .where('channel_id', '=', id)
    .where('sent_at', '=', at)
    .where('thread_root_id', 'is', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
