import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { detectAndDecode } from '../../../kernel/text/encoding.ts'
import type { Row } from '../../../records/resource.ts'
import { ItemRef, LeftOutKinds } from '../../../records/shapes.ts'
import { JobHandle, presentHandle } from '../../system/shapes.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { company, contact } from '../access.ts'
import { startContactImport } from './access.ts'
import { requireNotGuest, defaultCountry } from '../contacts/fields.ts'
import { contactImportJob } from './jobs.ts'
import type { ContactImportProgress } from './progress.ts'
import type { ContactDraft } from './drafts.ts'
import { importFields } from './columns.ts'
import { maxRowsAtOnce, summaryOf, type Format } from './reader.ts'
import { maxListedItems, countOutcomes } from './results.ts'
import { importers } from '../../import-sandbox.ts'
import { ContactImporter, type ContactImportOutcome } from './writer.ts'

/** Maximum size in bytes within a call of another operation, where `compute` does not read the file before. */
const maxNestedBytes = 100_000
const previewSize = 10

const ImportResult = shape('ContactImportResult', {
  created: z.array(ItemRef).describe('the first 100'),
  updated: z.array(ItemRef).describe('the first 100'),
  skipped: z
    .array(z.strictObject({ line_or_path: z.string(), reason: z.string() }))
    .describe('the first 100'),
  warnings: z.array(z.string()),
  left_out: LeftOutKinds,
  counts: z
    .strictObject({ created: z.int(), updated: z.int(), unchanged: z.int(), skipped: z.int() })
    .describe('for all records; if a job has just started: so far'),
  records: z.int(),
  format: z.enum(['csv', 'vcard']),
  encoding: z.string().optional().describe('of the file'),
  delimiter: z.string().optional(),
  columns: z
    .array(z.strictObject({ column: z.string(), field: z.string().nullable() }))
    .optional()
    .describe('target of each column; null: not imported'),
  preview: z
    .array(
      z.strictObject({
        line: z.int(),
        action: z.enum(['created', 'updated', 'unchanged', 'skipped']),
        name: z.string(),
        emails: z.array(z.string()),
        phones: z.array(z.string()),
        company: z.string().optional(),
      }),
    )
    .optional()
    .describe('dry run: the first records as they would be imported'),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
  job: JobHandle.optional().describe(
    'large files: the final counts and the calls to undo it are in its result',
  ),
})

export const importContacts = operation({
  name: 'import_contacts',
  searchHint: 'csv import, excel, spreadsheet of customers, vcf, load the address book',
  kind: 'write',
  weight: 20,
  rest: 'POST /api/contacts/import',
  about: 'Create or update contacts from CSV or vCard with a column mapping and a dry run',
  on: { file: file.see.maybe },
  input: {
    content: secret(z.string().min(1).max(20_000_000))
      .optional()
      .describe('file content as text, instead of file_id'),
    format: z.enum(['csv', 'vcard']).optional().describe('default: detected'),
    mapping: z
      .record(z.string().max(300), z.string().max(120).nullable())
      .optional()
      .describe(
        `CSV: {column: field}; fields: ${importFields.join(', ')} and custom_fields.<name>; null skips a column. Other columns are recognized by their usual names.`,
      ),
    on_match: z
      .enum(['update', 'skip'])
      .default('update')
      .describe(
        'for a contact with the address of a record: update it from the record, or skip it',
      ),
  },
  dryRun: true,
  reportsProgress: true,
  startsJob: contactImportJob,
  output: ImportResult,
  async compute({ file: fileRow, content, format, mapping = {} }, ctx): Promise<PreparedImport> {
    const bytes = contactImportBytes(ctx, fileRow, content)
    const input = {
      bytes,
      isText: content !== undefined,
      format,
      mapping,
      country: await defaultCountry(ctx),
    }
    return importers.run('contactsSummary', input, { owner: ctx.actor.id })
  },
  async handle({ file: fileRow, content, format, mapping = {}, on_match }, ctx) {
    requireNotGuest(ctx)
    const { drafts, total, summary, ...fileDetails } =
      (ctx.prefetched as PreparedImport | undefined) ??
      (await readInNestedCall(ctx, fileRow, content, format, mapping))
    const resultBase = { ...fileDetails, dry_run: ctx.dryRun }
    if (!ctx.dryRun && total > maxRowsAtOnce) {
      const text = content ?? detectAndDecode(contactImportBytes(ctx, fileRow, undefined)).text
      const job = await startJob(ctx, {
        text,
        format: fileDetails.format,
        mapping,
        on_match,
        summary: { ...summary, undo_call_ids: [] },
      })
      return {
        ...resultBase,
        created: [],
        updated: [],
        skipped: summary.skipped,
        warnings: summary.warnings,
        left_out: summary.left_out,
        counts: summary.counts,
        job: presentHandle(ctx, job),
      }
    }
    if (total > drafts.length)
      summary.warnings.push(
        `A dry run compares only the first ${drafts.length} of ${total} records with existing contacts; the counts cover only those.`,
      )
    const outcomes = await importAll(ctx, new ContactImporter(ctx, on_match, !ctx.dryRun), drafts)
    countOutcomes(summary, outcomes)
    const refsFor = (action: ContactImportOutcome['action']) =>
      outcomes
        .flatMap((outcome) => (outcome.action === action ? refsOf(outcome, ctx.baseUrl) : []))
        .slice(0, maxListedItems)
    const hasChanges = summary.counts.created + summary.counts.updated > 0
    return omitNullish({
      ...resultBase,
      ...{
        created: refsFor('created'),
        updated: refsFor('updated'),
        skipped: summary.skipped,
        warnings: summary.warnings,
        left_out: summary.left_out,
        counts: summary.counts,
      },
      preview: ctx.dryRun ? previewOf(drafts, outcomes) : undefined,
      undo_call_id: ctx.dryRun || !hasChanges ? undefined : ctx.callId,
    })
  },
})

function refsOf({ row, company: companyRow }: ContactImportOutcome, baseUrl: string) {
  if (row) return [contact.ref(row, baseUrl)]
  return companyRow ? [company.ref(companyRow, baseUrl)] : []
}

type PreparedImport = ReturnType<typeof summaryOf>

function contactImportBytes(
  ctx: ReadContext,
  fileRow: Row<'files'> | undefined,
  content: string | undefined,
): Buffer {
  if (fileRow && content !== undefined)
    throw invalid('content', 'send either file_id or content, not both.')
  if (fileRow) return bytesOf(ctx, fileRow)
  if (content !== undefined) return Buffer.from(content)
  throw invalid('content', 'nothing to import.', 'Send content, or the file_id of a file.')
}

/** Reads the content within a call of another operation, where `compute` does not run. @throws Refusal too_large */
async function readInNestedCall(
  ctx: ReadContext,
  fileRow: Row<'files'> | undefined,
  content: string | undefined,
  format: Format | undefined,
  mapping: Record<string, string | null>,
): Promise<PreparedImport> {
  const bytes = contactImportBytes(ctx, fileRow, content)
  if (bytes.length > maxNestedBytes)
    throw new Refusal(
      'too_large',
      `Within another call, an import can read at most ${maxNestedBytes} bytes.`,
      'Call import_contacts directly.',
    )
  return summaryOf({
    bytes,
    isText: content !== undefined,
    format,
    mapping,
    country: await defaultCountry(ctx),
  })
}

async function importAll(
  ctx: WriteContext,
  importing: ContactImporter,
  drafts: readonly ContactDraft[],
): Promise<ContactImportOutcome[]> {
  const outcomes: ContactImportOutcome[] = []
  for (let i = 0; i < drafts.length; i += maxListedItems) {
    ctx.progress(i, drafts.length, 'records read')
    outcomes.push(...(await importing.importDrafts(drafts.slice(i, i + maxListedItems))))
  }
  return outcomes
}

async function startJob(
  ctx: WriteContext,
  {
    text,
    format,
    mapping,
    on_match,
    summary,
  }: {
    text: string
    format: Format
    mapping: Record<string, string | null>
    on_match: 'update' | 'skip'
    summary: ContactImportProgress
  },
) {
  const import_id = await startContactImport(ctx, {
    format,
    mapping_json: JSON.stringify(mapping),
    on_match,
    content: text,
    result_json: JSON.stringify(summary),
  })
  return ctx.job(contactImportJob, { import_id }, { uniqueKey: import_id })
}

function previewOf(drafts: readonly ContactDraft[], outcomes: readonly ContactImportOutcome[]) {
  return drafts.slice(0, previewSize).map(({ line, name, emails, phones, company }, i) =>
    omitNullish({
      line,
      action: outcomes[i]!.action,
      name,
      emails,
      phones,
      company,
    }),
  )
}
