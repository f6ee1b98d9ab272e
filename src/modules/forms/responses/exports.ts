import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { operation } from '../../../operations/operation.ts'
import { paged } from '../../../records/paging.ts'
import { notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { readLink, signLink } from '../../../files/signed-links.ts'
import { iso } from '../../../kernel/time/times.ts'
import { trustOf } from '../../../records/shapes.ts'
import { requireResponseAccess, form } from '../access.ts'
import { allAnswerableFields } from './access-versions.ts'
import { countCompleted, type Period } from './access-stats.ts'
import { asCsv } from './export-formats.ts'
import { periodInput, readPeriod, responsesOf } from './filters.ts'
import { ExportResult, presentResponses, type FormResponse } from '../shapes.ts'

const maxInlineBytes = 2 ** 20
const maxResponses = 100_000
/** Milliseconds for which an export that is too long for an answer can be downloaded. */
const downloadLifetimeMs = 10 * 60_000
const pageSize = 500

export const exportFormResponses = operation({
  name: 'export_form_responses',
  searchHint: 'download answers, spreadsheet, excel, csv of a survey',
  kind: 'read',
  weight: 20,
  outbound: true,
  rest: 'GET /api/forms/{form_id}/export',
  about: 'Responses as CSV or JSON, inline when small or as a short-lived link',
  on: { form: form.see },
  input: { format: z.enum(['csv', 'json']).default('csv'), ...periodInput },
  output: ExportResult,
  async handle({ form, format, after, before }, ctx) {
    await requireResponseAccess(ctx, form)
    const within = readPeriod(ctx, { after, before })
    const { text, count, isExternal } = await buildExport(ctx, form, format, within)
    const size_bytes = Buffer.byteLength(text)
    const about = { format, item_count: count, size_bytes, ...trustOf(isExternal) }
    if (size_bytes <= maxInlineBytes) return { ...about, inline: text }
    const until = ctx.now + downloadLifetimeMs
    const token = signLink(ctx.settings.data, {
      person: ctx.actor.id,
      key: ctx.actor.key?.id ?? null,
      tool: 'download_form_export',
      args: { form_id: form.id, format, ...within },
      until,
    })
    return { ...about, download_url: `${ctx.baseUrl}/exports/${token}`, expires_at: iso(until) }
  },
})

/**
 * Serves the file announced by export_form_responses, built from what the person may read at the time of the
 * download.
 */
export const downloadFormExport = operation({
  name: 'download_form_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/form-exports/{token}',
  about: 'The file that export_form_responses named',
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
      link?.tool !== 'download_form_export' ||
      link.person !== ctx.actor.id ||
      link.key !== (ctx.actor.key?.id ?? null)
    )
      throw notFound('download', 'token')
    const { form_id, format, ...within } = link.args as unknown as {
      form_id: string
      format: 'csv' | 'json'
    } & Period
    const formRow = await form.demand(ctx, form_id, 'see', 'token')
    await requireResponseAccess(ctx, formRow)
    const { text } = await buildExport(ctx, formRow, format, within)
    const bytes = Buffer.from(format === 'csv' ? `\ufeff${text}` : text) // without a BOM, spreadsheets assume another encoding
    return {
      download: {
        name: sanitizeFileName(`${formRow.title}.${format}`) || `form.${format}`,
        mime_type: format === 'csv' ? 'text/csv' : 'application/json',
        content_base64: bytes.toString('base64'),
      },
    }
  },
})

async function buildExport(
  ctx: ReadContext,
  form: Row<'forms'>,
  format: 'csv' | 'json',
  within: Period,
): Promise<{ text: string; count: number; isExternal: boolean }> {
  const count = await countCompleted(ctx, form.id, within)
  if (count > maxResponses)
    throw new Refusal(
      'too_large',
      `The export would have ${count} responses; the maximum is ${maxResponses}.`,
      'Export them in parts with after and before.',
    )
  const responses: z.infer<typeof FormResponse>[] = []
  for (let cursor: string | undefined; ; await yieldToEventLoop()) {
    const page = await paged(
      responsesOf(ctx, form, within).selectAll('form_responses'),
      [
        { by: 'form_responses.created_at', as: 'created_at', dir: 'asc' },
        { by: 'form_responses.id', as: 'id', dir: 'asc' },
      ],
      { limit: pageSize, cursor },
    )
    responses.push(...(await presentResponses(ctx, form, page.items)))
    if (page.next_cursor === undefined) break
    cursor = page.next_cursor
  }
  return {
    text:
      format === 'csv'
        ? asCsv(await allAnswerableFields(ctx, form), responses)
        : JSON.stringify(responses, undefined, 1),
    count,
    isExternal: responses.some((response) => response.trust === 'external'),
  }
}
