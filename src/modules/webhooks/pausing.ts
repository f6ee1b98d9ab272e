import type { WriteContext } from '../../core/context.ts'
import type { Row } from '../../core/resource.ts'

export type Pause = NonNullable<Row<'webhooks'>['pause']>

/** Pauses a webhook in its owner's name: activity and list_changes tell them, with the reason. */
export async function pauseWebhook(ctx: WriteContext, row: Row<'webhooks'>, pause: Pause): Promise<void> {
  await ctx.change('webhooks', row, { active: 0, pause })
}
