import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { Ref } from '../../../records/shapes.ts'

export const Publication = shape('Publication', {
  page: Ref,
  public_url: z.string(),
  slug: z.string(),
  include_children: z.boolean(),
  expires_at: datetimeString().optional(),
  status: z.enum(['published', 'expired']),
})
