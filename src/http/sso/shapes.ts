import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { shape } from '../../kernel/shape.ts'

/** An identity provider, as the sign-in page offers it. */
export const SsoProvider = shape('SsoProvider', { id: z.string(), name: z.string() })

/** The account of a person at an identity provider. */
export const SsoIdentity = shape('SsoIdentity', {
  provider: SsoProvider,
  email: z.string().nullable(),
  created_at: datetimeString(),
  last_used_at: datetimeString(),
})
