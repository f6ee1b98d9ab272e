import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, shortText } from '../../../kernel/fields.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { countResponses } from '../responses/access.ts'
import { audiences, readers } from '../shapes.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

export const SettingsInput = z.strictObject({
  audience: z.enum(audiences).optional(),
  closes_at: datetime().nullable().optional(),
  response_limit: z.int().min(1).max(1_000_000).nullable().optional(),
  responses_visible_to: z.enum(readers).optional().describe('default owner_only'),
  thank_you: shortText(5000).nullable().optional(),
  captcha: z.boolean().optional().describe('deters bots, without scripts'),
})

export const defaultSettings = {
  audience: 'organization',
  responses_visible_to: 'owner_only',
  captcha: 0,
} as const

type Columns = Partial<
  Pick<
    Row<'forms'>,
    'audience' | 'closes_at' | 'response_limit' | 'responses_visible_to' | 'thank_you' | 'captcha'
  >
>

/** Columns for the given settings. Settings of an open form must not close it as a side effect. */
export async function readSettings(
  ctx: ReadContext,
  input: z.infer<typeof SettingsInput>,
  form?: Row<'forms'>,
): Promise<Columns> {
  const { audience, closes_at, response_limit, responses_visible_to, thank_you, captcha } = input
  return omitUndefined({
    audience,
    closes_at:
      closes_at === undefined ? undefined : readClosingTime(ctx, closes_at, 'settings.closes_at'),
    response_limit:
      response_limit === undefined
        ? undefined
        : await readLimit(ctx, response_limit, form, 'settings.response_limit'),
    responses_visible_to,
    thank_you: thank_you === undefined ? undefined : thank_you?.trim() || null,
    ...(captcha === undefined ? {} : { captcha: captcha ? 1 : 0 }),
  })
}

export function readClosingTime(
  ctx: ReadContext,
  text: string | null,
  field: string,
): number | null {
  if (text === null) return null
  const at = parseInstant(text, ctx.actor.timezone, 'end', field)
  if (at <= ctx.now)
    throw invalid(field, 'this time has passed.', 'To close it now, use close_form.')
  return at
}

/** An open form must have room for another response. */
async function readLimit(
  ctx: ReadContext,
  limit: number | null,
  form: Row<'forms'> | undefined,
  field: string,
): Promise<number | null> {
  if (limit === null || form?.status !== 'published') return limit
  const count = await countResponses(ctx, form.id)
  if (count >= limit)
    throw new Refusal('conflict', `${field}: the form already has ${quantity(count, 'answer')}.`, {
      field,
      hint: 'Send a higher limit, or close it with close_form.',
    })
  return limit
}
