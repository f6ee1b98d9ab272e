/** Export formats of Google's own documents; the stand-in's documents contain Markdown, its sheets CSV. */
const conversions: Record<string, readonly string[]> = {
  'application/vnd.google-apps.document': [
    'text/markdown',
    'text/plain',
    'text/html',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  'application/vnd.google-apps.spreadsheet': [
    'text/csv',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  'application/vnd.google-apps.presentation': [
    'text/plain',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  'application/vnd.google-apps.drawing': ['image/png', 'image/svg+xml', 'application/pdf'],
}

/**
 * Exports a document in another format; undefined if there is no such conversion. Office formats are only marked, not
 * generated.
 */
export function exported(from: string, to: string, bytes: Buffer): Buffer | undefined {
  if (!conversions[from]?.includes(to)) return undefined
  return to.startsWith('text/') ? bytes : Buffer.concat([Buffer.from(`${to}\n`), bytes])
}
