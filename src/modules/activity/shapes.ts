import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import { datetimeString } from '../../kernel/fields.ts'
import { ItemRef, Ref, trust } from '../../records/shapes.ts'
import { vias } from './changes/verbs.ts'

export { payloadsOf, type Payload } from './changes/payloads.ts'

export const undoStates = ['possible', 'done', 'expired', 'not_possible'] as const

/** An item of which the reader may only know that it existed. */
const ChangedItem = shape('ChangedItem', {
  type: z.string(),
  id: z.string(),
  key: z.string().optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  trust,
})

export const ActivityEntry = shape('ActivityEntry', {
  id: z.string(),
  at: datetimeString(),
  actor: Ref,
  via: z.enum(vias),
  key_name: z.string().optional(),
  automation: Ref.optional(),
  verb: z.string(),
  item: ItemRef,
  changes: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  trust,
  call_id: z.string().optional().describe('your own call, for undo_api_call'),
  undo: z.enum(undoStates).optional(),
})

export const Change = shape('ItemChange', {
  seq: z.string(),
  at: datetimeString(),
  op: z.enum(['created', 'updated', 'deleted', 'restored', 'access_gained', 'access_lost']),
  item: ChangedItem,
  fields: z.array(z.string()),
})

export const TrashItem = shape('TrashItem', {
  item: ItemRef,
  deleted_by: Ref.optional(),
  deleted_at: datetimeString(),
  purge_at: datetimeString(),
  parts: z.array(z.strictObject({ type: z.string(), count: z.int() })),
  status: z.enum(['restorable', 'restored']),
})

/** A finding of the abuse rules about a key. */
export const KeyFinding = shape('KeyFinding', {
  id: z.string(),
  rule: z.string(),
  at: datetimeString(),
  /** Calls refused to the key until the finding is released. */
  holds: z.enum(['all', 'writes', 'outbound', 'key']).optional(),
  until: datetimeString().optional(),
})

export const ApiKey = shape('ApiKey', {
  id: z.string(),
  name: z.string(),
  /** connection: issued to a program by OAuth. */
  kind: z.enum(['key', 'connection']),
  /** For a connection: the host that it was issued to. */
  prefix: z.string(),
  /**
   * For a connection: the program's self-reported name, the address it calls, its permissions, and the time of its
   * last token.
   */
  connection: z
    .strictObject({
      program: z.string(),
      address: z.string(),
      scope: z.string(),
      refreshed_at: datetimeString(),
    })
    .optional(),
  status: z.enum(['active', 'suspended', 'paused', 'revoked', 'expired']),
  created_at: datetimeString(),
  expires_at: datetimeString().optional(),
  last_used_at: datetimeString().optional(),
  last_ip: z.string().optional(),
  last_client: z.string().optional(),
  call_count_30d: z.int(),
  is_current: z.boolean(),
  /** Findings of the last 30 days and those still in force; newest first. */
  findings: z.array(KeyFinding).optional(),
  url: z.string(),
})

export const ApiKeyUsage = shape('ApiKeyUsage', {
  key: ApiKey,
  from: datetimeString(),
  to: datetimeString(),
  calls: z.int(),
  errors: z.int(),
  denied: z.int(),
  by_group: z.array(
    z.strictObject({ key: z.string(), calls: z.int(), errors: z.int(), p95_ms: z.int() }),
  ),
  /** Absent if calls are not limited. */
  rate_limit: z
    .strictObject({ per_minute: z.int(), remaining: z.int(), resets_at: datetimeString() })
    .optional(),
  /** Usage of the whole organization in its time zone; call counts only where the plan limits them. */
  plan: z.strictObject({
    name: z.string(),
    calls_today: z.int().optional(),
    calls_per_day: z.int().optional(),
    calls_this_month: z.int().optional(),
    calls_per_month: z.int().optional(),
    day_ends_at: datetimeString(),
    month_ends_at: datetimeString(),
    /** The plan is 80 % used. */
    warning: z.boolean(),
  }),
})

export const approvalStatuses = ['pending', 'released', 'denied', 'expired'] as const

/** A call that waits or waited for a person. */
export const Approval = shape('Approval', {
  id: z.string(),
  status: z.enum(approvalStatuses),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** Person who decides: the owner of the key. */
  waits_for: z.string(),
  asked_at: datetimeString(),
  /** Deadline for a release. */
  expires_at: datetimeString(),
  decided_at: datetimeString().optional(),
  /** Why it was denied. */
  reason: z.string().optional(),
  /** The call that was made. */
  call_id: z.string().optional(),
  /** Answer of the released call, without values that are shown only once. */
  result: z.unknown().optional(),
  url: z.string(),
})

export const ApiCall = shape('ApiCall', {
  id: z.string(),
  at: datetimeString(),
  key: Ref,
  tool: z.string(),
  route: z.string(),
  transport: z.enum(['mcp', 'rest', 'cli', 'web', 'automation']),
  kind: z.enum(['read', 'write', 'destructive']),
  arguments: z.record(z.string(), z.unknown()),
  status: z.enum(['ok', 'error', 'denied']),
  error_code: z.string().optional(),
  items: z.array(ItemRef),
  result_count: z.int().optional(),
  duration_ms: z.int(),
  client: z.strictObject({ name: z.string(), version: z.string().optional() }).optional(),
  ip: z.string(),
  idempotency_key: z.string().optional(),
  undo: z.enum(undoStates),
  url: z.string(),
})

export const UndoResult = shape('UndoResult', {
  call: Ref,
  undone: z
    .boolean()
    .describe('all of it; with false, restored and removed list what was undone nevertheless'),
  already_undone: z
    .literal(true)
    .optional()
    .describe('an earlier call undid it; this call changed nothing'),
  restored: z.array(ItemRef).describe('restored to their earlier state'),
  removed: z.array(ItemRef).describe('created by the call, now removed'),
  refused: z.array(
    z.strictObject({
      item: ChangedItem,
      reason: z.enum(['changed_since', 'sent_outside', 'expired', 'not_reversible']),
      message: z.string(),
    }),
  ),
  dry_run: z.boolean(),
})

export {
  digestSources,
  shortTitle,
  withoutZeros,
  type DigestPeriod,
  type SectionShape,
} from './digest-shapes.ts'
