import { answer } from './answers.ts'
import type { Incoming } from './incoming.ts'

/** What an unlisted operation answers whose answer is a file. */
export interface Download {
  name: string
  mime_type: string
  content_base64: string
}

export function downloadIn(value: unknown): Download | undefined {
  return (value as { download?: Download } | null | undefined)?.download
}

/** A file, to be saved and never shown: whatever it holds, no browser runs it in the name of this site. */
export function answerDownload(incoming: Incoming, { name, mime_type, content_base64 }: Download): Response {
  const bytes = Buffer.from(content_base64, 'base64')
  return answer(incoming, 200, bytes, [
    ['content-type', /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(mime_type) ? mime_type : 'application/octet-stream'],
    ['content-disposition', disposition(name)],
    ['content-security-policy', "default-src 'none'; sandbox"],
    ['cache-control', 'private, no-store'],
  ])
}

/** RFC 6266: a plain name for old clients, and the whole one as RFC 8187 writes it. */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
