import type { ItemTable, Scoped } from '../../records/resource.ts'
import type { ReadContext } from '../context.ts'
import {
  argsOfLink,
  CsvDownload,
  CsvExport,
  csvFile,
  csvToken,
  exportCsv,
  rowsPerPage,
  type Table,
  type TablePage,
} from './csv-exports.ts'
import type { ListFilters } from '../filters.ts'
import { operation } from '../operation.ts'

/** Defines the export of a list as CSV. */
interface ListExport<T extends ItemTable, F> {
  /** The operation that returns the export, with the filters of the list. */
  name: string
  rest: string
  about: string
  searchHint: string
  /** The operation that serves the download link of a long export. */
  link: { name: string; rest: string; fileName: string }
  filters: ListFilters<T, F, ReadContext>
  /** The rows that the caller can see. */
  visible(ctx: ReadContext): Scoped<T>
  header: readonly string[]
  /** A page of rows as cells, in the order of the header. */
  page(
    ctx: ReadContext,
    rows: Scoped<T>,
    paging: { limit: number; cursor: string | undefined },
  ): Promise<TablePage>
}

/**
 * Creates two operations: one that returns the rows inline or as a short-lived link, and one for that link, which
 * applies the caller's access at that time.
 */
export function listExport<T extends ItemTable, F>(definition: ListExport<T, F>) {
  type Filters = ListFilters<T, F, ReadContext>
  type Arguments = Parameters<Filters['read']>[1]
  type Values = Parameters<Filters['apply']>[1]
  const { filters, link } = definition
  const tableOf = (ctx: ReadContext, values: Values): Table => ({
    header: definition.header,
    page: (cursor) =>
      definition.page(ctx, filters.apply(definition.visible(ctx), values, ctx), {
        limit: rowsPerPage,
        cursor,
      }),
  })
  return {
    list: operation({
      name: definition.name,
      searchHint: definition.searchHint,
      kind: 'read',
      weight: 20,
      outbound: true,
      reportsProgress: true,
      rest: definition.rest,
      about: definition.about,
      on: filters.on,
      input: filters.input,
      output: CsvExport,
      async handle(args, ctx) {
        const values = await filters.read(ctx, args as object as Arguments)
        return exportCsv(ctx, tableOf(ctx, values), link.name, values)
      },
    }),
    download: operation({
      name: link.name,
      kind: 'read',
      weight: 20,
      rest: link.rest,
      about: `The file that ${definition.name} named`,
      unlisted: true,
      input: csvToken,
      output: CsvDownload,
      async handle({ token }, ctx) {
        const values = argsOfLink(ctx, link.name, token) as Values
        return csvFile(ctx, tableOf(ctx, values), link.fileName)
      },
    }),
  }
}
