import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { shape } from '../../kernel/shape.ts'

/** Request of a program on the consent page, and known facts about the program. */
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
  unknown_scopes: z
    .array(z.string())
    .optional()
    .describe('scopes that it asked for and that are not known here: they are not granted'),
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

/** Decision about a program, by the settings or by an administrator. */
export const programPolicy = z.enum(['default', 'allow', 'refuse'])

/** A program that people may connect, for administrators. */
export const ConnectableProgram = shape('ConnectableProgram', {
  client_id: z.string(),
  name: z.string(),
  source: z
    .enum(['document', 'registered', 'entered'])
    .describe('how it is known: by a document on its own site, by registering, or entered by hand'),
  policy: programPolicy,
  uri: z.string().optional(),
  redirect_uris: z.array(z.string()),
  connections: z.int().describe('how many have not ended'),
  created_at: datetimeString(),
  used_at: datetimeString().optional(),
  problem: z.string().optional().describe('why its document could not be fetched the last time'),
})

/** A host that receives answers to programs, and the decision on it. */
export const CallbackHost = shape('CallbackHost', {
  host: z.string(),
  policy: z.enum(['allow', 'refuse']),
  created_at: datetimeString().describe('when it was decided'),
})

/** A manually entered program: its secret is shown once. */
export const EnteredProgram = z.strictObject({
  client_id: z.string(),
  client_secret: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()).readonly(),
})

/** Address to which the browser goes after the decision. */
export const ConsentDecision = z.strictObject({ redirect_to: z.string() })
