import type { z } from 'zod'
import type { CutInfo } from '../answer-limits.ts'
import type { ReleasedApproval } from '../approvals/approvals.ts'
import type { Entry } from '../entry.ts'
import type { Id } from '../../kernel/ids.ts'
import type { ProgressNotice } from './progress.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Cause } from '../jobs/tick.ts'
import type { TraceParent } from '../../kernel/trace.ts'

/** One request for an operation, from any transport. */
export interface CallRequest {
  tool: string
  args: unknown
  /** The fields of `args` if `tool` is not an operation, for the call log; for other fields only the type is logged. */
  argumentShape?: z.ZodRawShape | undefined
  transport: 'mcp' | 'rest' | 'cli' | 'web' | 'automation'
  requestId: string
  /** Name given by the transport: `POST /api/tasks`, `tools/call`. */
  route: string
  ip: string
  client?: { name: string; version?: string } | undefined
  /** From a header or _meta; the argument of that name takes precedence. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  /** The caller's trace. */
  trace?: TraceParent | undefined
  /** Why the connection may not use an operation that its key could; also applies to nested calls. */
  refusalFor?: ((entry: Entry) => Refusal | undefined) | undefined
  /** Maximum bytes of compact JSON: a longer page gets fewer items, any other answer is cut. */
  maxBytes?: number | undefined
  /** Transforms an answer before it is fitted to a size; may only leave things out. */
  shape?:
    | ((entry: Entry, args: Readonly<Record<string, unknown>>, value: unknown) => unknown)
    | undefined
  /** The approval under which a waiting call is now executed. */
  released?: ReleasedApproval | undefined
  /**
   * The approval requested by an earlier attempt of this call: the operation is not run, and the decision is returned.
   */
  approval?: Id<'approvals'> | undefined
  /** The automation run that makes the call. */
  cause?: Cause | undefined
  /** Receives progress. It must not throw. */
  progress?: ((notice: ProgressNotice) => void) | undefined
}

export interface Answer {
  value: unknown
  callId: string
  /** True if this is the stored first answer of an idempotency key. */
  replayed: boolean
  /** The value as compact JSON, and the parts that were cut; set if the request limits the size. */
  text?: string
  cut?: CutInfo
}
