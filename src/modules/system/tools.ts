import { z } from 'zod'
import type { CatalogueView, Entry } from '../../operations/entry.ts'
import type { ReadContext } from '../../operations/context.ts'
import { paging, pageOf, shortText } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { badCursor, cut, decodeCursor, encodeCursor, pageWithItems } from '../../records/paging.ts'
import { invalid } from '../../kernel/refusal.ts'
import { toJson } from '../../operations/schemas.ts'
import { examplesOf } from './examples.ts'
import { type ToolDescription, ToolScores } from './scores.ts'
import { significantWords } from './wish-words.ts'
import { presentTool, ToolInfo } from './shapes.ts'

/** Default number of search hits. */
const defaultHits = 8
/** Hits that are shown regardless of their score, because the best hit may be the wrong one. */
const minHits = 3
/** Hits below this share of the best score are rarely the intended one. */
const minShareOfBest = 0.5

export const searchTools = operation({
  name: 'search_tools',
  searchHint: 'which tool, what can you do, capabilities, help',
  kind: 'read',
  rest: 'GET /api/tools',
  about:
    'Find tools by intent or module, with one-line descriptions; includes tools not listed in this session',
  input: {
    query: shortText(400).optional().describe('what you want to do, in words; best matches first'),
    module: shortText(60).optional().describe('such as tasks'),
    kind: z.enum(['read', 'write', 'destructive']).optional(),
    cursor: paging.cursor,
    limit: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(`default: ${defaultHits}, or those before the fit falls by half`),
  },
  output: pageOf(ToolInfo),
  async handle({ query, module, kind, limit, cursor }, ctx) {
    if (module) checkModule(ctx, module)
    const entries = ctx.catalogue.entries.filter(
      (entry) => (!module || entry.module === module) && (!kind || entry.operation.kind === kind),
    )
    const ranked = await rank(ctx, entries, query)
    const rest = cursor === undefined ? ranked : ranked.slice(positionAfter(ranked, cursor))
    const size = limit ?? goodHitCount(rest, ranked[0]?.score ?? 0)
    const page = cut(rest.slice(0, size + 1), size, (last) =>
      encodeCursor([last.entry.operation.name]),
    )
    return {
      ...pageWithItems(
        page,
        page.items.map((item) => presentTool(ctx, item.entry)),
      ),
      total: ranked.length,
    }
  },
})

export const getTool = operation({
  name: 'get_tool',
  searchHint: 'how does a tool work, arguments of a tool, schema, how do I use a tool',
  kind: 'read',
  rest: 'GET /api/tools/{tool_name}',
  about: 'Input schema, REST route, kind and examples of one tool; its output schema on request',
  input: {
    tool_name: z
      .string()
      .min(1)
      .max(100)
      .describe('as returned by search_tools; older names work too'),
    include: z
      .array(z.enum(['output_schema', 'requests']))
      .max(2)
      .optional()
      .describe('requests: the examples as REST requests'),
  },
  output: ToolInfo,
  async handle({ tool_name, include = [] }, ctx) {
    const entry = ctx.catalogue.find(tool_name)
    if (!entry || entry.operation.unlisted) throw ctx.catalogue.unknownTool(tool_name)
    const { toolJson, output } = entry.schemas
    return {
      ...presentTool(ctx, entry),
      input_schema: toolJson,
      ...(include.includes('output_schema') ? { output_schema: toJson(output, 'output') } : {}),
      examples: examplesOf(entry).map(({ request, ...example }) =>
        include.includes('requests') ? { ...example, request } : example,
      ),
    }
  },
})

/** Number of hits that fit nearly as well as the best one. Without words, all fit equally. */
function goodHitCount(ranked: readonly Ranked[], best: number): number {
  const fitting = ranked.slice(0, defaultHits).filter(({ score }) => score >= best * minShareOfBest)
  return Math.max(fitting.length, minHits)
}

interface Ranked {
  entry: Entry
  score: number
}

/** Sorts by score, then by name; without a query, in the order of the documentation. */
async function rank(
  { catalogue }: ReadContext,
  entries: readonly Entry[],
  query: string | undefined,
): Promise<Ranked[]> {
  if (query === undefined || significantWords(query).length === 0)
    return entries.map((entry) => ({ entry, score: 0 }))
  const values = (await scoresOf(catalogue)).scoreAll(query)
  const scoreByEntry = new Map(catalogue.entries.map((entry, i) => [entry, values[i]!]))
  return entries
    .map((entry) => ({ entry, score: scoreByEntry.get(entry)! }))
    .filter((item) => item.score > 0)
    .sort((a, b) => b.score - a.score || (a.entry.operation.name < b.entry.operation.name ? -1 : 1))
}

/** Created on the first search for tools. */
const scores = new WeakMap<CatalogueView, Promise<ToolScores>>()

function scoresOf(catalogue: CatalogueView): Promise<ToolScores> {
  const cached = scores.get(catalogue)
  if (cached) return cached
  const pending = ToolScores.make(catalogue.entries.map(describeCatalogueTool))
  scores.set(catalogue, pending)
  pending.catch(() => scores.delete(catalogue)) // this caller gets the error; the next one tries again
  return pending
}

function describeCatalogueTool({
  operation: { name, kind, aliases, about, searchHint = '' },
  module,
  schemas,
}: Entry): ToolDescription {
  return { name, kind, aliases, module, about, hint: searchHint, arguments: schemas.names }
}

function positionAfter(ranked: readonly Ranked[], cursor: string): number {
  const [name, ...more] = decodeCursor(cursor)
  const at = ranked.findIndex((item) => item.entry.operation.name === name)
  if (at < 0 || more.length > 0) throw badCursor()
  return at + 1
}

function checkModule(ctx: ReadContext, module: string): void {
  const names = ctx.catalogue.toolsets
  if (!names.includes(module))
    throw invalid(
      'module',
      `module ${JSON.stringify(module)} not found.`,
      `Available: ${names.join(', ')}.`,
    )
}
