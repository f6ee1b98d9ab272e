import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'

export const Role = z.enum(['admin', 'member', 'guest'])

export const WebSession = shape('WebSession', {
  id: z.string(),
  created_at: datetimeString(),
  last_used_at: datetimeString(),
  ends_at: datetimeString(),
  expires_at: datetimeString(),
  /** Absent once the password or passkey must be confirmed again. */
  password_holds_until: datetimeString().optional(),
  ip: z.string(),
  client: z.string().optional(),
})

/** Id of a web app command. The server knows none of them. */
export const CommandName = z
  .string()
  .max(60)
  .regex(/^[a-z]+\.[A-Za-z]+$/, 'is not the id of a command, such as task.done')

/** Keys of a command; each of them triggers it. */
export const CommandKeys = z
  .array(
    z
      .string()
      .max(60)
      .regex(/^\S+( \S+)?$/, 'is neither a key, such as alt+d, nor two, such as g d'),
  )
  .max(4)
  .readonly()

/** Keys by command id. */
export const Shortcuts = z.record(CommandName, CommandKeys).readonly()

/** Signed-in person, and the remaining time of the session. */
export const SignedIn = shape('SignedIn', {
  signed_in: z.literal(true),
  person: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    timezone: z.string(),
  }),
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  /** Command keys changed by the person. */
  shortcuts: Shortcuts,
  /** Cursor from which the event stream continues, so that it reports all later changes. */
  since_cursor: z.string(),
  /** The same as a number, as in the `x-position` header. */
  position: z.int(),
  session: WebSession,
})

export const SignedOut = z.strictObject({ signed_in: z.literal(false) })

export const ListedSessions = z.strictObject({
  items: z.array(z.strictObject({ ...WebSession.shape, is_current: z.boolean() })),
})

/** The password or passkey was confirmed. */
export const Verified = z.strictObject({ password_holds_until: datetimeString() })

export const Passkey = shape('Passkey', {
  id: z.string(),
  name: z.string(),
  device_type: z.enum(['single_device', 'multi_device']),
  backed_up: z.boolean(),
  transports: z.array(z.string()),
  created_at: datetimeString(),
  last_used_at: datetimeString().optional(),
})

/** Options for navigator.credentials, in the format of @simplewebauthn. */
export const PasskeyOptions = z.looseObject({
  challenge: z.string(),
  timeout: z.number().optional(),
})
