import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { shape } from '../../kernel/shape.ts'

/** What a program asks for at the consent page, and what is known of it. */
export const ConnectionRequest = shape('ConnectionRequest', {
  client: z.strictObject({
    name: z.string(),
    source: z.enum(['document', 'registered', 'entered']),
    publisher: z.string().optional(),
    uri: z.string().optional(),
  }),
  redirect: z.strictObject({ host: z.string(), kind: z.enum(['web', 'loopback', 'app']) }),
  resource: z.string(),
  may_write: z.boolean(),
  may_send: z.boolean(),
  toolsets: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('modules that the address opens, `tasks:ro` for only what reads there; absent: all'),
  replaces: z
    .strictObject({ id: z.string(), name: z.string(), created_at: datetimeString() })
    .optional(),
  expires_at: datetimeString(),
})

/** Where the browser goes after the decision. */
export const ConsentDecision = z.strictObject({ redirect_to: z.string() })
