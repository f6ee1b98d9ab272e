import { shape } from '../../kernel/shape.ts'
import { omitUndefined } from '../../kernel/present.ts'
import { z } from 'zod'
import { keyRefusal } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString } from '../../kernel/fields.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'

const schema = z.record(z.string(), z.unknown())

export const ToolExample = shape('ToolExample', {
  about: z.string(),
  arguments: schema,
  request: z
    .strictObject({ method: z.string(), path: z.string(), body: schema.optional() })
    .optional(),
})

export const ToolInfo = shape('ToolInfo', {
  name: z.string(),
  module: z.string(),
  kind: z.enum(['read', 'write', 'destructive']),
  summary: z.string(),
  rest: z.string(),
  input_schema: schema.optional(),
  output_schema: schema.optional(),
  examples: z.array(ToolExample).optional(),
  in_session: z.boolean().describe('whether this key may call it'),
  aliases: z.array(z.string()).describe('older names that still work'),
})

/** Presents an operation for lists. */
export function presentTool(ctx: ReadContext, entry: Entry): z.infer<typeof ToolInfo> {
  const { name, kind, about, rest, aliases } = entry.operation
  return {
    name,
    module: entry.module,
    kind,
    summary: about,
    rest,
    in_session: keyRefusal(ctx.actor.key, entry) === undefined,
    aliases: [...aliases],
  }
}

/** A job as shown to its owner. */
export const Job = shape('Job', {
  id: z.string(),
  kind: z.string().describe('what it does'),
  state: z
    .enum(['waiting', 'running', 'done', 'dead', 'cancelled'])
    .describe('dead: failed too often, no more retries'),
  attempts: z.int().describe('attempts so far'),
  progress: z
    .strictObject({
      done: z.number(),
      total: z.number().optional(),
      message: z.string().optional(),
    })
    .optional(),
  result: z.unknown().optional(),
  error: z.string().optional().describe('why the last attempt failed'),
  created_at: datetimeString(),
  started_at: datetimeString().optional().describe('of the last attempt'),
  finished_at: datetimeString().optional(),
})

export function presentJob(row: Row<'jobs'>): z.infer<typeof Job> {
  const { id, kind, state, attempts } = row
  return omitUndefined({
    id,
    kind,
    state,
    attempts,
    progress:
      row.progress_json === null ? undefined : (JSON.parse(row.progress_json) as { done: number }),
    result: row.result_json === null ? undefined : (JSON.parse(row.result_json) as unknown),
    error: row.last_error ?? undefined,
    created_at: iso(row.created_at),
    started_at: row.started_at === null ? undefined : iso(row.started_at),
    finished_at: row.finished_at === null ? undefined : iso(row.finished_at),
  })
}

/** The handle of a job, part of the answer of an operation that requested one with ctx.job(). */
export const JobHandle = shape('JobHandle', {
  job_id: z.string(),
  url: z.string().describe('where to check progress and result'),
})

export function presentHandle(ctx: ReadContext, id: Id<'jobs'>): z.infer<typeof JobHandle> {
  return { job_id: id, url: `${ctx.baseUrl}/api/jobs/${id}` }
}
