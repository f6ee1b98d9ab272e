/** Into what Google turns its own documents; the content of the stand-in's documents is Markdown, of its sheets CSV. */
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

/** A document in another format; undefined where there is no such conversion. Formats of offices are marked, not made. */
export function exported(from: string, to: string, bytes: Buffer): Buffer | undefined {
  if (!conversions[from]?.includes(to)) return undefined
  return to.startsWith('text/') ? bytes : Buffer.concat([Buffer.from(`${to}\n`), bytes])
}
