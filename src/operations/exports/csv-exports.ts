import { shape } from '../../kernel/shape.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { ReadContext } from '../context.ts'
import { csvLines, type Cell } from '../../kernel/text/csv.ts'
import { datetimeString, secret } from '../../kernel/fields.ts'
import { pageWithItems, type PageOf } from '../../records/paging.ts'
import { yieldOrCancel } from '../call/progress.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { trust, trustOf } from '../../records/shapes.ts'
import { readLink, signLink } from '../../files/signed-links.ts'
import { iso } from '../../kernel/time/times.ts'

const exportFields = {
  inline: z.string().optional(),
  download_url: z.string().optional().describe('works for anyone, without a key, until expires_at'),
  expires_at: datetimeString().optional(),
  item_count: z.int(),
  size_bytes: z.int(),
  trust,
}

/** The answer of an export: the text itself if short, else an address to fetch it from. */
export const CsvExport = shape('CsvExport', { format: z.literal('csv'), ...exportFields })

/** An export of events, as an iCalendar file. */
export const CalendarExport = shape('CalendarExport', {
  format: z.literal('ics'),
  ...exportFields,
  unreadable: z.int().describe('events that cannot be read, and are left out'),
})

/** Input and answer of the operation that serves a download address. */
export const csvToken = { token: secret(z.string().max(4000)) }
export const CsvDownload = shape('CsvDownload', {
  download: z.strictObject({
    name: z.string(),
    mime_type: z.string(),
    content_base64: z.string(),
  }),
})

/** Rows to export, read page by page. */
export interface Table {
  header: readonly string[]
  page(cursor: string | undefined): Promise<TablePage>
}

/** `isExternal`: outsiders wrote text in one of these rows. */
export type TablePage = PageOf<readonly Cell[]> & { isExternal?: boolean }

/** A page of cells; `sources`: the objects whose text they contain. */
export function tablePage(
  page: PageOf<unknown>,
  cells: (readonly Cell[])[],
  sources: readonly { trust?: 'external' | undefined }[],
): TablePage {
  return {
    ...pageWithItems(page, cells),
    isExternal: sources.some(({ trust }) => trust === 'external'),
  }
}

export const rowsPerPage = 500
const maxRows = 100_000
const maxBytes = 64 * 2 ** 20
const maxInline = 2 ** 20
const linkLifetime = 10 * 60_000

/** Chunks of the text, each of a few hundred rows. @throws Refusal too_large */
async function* csvChunks(
  ctx: ReadContext,
  table: Table,
): AsyncGenerator<{ text: string; rows: number; isExternal: boolean }> {
  yield { text: csvLines([table.header]), rows: 0, isExternal: false }
  let rows = 0
  let bytes = 0
  for (let cursor: string | undefined; ; await yieldToEventLoop()) {
    await yieldOrCancel(ctx)
    const page = await table.page(cursor)
    const text = csvLines(page.items)
    rows += page.items.length
    bytes += Buffer.byteLength(text)
    if (rows > maxRows) throw tooLarge(`${maxRows} rows`)
    if (bytes > maxBytes) throw tooLarge(`${maxBytes / 2 ** 20} MiB`)
    yield { text, rows: page.items.length, isExternal: page.isExternal === true }
    if (page.next_cursor === undefined) return
    cursor = page.next_cursor
  }
}

function tooLarge(limit: string): Refusal {
  const sentence = `This is more than an export can hold (${limit}).`
  return new Refusal('too_large', sentence, 'Export it in parts, using filters.')
}

/**
 * Answers an export: inline up to 1 MiB, else as an address that is valid for ten minutes. `tool` serves it with the
 * same `args` and the person's access at that time; nothing is stored.
 */
export async function exportCsv(
  ctx: ReadContext,
  table: Table,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<z.input<typeof CsvExport>> {
  let [item_count, size_bytes] = [0, 0]
  let texts: string[] = []
  let hasExternal = false
  for await (const { text, rows, isExternal } of csvChunks(ctx, table)) {
    hasExternal ||= isExternal
    item_count += rows
    size_bytes += Buffer.byteLength(text)
    texts = size_bytes > maxInline ? [] : [...texts, text]
  }
  const about = { format: 'csv' as const, item_count, size_bytes, ...trustOf(hasExternal) }
  return size_bytes <= maxInline
    ? { ...about, inline: texts.join('') }
    : { ...about, ...exportLink(ctx, tool, args) }
}

/** The text inline, or a link at which `tool` serves it with the same `args`. @throws Refusal too_large */
export function inlineOrLink(
  ctx: ReadContext,
  text: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): { size_bytes: number } & ({ inline: string } | ReturnType<typeof exportLink>) {
  const size_bytes = Buffer.byteLength(text)
  if (size_bytes > maxBytes) throw tooLarge(`${maxBytes / 2 ** 20} MiB`)
  return size_bytes <= maxInline
    ? { size_bytes, inline: text }
    : { size_bytes, ...exportLink(ctx, tool, args) }
}

function exportLink(ctx: ReadContext, tool: string, args: Readonly<Record<string, unknown>>) {
  const until = ctx.now + linkLifetime
  const { id: person, key } = ctx.actor
  const link = { person, key: key?.id ?? null, tool, args, until }
  const token = signLink(ctx.settings.data, link)
  return { download_url: `${ctx.baseUrl}/exports/${token}`, expires_at: iso(until) }
}

/** The arguments in a link to `tool`. @throws Refusal not_found if it is invalid, expired or another caller's */
export function argsOfLink(ctx: ReadContext, tool: string, token: string): Record<string, unknown> {
  const link = readLink(ctx.settings.data, token, ctx.now)
  const { id, key } = ctx.actor
  const isValid = link?.tool === tool && link.person === id && link.key === (key?.id ?? null)
  if (!link || !isValid) throw notFound('download', 'token')
  return { ...link.args }
}

/** The whole export as one CSV file. */
export async function csvFile(
  ctx: ReadContext,
  table: Table,
  name: string,
): Promise<z.input<typeof CsvDownload>> {
  const chunks: Buffer[] = [Buffer.from('\ufeff')] // byte order mark, by which spreadsheets detect UTF-8
  for await (const { text } of csvChunks(ctx, table)) chunks.push(Buffer.from(text))
  const content_base64 = Buffer.concat(chunks).toString('base64')
  return { download: { name, mime_type: 'text/csv', content_base64 } }
}
