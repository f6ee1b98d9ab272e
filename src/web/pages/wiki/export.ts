import { call } from '../../api/client.ts'
import { saveExported } from '../company/save-export.ts'

export const pageFormats = ['markdown', 'html', 'zip'] as const
type PageFormat = (typeof pageFormats)[number]

const files: Readonly<Record<PageFormat, { extension: string; type: string }>> = {
  markdown: { extension: 'md', type: 'text/markdown' },
  html: { extension: 'html', type: 'text/html' },
  zip: { extension: 'zip', type: 'application/zip' },
}

/** Saves a page as a file, or as a zip with its subpages. */
export function exportPage(
  { id, title }: { id: string; title: string },
  format: PageFormat,
): Promise<void> {
  const { extension, type } = files[format]
  return saveExported(
    call('export_page', { page_id: id, format, include_children: format === 'zip' }),
    { name: `${title.replaceAll(/[/\\:]/g, '-')}.${extension}`, type },
  )
}
