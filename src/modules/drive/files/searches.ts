import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import {
  byWordsAlone,
  foundMatching,
  pageOfHits,
  Searched,
  searchedBy,
  searchMode,
  textsFound,
  type FoundItem,
} from '../../../search/hits.ts'
import { findItems, groundOf } from '../../../operations/search.ts'
import { operation } from '../../../operations/operation.ts'
import { foundFiles } from '../search-sources.ts'
import { shown } from '../../../records/paging.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { instant } from '../../../kernel/time/times.ts'
import { contentStems, mentions, snippet } from '../../../search/text.ts'
import { drive, file, fileText } from '../access.ts'
import { below } from './access-tree.ts'
import { typeList } from './files.ts'
import { ListedFile, showFiles } from '../shapes.ts'

const FileHit = z.strictObject({
  file: ListedFile,
  score: z.number(),
  snippet: z.string(),
  matched_in: z.array(z.enum(['name', 'text', 'description'])),
})

export const searchFiles = operation({
  name: 'search_files',
  searchHint: 'find a document, look for a pdf, slides, spreadsheet, contract, deck',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/files/search',
  about: 'Find files by name, words or meaning of their text, across your drives',
  on: { drive: drive.see.maybe, folder: file.see.maybe.describe('only items in it, at any depth') },
  input: {
    query: z
      .string()
      .min(1)
      .max(2000)
      .describe('words in any form and order; "quoted phrases" match exactly'),
    mode: searchMode(),
    type: typeList(),
    modified_after: datetime().optional(),
    ...paging,
  },
  output: pageOf(FileHit).extend({ searched: Searched }),
  async handle({ drive: of, folder, query, mode, type, modified_after, limit, cursor }, ctx) {
    const since =
      modified_after === undefined
        ? undefined
        : instant(modified_after, ctx.actor.timezone, 'start', 'modified_after')
    const narrow = (files: Scoped<'files'>) => {
      let some = folder ? below(files, folder.id) : files
      if (of) some = some.where('files.drive_id', '=', of.id)
      if (type) some = some.where('files.type', 'in', type)
      return since === undefined ? some : some.where('files.modified_at', '>=', since)
    }
    if (mode !== 'keyword') {
      const like = await findItems(ctx, {
        query,
        mode,
        kinds: [foundFiles],
        only: new Map([[foundFiles.kind, narrow as never]]),
      })
      const page = pageOfHits(like.hits, { limit, cursor })
      const shapes = new Map(
        (
          await showFiles(
            ctx,
            page.items.map((one) => one.row as unknown as Row<'files'>),
          )
        ).map((one) => [one.id, one]),
      )
      const items = page.items.flatMap((one) =>
        shapes.get(one.id)?.id === undefined
          ? []
          : [
              {
                file: shapes.get(one.id)!,
                score: one.score,
                snippet: one.snippet || shapes.get(one.id)!.name,
                matched_in: [one.snippet === '' ? ('name' as const) : ('text' as const)],
              },
            ],
      )
      return { ...shown(page, items), searched: searchedBy(like) }
    }
    const { items: found, bound } = await foundMatching(ctx, query, {
      resource: file,
      containers: (await groundOf(ctx, foundFiles)).containers,
      ...(of || folder || type || since !== undefined ? { narrow } : {}),
    })
    const hits = pageOfHits(found, { limit, cursor })
    return { ...shown(hits, await showHits(ctx, hits.items, query)), searched: byWordsAlone(bound) }
  },
})

async function showHits(
  ctx: ReadContext,
  found: readonly FoundItem[],
  query: string,
): Promise<z.infer<typeof FileHit>[]> {
  const rows = await file.among(
    ctx,
    found.map((one) => one.id),
  )
  const shapes = new Map((await showFiles(ctx, [...rows.values()])).map((one) => [one.id, one]))
  const docs = await textsFound(
    ctx,
    found.map((one) => one.texts[0]!),
  )
  const stems = contentStems(query)
  const hits: z.infer<typeof FileHit>[] = []
  for (const one of found) {
    const [row, shape, doc] = [rows.get(one.id), shapes.get(one.id), docs.get(one.texts[0]!.rowid_)]
    if (row && shape && doc)
      hits.push({ file: shape, score: one.score, ...(await whereIn(ctx, row, doc.body, stems)) })
  }
  return hits
}

/** Which parts of a file have one of the words, and the words around it. */
async function whereIn(
  ctx: ReadContext,
  row: Row<'files'>,
  body: string,
  stems: ReadonlySet<string>,
): Promise<{ snippet: string; matched_in: ('name' | 'text' | 'description')[] }> {
  const text = (await fileText(ctx, row))?.body ?? ''
  const parts = {
    name: row.name,
    description: row.description ?? '',
    text: text.slice(0, mostLooked),
  }
  const found = (['name', 'text', 'description'] as const).filter((part) =>
    mentions(parts[part], stems),
  )
  const matched_in: ('name' | 'text' | 'description')[] =
    found.length > 0 ? found : [text === '' ? 'name' : 'text']
  const around = matched_in.includes('text')
    ? text
    : matched_in.includes('description')
      ? parts.description
      : body === ''
        ? row.name
        : parts.description || text || row.name
  return { snippet: snippet(around === '' ? row.name : around, stems), matched_in }
}

/** Characters of a text in which a word is looked for again. */
const mostLooked = 50_000
