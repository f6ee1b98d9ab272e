import { omitNullish } from '../../../kernel/present.ts'
import { Zip, ZipDeflate } from 'fflate'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { pagesPerTurn, yieldTurn, type ExportedPage } from './export-tree.ts'
import { fileNameOf, relativePath, UniqueNames } from './file-paths.ts'
import { escapeHtml } from '../../../kernel/text/html.ts'
import {
  internalTargetOf,
  linkSpans,
  withTarget,
  rewriteLinks,
  type InternalTarget,
  type LinkSpan,
} from '../content/link-spans.ts'
import { targetsOf, type Targets } from '../content/links.ts'
import { manifestName, type Manifest } from './export-manifest.ts'
import { htmlOf } from '../rendering/renderer.ts'

/** A single page unchanged; several as one text, each below its title. */
export function asMarkdown(pages: readonly ExportedPage[]): string {
  if (pages.length === 1) return pages[0]!.body
  return `${pages.map(({ row, body, depth }) => `${'#'.repeat(Math.min(depth + 1, 6))} ${row.title}\n\n${body.trimEnd()}`.trimEnd()).join('\n\n')}\n`
}

/** One HTML document of all pages; links between them stay internal. */
export async function asHtml(ctx: ReadContext, pages: readonly ExportedPage[]): Promise<string> {
  const targets = await targetsIn(ctx, pages)
  const pageIds = new Set<string>(pages.map((page) => page.row.id))
  const sections: string[] = []
  for (const { row, body, depth } of pages) {
    const anchors = pages.length === 1 ? '' : `${row.id}-`
    const bodyWithLinks = rewriteLinks(body, (link) => htmlLink(ctx, link, row, targets, pageIds))
    const level = Math.min(depth + 1, 6)
    sections.push(
      `<section id="${row.id}">\n<h${level}>${escapeHtml(row.title)}</h${level}>\n${await htmlOf(bodyWithLinks, anchors, 0, { owner: ctx.actor.id, keepsImages: true })}\n</section>`,
    )
  }
  return `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${escapeHtml(pages[0]!.row.title)}</title>\n</head>\n<body>\n${sections.join('\n')}\n</body>\n</html>\n`
}

function htmlLink(
  ctx: ReadContext,
  link: LinkSpan,
  from: Row<'pages'>,
  targets: Targets,
  exportedIds: ReadonlySet<string>,
) {
  const to = internalTargetOf(link, ctx.baseUrl)
  if (!to) return undefined
  if ('file' in to) return withTarget(link, `${ctx.baseUrl}/files/${to.file}`)
  const row = 'page' in to ? targets.byId.get(to.page) : targets.pageByTitle(from, to.title)
  const address =
    row &&
    (exportedIds.has(row.id)
      ? `#${link.hash === '' || exportedIds.size === 1 ? link.hash.slice(1) || row.id : `${row.id}-${link.hash.slice(1)}`}`
      : `${ctx.baseUrl}/pages/${row.id}${link.hash}`)
  if (link.form !== 'wiki')
    return address === undefined || link.form === 'bare' || link.form === 'angle'
      ? undefined
      : withTarget(link, address)
  const text = escapeLinkText(link.text ?? ('title' in to ? to.title : (row?.title ?? to.page)))
  return {
    start: link.start,
    end: link.end,
    text: address === undefined ? text : `[${text}](${address})`,
  }
}

function escapeLinkText(text: string): string {
  return text.replaceAll(/[\\[\]<>`*_]/g, '\\$&')
}

function targetsIn(ctx: ReadContext, pages: readonly ExportedPage[]): Promise<Targets> {
  return targetsOf(
    ctx,
    pages.map((page) => page.row),
    new Map(pages.map((page) => [page.row.id, page.body])),
  )
}

/** A zip of Markdown files in folders, with files used by the pages and relative links. */
export async function asZip(ctx: ReadContext, pages: readonly ExportedPage[]): Promise<Uint8Array> {
  const paths = new Map<string, string>(pages.map((page) => [page.row.id, page.path]))
  const titles = new Map<string, string>(pages.map((page) => [page.row.id, page.row.title]))
  const assets = await assetsOf(ctx, pages)
  const pathOf = (to: InternalTarget): string | undefined => {
    if ('page' in to) return paths.get(to.page)
    return 'file' in to ? assets.get(to.file)?.path : undefined
  }
  const zip = new Archive()
  zip.add(manifestName, encode(`${JSON.stringify(manifestOf(pages), undefined, 2)}\n`), ctx.now)
  for (const [i, { row, body, path }] of pages.entries()) {
    if (i % pagesPerTurn === 0) await yieldTurn()
    const text = rewriteLinks(body, (link) => {
      const to = internalTargetOf(link, ctx.baseUrl)
      const targetPath = to && pathOf(to)
      if (targetPath === undefined) return undefined
      const address = `${relativePath(path, targetPath)}${link.hash}`
      if (link.form === 'wiki' || link.form === 'bare' || link.form === 'angle')
        return {
          start: link.start,
          end: link.end,
          text: `[${escapeLinkText(link.text ?? ('page' in to! ? titles.get(to.page)! : targetPath))}](${address})`,
        }
      return withTarget(link, address)
    })
    zip.add(path, encode(text), row.updated_at)
  }
  for (const { path, bytes } of assets.values()) zip.add(path, bytes, ctx.now)
  return zip.finish()
}

/** A zip built file by file. */
class Archive {
  readonly #chunks: Uint8Array[] = []
  readonly #zip = new Zip((error, chunk) => {
    if (error) throw error
    this.#chunks.push(chunk)
  })

  add(path: string, bytes: Uint8Array, mtime: number): void {
    const entry = new ZipDeflate(path, { level: 6 })
    entry.mtime = mtime
    this.#zip.add(entry)
    entry.push(bytes, true)
  }

  finish(): Uint8Array {
    this.#zip.end()
    return Buffer.concat(this.#chunks)
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

function manifestOf(pages: readonly ExportedPage[]): Manifest {
  return {
    format: 'workspace-pages',
    version: 1,
    pages: pages.map(({ row, path, labels }) =>
      omitNullish({
        path,
        title: row.title,
        icon: row.icon,
        kind: row.kind === 'page' ? undefined : row.kind,
        labels: labels.length === 0 ? undefined : labels,
      }),
    ),
  }
}

/** Larger files are not exported; links to them stay as they are. */
const maxAssetBytes = 25 * 2 ** 20

/** Visible files linked from the pages, by id. */
async function assetsOf(
  ctx: ReadContext,
  pages: readonly ExportedPage[],
): Promise<Map<string, { path: string; bytes: Uint8Array }>> {
  const ids = new Set<string>()
  for (const { body } of pages) {
    for (const link of linkSpans(body)) {
      const to = internalTargetOf(link, ctx.baseUrl)
      if (to && 'file' in to) ids.add(to.file)
    }
  }
  const names = new UniqueNames()
  const assets = new Map<string, { path: string; bytes: Uint8Array }>()
  for (const id of ids) {
    const row = (await file.among(ctx, [id])).get(id)
    if (!row || row.type === 'folder' || row.size_bytes > maxAssetBytes) continue
    const extension = /\.[^.\s/\\]{1,16}$/.exec(row.name)?.[0] ?? ''
    assets.set(id, {
      path: `assets/${names.take(fileNameOf(row.name.slice(0, row.name.length - extension.length)), extension)}`,
      bytes: bytesOf(ctx, row),
    })
  }
  return assets
}
