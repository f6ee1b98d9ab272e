import type { z } from 'zod'
import type { Cut } from '../answer-limits.ts'
import type { Released } from '../approvals/approvals.ts'
import type { Entry } from '../entry.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Notice } from './progress.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Cause } from '../jobs/tick.ts'
import type { TraceParent } from '../../kernel/trace.ts'

/** One request for an operation, from whichever transport. */
export interface CallRequest {
  tool: string
  args: unknown
  /** The fields of `args` where `tool` is no operation, for the call log: of others only the type is kept. */
  argumentShape?: z.ZodRawShape | undefined
  transport: 'mcp' | 'rest' | 'cli' | 'web' | 'automation'
  requestId: string
  /** Name given by the transport: `POST /api/tasks`, `tools/call`. */
  route: string
  ip: string
  client?: { name: string; version?: string } | undefined
  /** From a header or _meta; the argument of that name wins. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  /** The trace that the caller says this call belongs to. */
  trace?: TraceParent | undefined
  /** Why the connection may not use an operation that its key could; also holds for nested calls. */
  refusalFor?: ((entry: Entry) => Refusal | undefined) | undefined
  /** Bytes of compact JSON that the answer may have: a longer page gets fewer items, anything else is cut. */
  largest?: number | undefined
  /** Transforms an answer before it is fitted to a size; may only leave things out. */
  shape?:
    | ((entry: Entry, args: Readonly<Record<string, unknown>>, value: unknown) => unknown)
    | undefined
  /** Set where the owner of the key approved this call, which waited. */
  released?: Released | undefined
  /** The approval that an earlier round of this call was told to wait for: the call is never made, but told what became of it. */
  approval?: Id<'approvals'> | undefined
  /** The run of an automation that makes the call. */
  cause?: Cause | undefined
  /** Receives progress. It must not throw. */
  progress?: ((notice: Notice) => void) | undefined
}

export interface Answer {
  value: unknown
  callId: string
  /** The first answer of an idempotency key, given again. */
  replayed: boolean
  /** The value as compact JSON and what was cut from it; set where the request limits the size. */
  text?: string
  cut?: Cut
}
