// Plans the result of an import: pages, their place in the tree, and the files attached to them. Independent of the
// workspace.

import type { Manifest } from './export-manifest.ts'
import { frontMatterOf } from './front-matter.ts'
import { resolvePath } from './file-paths.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import { linkSpans, type LinkSpan } from '../content/link-spans.ts'
import type { SkippedFile, ArchiveFile } from '../../../sandbox/archives.ts'

/** A page to create. */
export interface PlannedPage {
  /** Path of its file; for a folder without one, the path of the folder, ending in a slash. */
  path: string
  title: string
  body: string
  parent: PlannedPage | undefined
  icon?: string | undefined
  kind?: string | undefined
  labels: string[]
}

export interface ImportPlan {
  /** Parents first, in order. */
  pages: PlannedPage[]
  /** Other files, by path. */
  assets: Map<string, ArchiveFile>
  skipped: SkippedFile[]
  warnings: string[]
}

const pageFile = /\.(md|markdown|mdown|mkd|txt|html?)$/i
/** A file that is its folder's page. */
const indexFile = /^(?:index|_index|readme)$/i
/** The id that Notion appends to page names. */
const notionId = /[ _-]([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const systemPaths = /^(?:__MACOSX|\.[^/]+)(?:\/|$)|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/
let collator: Intl.Collator | undefined // created on first use, since loading its tables would delay every start

function byName(first: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(first, other)
}

export type ToMarkdown = (html: string) => { text: string; title: string | undefined }

/** Plans the pages and attachments for the files of an archive. `toMarkdown` converts HTML to Markdown. */
export function planOf(
  files: readonly ArchiveFile[],
  manifest: Manifest | undefined,
  toMarkdown: ToMarkdown,
): ImportPlan {
  const plan: ImportPlan = { pages: [], assets: new Map(), skipped: [], warnings: [] }
  const contentFiles = skipSystemFiles(files, plan)
  const root = commonFolder(contentFiles)
  if (root !== '')
    plan.warnings.push(
      `Everything is in the folder ${root.slice(0, 200)}, which does not become a page.`,
    )
  const documents = new Map<string, PlannedPage>()
  const manifestEntries = new Map(
    (manifest?.pages ?? []).map((page, i) => [page.path, { ...page, order: i }]),
  )
  for (const { path, bytes } of contentFiles.map((packed) => ({
    ...packed,
    path: packed.path.slice(root.length),
  }))) {
    if (!pageFile.test(path)) plan.assets.set(path, { path, bytes })
    else {
      const read = documentOf(path, bytes, manifestEntries.get(path), toMarkdown)
      if ('reason' in read) plan.skipped.push(read)
      else documents.set(path, read)
    }
  }
  plan.pages = nestInFolders(documents, manifestEntries)
  return plan
}

/** A single text: titled by its front matter, else its first heading. */
export function planOfText(
  text: string,
  name: string | undefined,
  isHtml: boolean,
  toMarkdown: ToMarkdown,
): ImportPlan {
  const { body, title, icon, labels } = isHtml ? pageOfHtml(text, toMarkdown) : frontMatterOf(text)
  const heading =
    title ??
    firstHeading(body) ??
    (name === undefined ? undefined : stemOf(name).replace(notionId, ''))
  return {
    pages: [
      {
        path: name ?? 'content',
        title: titleFrom(heading ?? ''),
        body,
        parent: undefined,
        icon,
        labels,
      },
    ],
    assets: new Map(),
    skipped: [],
    warnings: [],
  }
}

function pageOfHtml(html: string, toMarkdown: ToMarkdown): ReturnType<typeof frontMatterOf> {
  const { text, title } = toMarkdown(html)
  return { body: text, labels: [], ...(title === undefined ? {} : { title }) }
}

function skipSystemFiles(files: readonly ArchiveFile[], plan: ImportPlan): ArchiveFile[] {
  const folders = new Set<string>()
  return files.filter(({ path }) => {
    const part = path.split('/').findIndex((name) => name === '__MACOSX' || name.startsWith('.'))
    if (part < 0 && !systemPaths.test(path)) return true
    const folder =
      part < 0
        ? path
        : path
            .split('/')
            .slice(0, part + 1)
            .join('/')
    if (!folders.has(folder))
      plan.skipped.push({
        path: folder,
        reason: 'It is a system file of the program that created the archive.',
      })
    folders.add(folder)
    return false
  })
}

/** The common folder wrapping an archive. */
function commonFolder(files: readonly ArchiveFile[]): string {
  const [first, ...more] = files[0]?.path.split('/') ?? []
  if (first === undefined || more.length === 0) return ''
  const folder = `${first}/`
  return files.every((file) => file.path.startsWith(folder)) ? folder : ''
}

type Entry = Manifest['pages'][number] & { order: number }

function documentOf(
  path: string,
  bytes: Uint8Array,
  listed: Entry | undefined,
  toMarkdown: ToMarkdown,
): PlannedPage | SkippedFile {
  const text = importedTextOf(bytes)
  if (text === undefined) return { path, reason: 'It is not UTF-8 or UTF-16 text.' }
  if (text.includes('\0')) return { path, reason: 'It contains NUL characters, so it is not text.' }
  const stem = stemOf(path)
  if (listed)
    return {
      path,
      title: titleFrom(listed.title),
      body: text,
      parent: undefined,
      icon: listed.icon,
      kind: listed.kind,
      labels: listed.labels ?? [],
    }
  if (/\.html?$/i.test(path)) return pageFromHtml(path, text, stem, toMarkdown)
  const { title, body, icon, labels } = frontMatterOf(text)
  if (!notionId.test(stem))
    return { path, title: titleFrom(title ?? stem), body, parent: undefined, icon, labels }
  const [, first] = /^# +([^\n]+?)[ \t]*\r?\n(?:\r?\n)?/.exec(`${body}\n`) ?? []
  const rest = first === undefined ? body : body.replace(/^# +[^\n]+(?:\n|$)(?:\r?\n)?/, '')
  return {
    path,
    title: titleFrom(title ?? first ?? stem.replace(notionId, '')),
    body: rest,
    parent: undefined,
    icon,
    labels,
  }
}

function pageFromHtml(
  path: string,
  html: string,
  stem: string,
  toMarkdown: ToMarkdown,
): PlannedPage | SkippedFile {
  try {
    const { text, title } = toMarkdown(html)
    return {
      path,
      title: titleFrom(title ?? stem.replace(notionId, '')),
      body: text,
      parent: undefined,
      labels: [],
    }
  } catch (error) {
    return {
      path,
      reason:
        error instanceof RangeError
          ? 'Its HTML is nested too deeply.'
          : `Its HTML cannot be read: ${(error as Error).message}`,
    }
  }
}

function importedTextOf(bytes: Uint8Array): string | undefined {
  try {
    const encoding = encodingOf(bytes)
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

function firstHeading(markdown: string): string | undefined {
  return /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/m
    .exec(markdown.slice(0, 20_000))?.[1]
    ?.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
}

function titleFrom(text: string): string {
  const title = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return title === '' ? 'Untitled' : title.slice(0, 500).toWellFormed()
}

function stemOf(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/\.[^.]*$/, '')
}

/** A path without Notion ids in its segments. */
function withoutNotionIds(path: string): string {
  return path
    .split('/')
    .map((part) => part.replace(notionId, ''))
    .join('/')
}

/** Nests pages below the page of their folder; a folder without a page gets an empty one. */
function nestInFolders(
  documents: ReadonlyMap<string, PlannedPage>,
  listed: ReadonlyMap<string, Entry>,
): PlannedPage[] {
  const folders = new Map<string, PlannedPage | undefined>([['', undefined]])
  const withoutExtension = new Map(
    [...documents].map(([path, page]) => [path.replace(/\.[^./]*$/, ''), page]),
  )
  const bareStems = new Map(
    [...documents].map(([path, page]) => [withoutNotionIds(path.replace(/\.[^./]*$/, '')), page]),
  )
  const inFolder = Map.groupBy(documents.values(), (page) =>
    page.path.slice(0, Math.max(0, page.path.lastIndexOf('/'))),
  )
  const folderPages: PlannedPage[] = []
  const pageOf = (folder: string): PlannedPage | undefined => {
    if (folders.has(folder)) return folders.get(folder)
    const name = folder.split('/').at(-1)!
    const indexPage = inFolder
      .get(folder)
      ?.find(
        (planned) =>
          indexFile.test(stemOf(planned.path)) ||
          foldTitle(stemOf(planned.path)) === foldTitle(name),
      )
    const existing =
      withoutExtension.get(folder) ?? bareStems.get(withoutNotionIds(folder)) ?? indexPage
    const page = existing ?? {
      path: `${folder}/`,
      title: titleFrom(name.replace(notionId, '')),
      body: '',
      parent: undefined,
      labels: [],
    }
    if (
      existing &&
      existing === indexPage &&
      indexFile.test(stemOf(existing.path)) &&
      !listed.has(existing.path) &&
      existing.title === titleFrom(stemOf(existing.path))
    )
      existing.title = titleFrom(name)
    folders.set(folder, page)
    if (!existing) folderPages.push(page)
    const parentPage = pageOf(folder.split('/').slice(0, -1).join('/'))
    if (page !== parentPage) page.parent = parentPage
    return page
  }
  for (const [path, page] of documents) {
    const parent = pageOf(path.split('/').slice(0, -1).join('/'))
    if (parent !== page) page.parent = parent
  }
  return inOrder([...documents.values(), ...folderPages], listed)
}

function inOrder(pages: readonly PlannedPage[], listed: ReadonlyMap<string, Entry>): PlannedPage[] {
  const order = (page: PlannedPage) => listed.get(page.path)?.order ?? Infinity
  const children = Map.groupBy(pages, (page) => page.parent)
  const orderedPages: PlannedPage[] = []
  const walk = (parent: PlannedPage | undefined) => {
    const siblings = (children.get(parent) ?? []).toSorted((a, b) =>
      order(a) === order(b)
        ? byName(a.title, b.title) || (a.path < b.path ? -1 : 1)
        : order(a) - order(b),
    )
    for (const page of siblings) {
      orderedPages.push(page)
      walk(page)
    }
  }
  walk(undefined)
  return orderedPages
}

/** Resolves the names that links in an import use for its files. */
export interface ImportNames {
  /** The page or file at a path, as linked from a page. */
  byPath(from: PlannedPage, target: string): PlannedPage | ArchiveFile | undefined
  /** Target of a wiki link: the nearest page or file of that name. */
  byTitle(from: PlannedPage, name: string): PlannedPage | ArchiveFile | undefined
}

export function indexImportNames({ pages, assets }: ImportPlan): ImportNames {
  const byPath = new Map<string, PlannedPage | ArchiveFile>()
  const byName = new Map<string, (PlannedPage | ArchiveFile)[]>()
  const addName = (name: string, item: PlannedPage | ArchiveFile) =>
    void byName.set(name, [...(byName.get(name) ?? []), item])
  for (const item of [...assets.values(), ...pages]) {
    const isPage = 'body' in item
    byPath.set(item.path.toLowerCase(), item)
    if (isPage) byPath.set(item.path.toLowerCase().replace(/\.[^./]*$|\/$/, ''), item)
    const names = isPage
      ? [item.title, stemOf(item.path), withoutNotionIds(stemOf(item.path))]
      : [item.path.split('/').at(-1)!]
    for (const name of new Set(names.map(foldTitle))) addName(name, item)
  }
  const nearestTo = (from: PlannedPage, all: readonly (PlannedPage | ArchiveFile)[]) =>
    all.find((item) => folderOf(item.path) === folderOf(from.path)) ?? all[0]
  return {
    byPath: (from, target) => {
      const path = resolvePath(from.path, target)?.toLowerCase()
      return path === undefined || path === '' ? undefined : byPath.get(path)
    },
    byTitle: (from, name) => {
      const all =
        byName.get(foldTitle(name.split('/').at(-1)!.replace(/\.md$/i, ''))) ??
        byName.get(foldTitle(name.split('/').at(-1)!)) ??
        []
      const end = `/${name.toLowerCase().replace(/\.md$/, '')}`
      const exact = name.includes('/')
        ? all.filter(
            (item) =>
              `/${item.path.toLowerCase().replace(/\.[^./]*$/, '')}`.endsWith(end) ||
              `/${item.path.toLowerCase()}`.endsWith(end),
          )
        : []
      return nearestTo(from, exact.length > 0 ? exact : all)
    },
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Resolves a link of an imported page to its target in the import. */
export function linkTargetOf(
  names: ImportNames,
  from: PlannedPage,
  link: LinkSpan,
): PlannedPage | ArchiveFile | undefined {
  if (link.target === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link.target)) return undefined
  if (link.form === 'wiki') return names.byTitle(from, link.target)
  return link.form === 'inline' || link.form === 'definition'
    ? names.byPath(from, link.target)
    : undefined
}

/** Files linked from pages, each with those pages. */
export function linkedAssets(
  plan: ImportPlan,
  names: ImportNames,
): Map<ArchiveFile, PlannedPage[]> {
  const pagesByAsset = new Map<ArchiveFile, PlannedPage[]>()
  for (const page of plan.pages) {
    for (const link of linkSpans(page.body)) {
      const item = linkTargetOf(names, page, link)
      if (item && 'bytes' in item && !pagesByAsset.get(item)?.includes(page))
        pagesByAsset.set(item, [...(pagesByAsset.get(item) ?? []), page])
    }
  }
  return pagesByAsset
}
