import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { equals, filters, filterFunction, oneOf, since } from '../../operations/filters.ts'
import { operation } from '../../operations/operation.ts'
import type { Row } from '../../records/resource.ts'
import {
  answerSearch,
  searchInput,
  searchOutput,
} from '../../operations/search/search-operation.ts'
import type { StemSet } from '../../search/languages/stem-set.ts'
import { containsAnyStem, snippet } from '../../search/text.ts'
import { drive, file } from './access.ts'
import { fileText } from './files/access-texts.ts'
import { trust, trustOf } from '../../records/shapes.ts'
import { filesBelow } from './files/access-tree.ts'
import { typeList } from './files/files.ts'
import { searchableFiles } from './searchable.ts'
import { ListedFile, presentFiles } from './shapes.ts'

const FileHit = shape('FileHit', {
  file: ListedFile,
  score: z.number(),
  trust,
  snippet: z.string(),
  matched_in: z.array(z.enum(['name', 'text', 'description'])),
})

const searchFilters = filters('files', {
  drive: equals('files.drive_id', drive.see.maybe),
  folder: {
    input: file.see.maybe.describe('only items in it, at any depth'),
    where: (files, folder) => filesBelow(files, folder),
  },
  type: oneOf('files.type', typeList()),
  modified_after: since('files.modified_at'),
})

export const searchFiles = operation({
  name: 'search_files',
  searchHint: 'find a document, look for a pdf, slides, spreadsheet, contract, deck',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/files/search',
  about:
    'Find files by name or words of their text, across your drives; mode=hybrid also by meaning',
  on: searchFilters.on,
  input: searchInput(searchFilters.input),
  output: searchOutput(FileHit),
  async handle({ query, mode, limit, cursor, ...filter }, ctx) {
    const search = { query, mode, limit, cursor }
    return answerSearch(ctx, search, {
      searchable: searchableFiles,
      resource: file,
      narrow: await filterFunction(ctx, searchFilters, filter),
      show: presentFiles,
      keywordHit: async ({ shape, row, score, query, texts: [doc] }) => ({
        file: shape,
        score,
        ...trustOf(row.trust === 'external'),
        ...(await matchedPartsOf(ctx, row, doc.body, query.stems)),
      }),
      similarHit: ({ shape, score, match }): z.infer<typeof FileHit> => ({
        file: shape,
        score,
        ...trustOf(shape.trust === 'external'),
        snippet: match.snippet || shape.name,
        matched_in: [match.snippet === '' ? 'name' : 'text'],
      }),
    })
  },
})

/** Finds the parts of a file that contain one of the words, and the words around it. */
async function matchedPartsOf(
  ctx: ReadContext,
  row: Row<'files'>,
  body: string,
  stems: StemSet,
): Promise<{ snippet: string; matched_in: ('name' | 'text' | 'description')[] }> {
  const text = (await fileText(ctx, row))?.body ?? ''
  const parts = {
    name: row.name,
    description: row.description ?? '',
    text: text.slice(0, maxScanned),
  }
  const matchingParts = (['name', 'text', 'description'] as const).filter((part) =>
    containsAnyStem(parts[part], stems),
  )
  const matched_in: ('name' | 'text' | 'description')[] =
    matchingParts.length > 0 ? matchingParts : [text === '' ? 'name' : 'text']
  return { snippet: snippet(snippetSource() || row.name, stems), matched_in }

  function snippetSource(): string {
    if (matched_in.includes('text')) return text
    if (matched_in.includes('description')) return parts.description
    return body === '' ? row.name : parts.description || text
  }
}

/** Maximum number of characters of a text that are scanned for the words. */
const maxScanned = 50_000
