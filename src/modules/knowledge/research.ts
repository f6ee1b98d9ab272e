import { z } from 'zod'
import { operation } from '../../operations/operation.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { anyItem } from '../../records/items.ts'
import { trust, trustOf } from '../../records/shapes.ts'
import { documentTexts } from './access.ts'
import { getItem } from './items.ts'
import { externalAmong, type SearchHit } from './hits.ts'

// The two tools that assistants' research modes expect by name and shape, such as ChatGPT's deep research and company
// knowledge (https://platform.openai.com/docs/mcp). Listed only in the preset `research`: search_workspace and get_item
// return more.

/** Well below the size at which answers over MCP are truncated. */
const maxChars = 40_000

export const search = operation({
  name: 'search',
  searchHint: 'deep research, company knowledge, connector of ChatGPT',
  kind: 'read',
  weight: 10,
  rest: 'GET /api/documents',
  about:
    'Documents for research: the ids, titles and addresses of what a query finds; use fetch to read one',
  input: {
    query: z.string().min(1).max(2000).describe('a question, words or a sentence'),
  },
  output: z.strictObject({
    results: z.array(
      shape('SearchResult', { id: z.string(), title: z.string(), url: z.string(), trust }),
    ),
  }),
  async handle({ query }, ctx) {
    const { items } = await ctx.call<{ items: z.infer<typeof SearchHit>[] }>('search_workspace', {
      query,
      limit: 20,
    })
    return {
      results: items.map(({ item, trust: origin }) => ({
        id: item.id,
        title: documentTitle(item),
        url: item.url ?? ctx.baseUrl,
        ...trustOf(origin === 'external'),
      })),
    }
  },
})

export const fetchDocument = operation({
  name: 'fetch',
  searchHint: 'deep research, text of a search result, connector of ChatGPT',
  kind: 'read',
  rest: 'GET /api/documents/{id}',
  about:
    'One document for research, by an id from search: its text with comments, transcripts and attachments',
  on: { item: anyItem.see.named('id').describe('from search') },
  input: {
    offset: z.int().min(0).default(0).describe('next_offset of the previous part of a long text'),
  },
  output: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    trust,
    metadata: z.strictObject({
      type: z.string(),
      total_chars: z.int(),
      next_offset: z.int().optional().describe('of a longer text: where it goes on'),
    }),
  }),
  async handle({ item: { resource, row }, offset }, ctx) {
    const { id } = row
    const ref = resource.ref(row, ctx.baseUrl)
    const texts = await documentTexts(ctx, id)
    const fullText =
      texts.length > 0
        ? texts.map(({ text }) => text).join('\n\n')
        : JSON.stringify(await ctx.call(getItem.name, { item_id: id }), null, 2)
    const text = fullText.slice(offset, offset + maxChars).toWellFormed()
    const external = await externalAmong(ctx, [{ resource, row }])
    const kind = ctx.catalogue.modules
      .flatMap((module) => module.searchables ?? [])
      .find((item) => item.kind === resource.definition.type)
    const isExternal =
      external.has(id) ||
      texts.some((item) => kind?.isForeign?.(item.ref) === true) ||
      (texts.length === 0 && /"trust": "external"/.test(fullText))
    return {
      id,
      title: documentTitle(ref),
      text,
      url: ref.url ?? ctx.baseUrl,
      ...trustOf(isExternal),
      metadata: omitNullish({
        type: resource.definition.type,
        total_chars: fullText.length,
        next_offset: offset + text.length < fullText.length ? offset + text.length : undefined,
      }),
    }
  },
})

function documentTitle({ key, title }: { key?: string | undefined; title: string }): string {
  return key === undefined ? title : `${key} ${title}`
}
