// First answers of idempotency keys: a repeated request gets the same answer again.
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Id } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { dayLength } from '../../kernel/time/times.ts'

/** Milliseconds for which the first answer to an idempotency key is repeated. */
export const replayTime = dayLength

/** Identifies a stored answer: caller, operation, idempotency key, and the hash of the arguments. */
export type ReplayKey = Pick<
  Tables['replays'],
  'actor_id' | 'key_id' | 'tool' | 'idempotency_key' | 'arguments_hash'
>

export interface FirstAnswer {
  call_id: Id<'calls'>
  value: unknown
}

/** @throws Refusal idempotency_conflict if the key was used with other arguments */
export async function findFirstAnswer(
  db: Kysely<Tables>,
  now: number,
  { actor_id, key_id, tool, idempotency_key, arguments_hash }: ReplayKey,
): Promise<FirstAnswer | undefined> {
  const first = await db
    .selectFrom('replays')
    .selectAll()
    .where('actor_id', '=', actor_id)
    .where('key_id', '=', key_id)
    .where('tool', '=', tool)
    .where('idempotency_key', '=', idempotency_key)
    .where('created_at', '>', now - replayTime)
    .executeTakeFirst()
  if (!first) return undefined
  if (first.arguments_hash !== arguments_hash) {
    throw new Refusal(
      'idempotency_conflict',
      `idempotency_key: this key was already used for ${tool} with other arguments.`,
      { field: 'idempotency_key', hint: 'Use a new key for a new request.' },
    )
  }
  return { call_id: first.call_id as Id<'calls'>, value: JSON.parse(first.answer_json) as unknown }
}

/** Stores an answer, in the transaction of its call. */
export async function storeAnswer(
  db: Kysely<Tables>,
  now: number,
  replayKey: ReplayKey,
  { call_id, value }: FirstAnswer,
): Promise<void> {
  await db
    .insertInto('replays')
    .values({ ...replayKey, answer_json: JSON.stringify(value), call_id, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['actor_id', 'key_id', 'tool', 'idempotency_key']).doUpdateSet((eb) => ({
        arguments_hash: eb.ref('excluded.arguments_hash'),
        answer_json: eb.ref('excluded.answer_json'),
        call_id: eb.ref('excluded.call_id'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .execute()
}
