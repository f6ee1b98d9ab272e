import { z } from 'zod'
import { closedTo, type Entry } from '../../core/catalogue.ts'
import type { ReadContext } from '../../core/context.ts'

const schema = z.record(z.string(), z.unknown())

export const ToolExample = z.strictObject({ about: z.string(), arguments: schema, request: z.strictObject({ method: z.string(), path: z.string(), body: schema.optional() }) })

export const ToolInfo = z.strictObject({
  name: z.string(),
  module: z.string(),
  kind: z.enum(['read', 'write', 'destructive']),
  summary: z.string(),
  rest: z.string(),
  input_schema: schema.optional(),
  output_schema: schema.optional(),
  examples: z.array(ToolExample).optional(),
  in_session: z.boolean().describe('whether this key may call it'),
  aliases: z.array(z.string()).describe('older names that still answer'),
})

/** An operation as lists show it. */
export function showTool(ctx: ReadContext, entry: Entry): z.infer<typeof ToolInfo> {
  const { name, kind, about, rest, aliases } = entry.operation
  return { name, module: entry.module, kind, summary: about, rest, in_session: closedTo(ctx.actor.key, entry) === undefined, aliases: [...aliases] }
}
