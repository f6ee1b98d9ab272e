// Detects the format of an import file: Markdown, HTML, or a zip of them. Runs in a reader process (../../importers.ts),
// independent of the workspace.

import { z } from 'zod'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import {
  archiveLimits,
  unpackZip,
  type ArchiveLimits,
  type ArchiveFile,
} from '../../../sandbox/archives.ts'
import { manifestName, type Manifest } from './export-manifest.ts'
import { planOf, planOfText, type ImportPlan, type ToMarkdown } from './import-plan.ts'
import type { ExportFormat } from './shapes.ts'

/** Maximum pages per import: it is one transaction, which blocks other writers. */
const maxPages = 1000

export interface ImportSource {
  bytes: Uint8Array
  /** Whether the bytes are those of a text passed as an argument. */
  isText: boolean
  /** Name of the uploaded file, if the content was uploaded as one. */
  name?: string | undefined
  field: string
}

/** Plans the import of a source; detects the format if none is given. */
export function planOfSource(
  source: ImportSource,
  requestedFormat: ExportFormat | undefined,
  toMarkdown: ToMarkdown,
  limits = archiveLimits,
): ImportPlan {
  const format = requestedFormat ?? formatOf(source)
  const plan =
    format === 'zip'
      ? planOfZip(source, toMarkdown, limits)
      : planOfDocument(source, format === 'html', toMarkdown)
  if (plan.pages.length > maxPages)
    throw new Refusal(
      'too_large',
      `These are ${plan.pages.length} pages; an import can have at most ${maxPages}.`,
      'Import it in parts.',
    )
  return plan
}

function planOfDocument(source: ImportSource, isHtml: boolean, toMarkdown: ToMarkdown): ImportPlan {
  const text = sourceTextOf(source)
  const name = source.name?.replace(/\.(?:md|markdown|html?|txt)$/i, '')
  try {
    return planOfText(text, name, isHtml, toMarkdown)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid(source.field, 'the HTML is nested too deeply.', 'Convert it to Markdown first.')
    throw error
  }
}

function formatOf({ bytes, isText, name = '' }: ImportSource): ExportFormat {
  const start = Buffer.from(bytes.subarray(0, 8000)).toString('utf8').slice(0, 2000)
  if (start.startsWith(isText ? 'UEsDB' : 'PK\x03\x04')) return 'zip'
  return /\.html?$/i.test(name) ||
    /^\uFEFF?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(start)
    ? 'html'
    : 'markdown'
}

function sourceTextOf({ bytes, field }: ImportSource): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // not UTF-8: refused below
  }
  throw invalid(field, 'this file is not UTF-8 text.', 'Import Markdown, HTML or a zip of them.')
}

function planOfZip(
  { bytes, isText, field }: ImportSource,
  toMarkdown: ToMarkdown,
  limits: ArchiveLimits,
): ImportPlan {
  const text = isText ? new TextDecoder().decode(bytes) : undefined
  const archive = text === undefined ? bytes : Buffer.from(text, 'base64')
  if (
    text !== undefined &&
    Buffer.from(archive).toString('base64').replace(/=+$/, '') !==
      text.replaceAll(/\s/g, '').replace(/=+$/, '')
  )
    throw invalid(
      field,
      'this is not valid base64 (RFC 4648 §4).',
      'Send the bytes of the zip as base64.',
    )
  const { files, skipped } = unpackZip(archive, field, limits)
  const manifest = manifestIn(files)
  const plan = planOf(
    manifest ? files.filter((file) => file !== manifest.file) : files,
    manifest?.manifest,
    toMarkdown,
  )
  plan.skipped.unshift(...skipped)
  return plan
}

const manifestShape = z.object({
  format: z.literal('workspace-pages'),
  version: z.literal(1),
  pages: z.array(
    z.object({
      path: z.string(),
      title: z.string().min(1),
      icon: z.string().max(100).optional(),
      kind: z.string().optional(),
      labels: z.array(z.string()).max(100).optional(),
    }),
  ),
})

/** Reads the manifest of a Workspace export; undefined if a file of that name is something else. */
function manifestIn(
  files: readonly ArchiveFile[],
): { file: ArchiveFile; manifest: Manifest } | undefined {
  const manifestFile =
    files.find((file) => file.path === manifestName) ??
    files.find(
      (file) => file.path.endsWith(`/${manifestName}`) && file.path.split('/').length === 2,
    )
  if (!manifestFile) return undefined
  try {
    return {
      file: manifestFile,
      manifest: manifestShape.parse(
        JSON.parse(new TextDecoder().decode(manifestFile.bytes)),
      ) as Manifest,
    }
  } catch {
    return undefined
  }
}
