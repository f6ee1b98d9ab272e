import type { WriteContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'

export type PauseReason = NonNullable<Row<'webhooks'>['pause']>

const texts: Record<PauseReason, string> = {
  owner: 'This webhook is paused',
  failing: 'This webhook was paused: its address has not answered for days',
  gone: 'This webhook was paused: its address answered 410 (Gone)',
  overflow: 'This webhook was paused: too many deliveries are queued',
  restored: 'This webhook is paused: a backup was restored',
}

/** Pauses a webhook on behalf of its owner, so that activity and list_changes show it, with the reason. */
export async function pauseWebhook(
  ctx: WriteContext,
  row: Row<'webhooks'>,
  pause: PauseReason,
): Promise<void> {
  const paused = await ctx.change('webhooks', row, { active: 0, pause })
  ctx.notify('automation', [row.owner_id], 'webhooks', paused, texts[pause])
}
