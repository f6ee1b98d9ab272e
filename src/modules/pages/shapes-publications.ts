import { z } from 'zod'
import { moment } from '../../core/fields.ts'
import { Ref } from '../../core/shapes.ts'

export const Publication = z.strictObject({
  page: Ref,
  public_url: z.string(),
  slug: z.string(),
  include_children: z.boolean(),
  expires_at: moment().optional(),
  status: z.enum(['published', 'expired']),
})
