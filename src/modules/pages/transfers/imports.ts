import { generateNKeysBetween } from 'fractional-indexing'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { operation } from '../../../operations/operation.ts'
import { LeftOutCounter } from '../../../kernel/left-out.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { storeAttached } from '../../drive/shapes.ts'
import { page } from '../access.ts'
import { lastPosition } from '../pages/access-tree.ts'
import type { ArchiveFile } from '../../../sandbox/archives.ts'
import { importers } from '../../import-sandbox.ts'
import { bodyViolation } from '../content/bodies.ts'
import {
  linkedAssets,
  linkTargetOf,
  indexImportNames,
  type ImportNames,
  type ImportPlan,
  type PlannedPage,
} from './import-plan.ts'
import { planOfSource, type ImportSource } from './import-sources.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import { linkSpans, withTarget, rewriteLinks } from '../content/link-spans.ts'
import { exportFormats, ImportResult, type ExportFormat } from './shapes.ts'
import { kinds, visibilities } from '../shapes.ts'
import { addPage, writeBody } from '../pages/creation.ts'

/** Limits of an import inside another operation's call, where it is read without a reader process. */
const maxBytesWithinCall = 100_000
const limitsWithinCall = { files: 500, bytes: 2 ** 20 }
const maxAssetBytes = 512 * 1024
const maxAssets = 500

export const importPages = operation({
  name: 'import_pages',
  searchHint: 'migrate docs, load markdown files, move from another wiki, Notion, Confluence',
  kind: 'write',
  weight: 20,
  rest: 'POST /api/pages/import',
  about: 'Create pages from markdown, HTML or a zip of them, keeping their hierarchy and links',
  on: {
    file: file.see.maybe,
    parent: page.see.maybe.describe('the parent page; default: none'),
  },
  input: {
    content: secret(z.string().min(1).max(20_000_000))
      .optional()
      .describe('Markdown or HTML, or a zip as base64; instead of file_id'),
    format: z.enum(exportFormats).optional().describe('default: detected'),
    visibility: z.enum(visibilities).optional(),
  },
  dryRun: true,
  reportsProgress: true,
  output: ImportResult,
  compute: ({ file: from, content, format }, ctx): Promise<ImportPlan> =>
    importers.run(
      'pages',
      { ...pageImportSource(ctx, from, content), format },
      { owner: ctx.actor.id },
    ),
  async handle({ file: from, parent, content, format, visibility }, ctx) {
    const plan =
      (ctx.prefetched as ImportPlan | undefined) ??
      planWithinCall(pageImportSource(ctx, from, content), format)
    const names = indexImportNames(plan)
    const run: ImportRun = {
      ctx,
      plan,
      names,
      rootParent: parent,
      visibility,
      createdPages: new Map(),
      files: new Map(),
      labels: new Map(),
    }
    await addPages(run)
    await addAssets(run)
    await writeBodies(run)
    const leftOut = new LeftOutCounter()
    for (const { path, reason } of plan.skipped) leftOut.add(reason, path)
    const created = plan.pages
      .flatMap((planned) => run.createdPages.get(planned) ?? [])
      .map((row) => page.ref(row, ctx.baseUrl))
    return {
      created,
      updated: [],
      skipped: plan.skipped.map(({ path, reason }) => ({ line_or_path: path, reason })),
      warnings: plan.warnings.slice(0, 100),
      left_out: leftOut.kinds,
      dry_run: ctx.dryRun,
      ...(ctx.dryRun || created.length === 0 ? {} : { undo_call_id: ctx.callId }),
    }
  },
})

/** The import's bytes, and how they were passed. */
function pageImportSource(
  ctx: ReadContext,
  from: Row<'files'> | undefined,
  content: string | undefined,
): ImportSource {
  if ((from === undefined) === (content === undefined))
    throw invalid(
      'content',
      content === undefined ? 'nothing to import.' : 'content and file_id cannot be combined.',
      'Send exactly one of content and file_id.',
    )
  if (from) return { bytes: bytesOf(ctx, from), name: from.name, isText: false, field: 'file_id' }
  return { bytes: Buffer.from(content!), isText: true, field: 'content' }
}

/** Plans an import inside another operation's call, where nothing can be read in advance. */
function planWithinCall(source: ImportSource, format: ExportFormat | undefined): ImportPlan {
  if (source.bytes.length > maxBytesWithinCall)
    throw new Refusal(
      'too_large',
      `Within another call, an import can read at most ${maxBytesWithinCall} bytes.`,
      'Call import_pages directly.',
    )
  return planOfSource(
    source,
    format,
    () => {
      throw new Refusal(
        'invalid_argument',
        'Within another call, HTML cannot be imported.',
        'Call import_pages directly, or convert it to Markdown first.',
      )
    },
    limitsWithinCall,
  )
}

/** A running import. */
interface ImportRun {
  ctx: WriteContext
  plan: ImportPlan
  names: ImportNames
  rootParent: Row<'pages'> | undefined
  visibility: Row<'pages'>['visibility'] | undefined
  createdPages: Map<PlannedPage, Row<'pages'>>
  files: Map<ArchiveFile, Row<'files'>>
  labels: Map<string, Row<'labels'> | undefined>
}

async function addPages(run: ImportRun): Promise<void> {
  const { ctx, plan, rootParent, visibility } = run
  const siblings = Map.groupBy(plan.pages, (planned) => planned.parent)
  const positions = new Map<PlannedPage, string>()
  for (const [parent, children] of siblings) {
    const last = parent ? null : await lastPosition(ctx, rootParent?.id ?? null)
    const keys = generateNKeysBetween(last, null, children.length)
    children.forEach((planned, i) => positions.set(planned, keys[i]!))
  }
  for (const planned of plan.pages) {
    ctx.progress(run.createdPages.size, 2 * plan.pages.length, 'pages created')
    const parent = planned.parent ? run.createdPages.get(planned.parent) : rootParent
    if (planned.parent && !parent) {
      plan.skipped.push({ path: planned.path, reason: 'Its parent page was left out.' })
      continue
    }
    const violation = bodyViolation(planned.body)
    if (violation) {
      plan.skipped.push({ path: planned.path, reason: violation.reason })
      continue
    }
    const kind = (kinds as readonly string[]).includes(planned.kind ?? '')
      ? (planned.kind as Row<'pages'>['kind'])
      : undefined
    run.createdPages.set(
      planned,
      await addPage(ctx, {
        title: planned.title,
        parent,
        visibility,
        kind,
        icon: planned.icon,
        labels: await findPageLabels(run, planned),
        position: positions.get(planned),
      }),
    )
  }
}

/** Labels are not created implicitly: the organization maintains them. */
async function findPageLabels(run: ImportRun, { labels }: PlannedPage): Promise<Row<'labels'>[]> {
  const labelsById = new Map<string, Row<'labels'>>()
  for (const name of labels.slice(0, 50)) {
    if (!run.labels.has(name)) {
      const row = await label.find(run.ctx, name)
      run.labels.set(name, row)
      if (!row)
        run.plan.warnings.push(
          `There is no label ${JSON.stringify(name.slice(0, 100))}; its pages were imported without it.`,
        )
    }
    const row = run.labels.get(name)
    if (row) labelsById.set(row.id, row)
  }
  return [...labelsById.values()]
}

/** Stores the files that pages link to; reports unlinked files and those that are too large. */
async function addAssets(run: ImportRun): Promise<void> {
  const { ctx, plan, names, createdPages } = run
  const linked = linkedAssets(plan, names)
  for (const asset of plan.assets.values()) {
    const linkingPages = (linked.get(asset) ?? []).flatMap((page) => createdPages.get(page) ?? [])
    const name = sanitizeFileName(asset.path)
    const reason =
      linkingPages.length === 0
        ? 'No page links to it.'
        : reasonToSkip(run, asset.bytes.length, name)
    if (reason !== undefined) {
      plan.skipped.push({ path: asset.path, reason })
      continue
    }
    const row = await storeAttached(ctx, { name, bytes: asset.bytes })
    run.files.set(asset, row)
    for (const { id } of linkingPages) await ctx.add('page_files', { page_id: id, file_id: row.id })
  }
}

async function writeBodies(run: ImportRun): Promise<void> {
  const { ctx, plan, createdPages } = run
  let count = 0
  for (const planned of plan.pages) {
    ctx.progress(plan.pages.length + count++, 2 * plan.pages.length, 'pages written')
    const row = createdPages.get(planned)
    if (!row) continue
    const body = linkedBody(run, planned)
    createdPages.set(
      planned,
      await writeBody(ctx, row, body, { targetsByTitle: targetsByTitle(run, planned, body) }),
    )
  }
}

/** The text with links to other imported files resolved to their items. */
function linkedBody({ plan, names, createdPages, files }: ImportRun, planned: PlannedPage): string {
  const missing = new Set<string>()
  const body = rewriteLinks(planned.body, (link) => {
    const to = linkTargetOf(names, planned, link)
    if (!to) {
      if (link.form === 'inline' && isRelative(link.target)) missing.add(link.target)
      return undefined
    }
    const row = 'body' in to ? createdPages.get(to) : files.get(to)
    if (!row) return undefined
    if ('bytes' in to) {
      const address = `/files/${row.id}`
      return link.form === 'wiki'
        ? {
            start: link.start,
            end: link.end,
            text: `${link.isEmbedded ? '!' : ''}[${to.path
              .split('/')
              .at(-1)!
              .replaceAll(/[\\[\]]/g, '\\$&')}](${address})`,
          }
        : withTarget(link, address)
    }
    if (link.form !== 'wiki') return withTarget(link, `/pages/${row.id}${link.hash}`)
    if (foldTitle(link.target) === foldTitle(to.title)) return undefined
    return {
      start: link.start,
      end: link.end,
      text: `[[${row.id}${link.hash}|${link.text ?? link.target}]]`,
    }
  })
  if (missing.size > 0)
    plan.warnings.push(
      `${planned.path.slice(0, 200)}: ${[...missing]
        .slice(0, 5)
        .map((target) => target.slice(0, 100))
        .join(
          ', ',
        )} ${missing.size === 1 ? 'is' : 'are'} not in the import; the link is unchanged.`,
    )
  return body
}

function isRelative(target: string): boolean {
  return target !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target)
}

/** Imported pages that wiki links refer to by title, rather than others with the same title. */
function targetsByTitle(
  { names, createdPages }: ImportRun,
  planned: PlannedPage,
  body: string,
): Map<string, Row<'pages'>['id']> {
  const pageIds = new Map<string, Row<'pages'>['id']>()
  for (const link of linkSpans(body)) {
    const to = link.form === 'wiki' ? linkTargetOf(names, planned, link) : undefined
    const row = to && 'body' in to ? createdPages.get(to) : undefined
    if (row && to && 'body' in to && foldTitle(link.target) === foldTitle(to.title))
      pageIds.set(foldTitle(link.target), row.id)
  }
  return pageIds
}

/** Reason for skipping an imported file; undefined if it is stored. */
function reasonToSkip(run: ImportRun, bytes: number, name: string): string | undefined {
  if (bytes > maxAssetBytes) return `It exceeds the limit of ${maxAssetBytes / 1024} KB per file.`
  if (run.files.size >= maxAssets) return `An import can have at most ${maxAssets} files.`
  return name === '' ? 'Its name is not valid.' : undefined
}
