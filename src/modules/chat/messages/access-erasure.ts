import type { Undo } from '../../../records/row-changes.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'

const dependentTables = [
  'message_mentions',
  'message_reactions',
  'message_files',
  'message_pins',
] as const

/**
 * Erases a message immediately: its text everywhere, and everything attached to it. Its row stays, as a gap in the
 * channel. Irreversible: the data for undoing earlier edits is also erased.
 */
export async function eraseMessage(ctx: Undo, row: Row<'messages'>): Promise<Row<'messages'>> {
  const { all } = accessScopeOf(ctx)
  for (const table of dependentTables)
    await all.deleteFrom(table).where('message_id', '=', row.id).execute()
  await all.deleteFrom('notifications').where('item_id', '=', row.id).execute()
  await redactReplays(ctx, row)
  await eraseDeliveries(ctx, row)
  await all
    .updateTable('changes')
    .set({ images_json: '[]', fields_json: '[]' })
    .where('item_id', '=', row.id)
    .execute()
  const erasedColumns = { body_markdown: '', edited_at: null, mentions_channel: 0 } as const
  await all.updateTable('messages').set(erasedColumns).where('id', '=', row.id).execute()
  const gap = await ctx.change('messages', { ...row, ...erasedColumns }, { erased_at: ctx.now })
  ctx.event('message.deleted', 'messages', gap)
  return gap
}

/** Deletes the remains of deleted messages of a channel that is removed, unless they are still referenced. */
export async function dropGaps(ctx: Undo, row: Row<'channels'>): Promise<void> {
  const gaps = accessScopeOf(ctx)
    .all.deleteFrom('messages')
    .where('channel_id', '=', row.id)
    .where('erased_at', 'is not', null)
  await gaps.where('thread_root_id', 'is not', null).execute()
  await gaps.execute()
}

/**
 * Shows the message as a gap in responses stored for idempotency keys: without them, repeating a request would post
 * it again.
 */
async function redactReplays(ctx: Undo, row: Row<'messages'>): Promise<void> {
  const { all } = accessScopeOf(ctx)
  const calls = all
    .selectFrom('changes')
    .select('changes.call_id')
    .where('changes.item_id', '=', row.id)
  const replays = await all
    .selectFrom('replays')
    .selectAll()
    .where('actor_id', '=', row.created_by)
    .where('call_id', 'in', calls)
    .execute()
  for (const { actor_id, key_id, tool, idempotency_key, answer_json } of replays) {
    const answer = JSON.parse(answer_json) as Record<string, unknown>
    if (answer.id !== row.id) continue
    const gap = JSON.stringify({
      ...answer,
      content: { text: '', trust: 'internal' },
      linked_items: [],
      mentions: [],
      files: [],
    })
    await all
      .updateTable('replays')
      .set({ answer_json: gap })
      .where('actor_id', '=', actor_id)
      .where('key_id', '=', key_id)
      .where('tool', '=', tool)
      .where('idempotency_key', '=', idempotency_key)
      .execute()
  }
}

/** Erases webhook deliveries, whose payloads start with the first words of the message. */
async function eraseDeliveries(ctx: Undo, row: Row<'messages'>): Promise<void> {
  const { all, actor } = accessScopeOf(ctx)
  await all
    .updateTable('webhook_deliveries')
    .set({ payload_json: null })
    .where(
      'webhook_id',
      'in',
      all.selectFrom('webhooks').select('webhooks.id').where('webhooks.org_id', '=', actor.org_id),
    )
    .where(
      'change_seq',
      'in',
      all.selectFrom('changes').select('changes.seq').where('changes.item_id', '=', row.id),
    )
    .execute()
}
