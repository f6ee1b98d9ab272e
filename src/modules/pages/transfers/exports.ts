import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { readLink, signLink } from '../../../files/signed-links.ts'
import { iso } from '../../../kernel/time/times.ts'
import { page } from '../access.ts'
import { asHtml, asMarkdown, asZip } from './export-formats.ts'
import { exportedTree } from './export-tree.ts'
import { fileNameOf } from './file-paths.ts'
import { exportFormats, ExportResult, type ExportFormat } from './shapes.ts'

const maxInlineBytes = 2 ** 20
/** Lifetime of the download link of an export that is too large for the result. */
const downloadLifetimeMs = 10 * 60_000

export const exportPage = operation({
  name: 'export_page',
  searchHint: 'save as html, save as markdown, download a page, zip, print, backup docs',
  kind: 'read',
  weight: 20,
  outbound: true,
  rest: 'GET /api/pages/{page_id}/export',
  about: 'A page, or the tree below it, as markdown, HTML or one zip',
  on: { page: page.see },
  input: {
    format: z.enum(exportFormats).default('markdown'),
    include_children: z.boolean().default(false).describe('with all pages below it'),
  },
  output: ExportResult,
  async handle({ page: row, format, include_children }, ctx) {
    const { bytes, count } = await exportOf(ctx, row, format, include_children)
    const summary = { format, item_count: count, size_bytes: bytes.length }
    if (format !== 'zip' && bytes.length <= maxInlineBytes)
      return { ...summary, inline: bytes.toString('utf8') }
    const expiresAt = ctx.now + downloadLifetimeMs
    const token = signLink(ctx.settings.data, {
      person: ctx.actor.id,
      key: ctx.actor.key?.id ?? null,
      tool: 'download_export',
      args: { page_id: row.id, format, include_children },
      until: expiresAt,
    })
    return {
      ...summary,
      download_url: `${ctx.baseUrl}/exports/${token}`,
      expires_at: iso(expiresAt),
    }
  },
})

/** Downloads an export whose link export_page returned; it is built anew from what the person may see at that time. */
export const downloadExport = operation({
  name: 'download_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/exports/{token}',
  about: 'The file that export_page named',
  unlisted: true,
  input: { token: secret(z.string().max(4000)) },
  output: z.strictObject({
    download: z.strictObject({
      name: z.string(),
      mime_type: z.string(),
      content_base64: z.string(),
    }),
  }),
  async handle({ token }, ctx) {
    const link = readLink(ctx.settings.data, token, ctx.now)
    if (
      link?.tool !== 'download_export' ||
      link.person !== ctx.actor.id ||
      link.key !== (ctx.actor.key?.id ?? null)
    )
      throw notFound('download', 'token')
    const { page_id, format, include_children } = link.args as {
      page_id: string
      format: ExportFormat
      include_children: boolean
    }
    const row = await page.demand(ctx, page_id, 'see', 'token')
    const { bytes } = await exportOf(ctx, row, format, include_children)
    const { extension, mime_type } = fileTypes[format]
    return {
      download: {
        name: `${fileNameOf(row.title)}.${extension}`,
        mime_type,
        content_base64: bytes.toString('base64'),
      },
    }
  },
})

const fileTypes = {
  markdown: { extension: 'md', mime_type: 'text/markdown' },
  html: { extension: 'html', mime_type: 'text/html' },
  zip: { extension: 'zip', mime_type: 'application/zip' },
} as const

async function exportOf(
  ctx: ReadContext,
  row: Row<'pages'>,
  format: ExportFormat,
  withChildren: boolean,
): Promise<{ bytes: Buffer; count: number }> {
  const pages = await exportedTree(ctx, row, withChildren)
  return { bytes: await bytesIn(ctx, pages, format), count: pages.length }
}

async function bytesIn(
  ctx: ReadContext,
  pages: Awaited<ReturnType<typeof exportedTree>>,
  format: ExportFormat,
): Promise<Buffer> {
  if (format === 'zip') return Buffer.from(await asZip(ctx, pages))
  return Buffer.from(format === 'html' ? await asHtml(ctx, pages) : asMarkdown(pages))
}
