import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { equals, filters, resolvedInput, since, until } from '../../../operations/filters.ts'
import { anyItem } from '../../../records/items.ts'
import { apiKey } from '../access.ts'
import { clientName, hasText, isOfRun, touchesItem } from './access.ts'

/** Callers to filter by: keys (over any transport), or a single transport. */
const sources = ['keys', 'mcp', 'rest', 'web', 'cli', 'automation', 'all'] as const

/** Filters supported by an index of calls. */
export const rangeFilters = filters('calls', {
  key: equals('calls.key_id', apiKey.see.maybe),
  after: since('calls.at'),
  before: until('calls.at'),
})

/** Filters of the calls in a batch. */
export const callFilters = filters('calls', {
  item: {
    input: resolvedInput(anyItem.anywhere.maybe, (item) => item?.row.id),
    where: (calls, id) => calls.where(touchesItem(id)),
  },
  tool: {
    input: resolvedInput(z.string().max(80).optional().describe('name of a tool'), currentName),
    where: (calls, name) => calls.where('calls.tool', '=', name),
  },
  status: equals('calls.status', z.enum(['ok', 'error', 'denied']).optional()),
  kind: equals('calls.kind', z.enum(['read', 'write', 'destructive']).optional()),
})

/** Filters that only the call log of the web app has. */
export const logFilters = filters('calls', {
  source: {
    input: z.enum(sources).default('keys'),
    where: (calls, source) => {
      if (source === 'all') return calls
      return source === 'keys'
        ? calls.where('calls.key_id', 'is not', null)
        : calls.where('calls.transport', '=', source)
    },
  },
  module: {
    input: resolvedInput(z.string().max(80).optional(), toolsOfModule),
    where: (calls, tools) => calls.where('calls.tool', 'in', tools),
  },
  client: {
    input: z.string().max(200).optional(),
    where: (calls, name) => calls.where(clientName, '=', name),
  },
  text: {
    input: z.string().min(1).max(200).optional(),
    where: (calls, text, ctx) => calls.where(hasText(ctx, text)),
  },
  run_id: {
    input: z
      .string()
      .max(80)
      .optional()
      .describe('calls by which a run of an automation changed something'),
    where: (calls, id) => calls.where(isOfRun(id)),
  },
})

/** The current name of a tool, under which its calls are logged, for a former name. */
function currentName(name: string, ctx: ReadContext): string {
  return ctx.catalogue.find(name)?.operation.name ?? name
}

/** @throws Refusal invalid_argument if there is no such module */
function toolsOfModule(module: string, ctx: ReadContext): string[] {
  if (!ctx.catalogue.toolsets.includes(module)) throw invalid('module', 'unknown module.')
  return ctx.catalogue.routes
    .filter((entry) => entry.module === module)
    .map((entry) => entry.operation.name)
}
