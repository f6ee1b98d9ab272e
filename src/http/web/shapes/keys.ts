import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'
import { ItemRef } from '../../../records/shapes.ts'

/** Restrictions of a key relative to its owner. */
const restrictions = {
  read_only: z.boolean(),
  toolsets: z.array(z.string()).nullable().describe('null: all'),
  hold_outbound: z.boolean(),
  admin: z.boolean(),
}

export const ListedKey = shape('ListedKey', {
  id: z.string(),
  name: z.string(),
  kind: z.enum(['key', 'connection']),
  connection: z
    .strictObject({
      program: z.string().nullable().describe('as it calls itself'),
      address: z.string().nullable().describe('that it calls'),
      scope: z.string().nullable(),
      refreshed_at: datetimeString(),
    })
    .optional(),
  prefix: z
    .string()
    .describe('the first characters of a key; of a connection, the host it was given to'),
  owner: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }),
  is_own: z.boolean(),
  state: z.enum(['active', 'revoked', 'expired', 'suspended', 'paused', 'owner_deactivated']),
  ...restrictions,
  created_at: datetimeString(),
  created_via: z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']),
  expires_at: datetimeString().optional(),
  revoked_at: datetimeString().optional(),
  last_used_at: datetimeString().optional(),
  last_ip: z.string().optional(),
  last_client: z.string().optional(),
})

/** A newly created key: the only time it is shown in full. */
export const NewKey = shape('NewKey', {
  id: z.string(),
  key: z.string(),
  prefix: z.string(),
  name: z.string(),
  ...restrictions,
  expires_at: datetimeString().optional(),
  mcp_url: z.string(),
})

export const RevokedKey = z.strictObject({
  id: z.string(),
  revoked_at: datetimeString(),
  already: z.boolean(),
})

/** Finding of the abuse rules, and whether it holds a key. */
export const AbuseFinding = shape('AbuseFinding', {
  id: z.string(),
  rule: z.string(),
  trigger: z.string().optional(),
  effect: z.string().optional(),
  holds: z.enum(['none', 'all', 'writes', 'outbound', 'key']).describe('what it stops now'),
  detail: z.record(z.string(), z.unknown()),
  occurrences: z.int(),
  key: z
    .strictObject({
      id: z.string(),
      name: z.string().nullable(),
      prefix: z.string(),
      owner: z.string().nullable(),
    })
    .optional(),
  subject: z.string().optional(),
  first_at: datetimeString(),
  last_at: datetimeString(),
  until: datetimeString().optional(),
  released_at: datetimeString().optional(),
})

const approvalFields = {
  id: z.string(),
  state: z.enum(['pending', 'released', 'denied', 'expired']),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  key: z
    .strictObject({ id: z.string(), name: z.string().nullable(), prefix: z.string() })
    .optional(),
  owner: z.string(),
  asked_via: z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']),
  ip: z.string(),
  request_id: z.string(),
  created_at: datetimeString(),
  expires_at: datetimeString(),
  decided_at: datetimeString().optional(),
  reason: z.string().optional(),
  call_id: z.string().optional(),
  result: z.unknown().optional(),
}

/** A call that waited for its key's owner, now decided. */
export const DecidedApproval = shape('DecidedApproval', approvalFields)

export const ListedApproval = shape('ListedApproval', {
  ...approvalFields,
  items_version: z.string().optional().describe('sent along when the call is released'),
  changes: z
    .array(
      z.strictObject({
        type: z.string(),
        id: z.string(),
        title: z.string(),
        change: z.enum(['changed', 'added', 'removed']),
      }),
    )
    .optional()
    .describe('changes of its items since it was requested'),
  items: z.array(ItemRef).describe('the items that its arguments name by id'),
})
