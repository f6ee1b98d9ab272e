import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { t } from '../../../texts/index.ts'
import type { DraftFile } from './drafts.ts'

/** Up to this size a file goes along in the call; larger ones are sent by themselves. */
const maxInlineBytes = 500_000

/** Puts a file into one's own drive; who reads the message that it goes with can read it. @throws ApiError */
export async function uploadFile(file: File): Promise<DraftFile> {
  const mime = file.type === '' ? {} : { mime_type: file.type }
  if (file.size <= maxInlineBytes) {
    const content_base64 = base64Of(new Uint8Array(await file.arrayBuffer()))
    const made = await call('upload_file', { name: file.name, content_base64, ...mime })
    return { id: made.id, title: made.name }
  }
  const session = await call('create_upload_session', {
    name: file.name,
    size_bytes: file.size,
    ...mime,
  })
  if (session.upload_url === undefined)
    throw new Error('The server gave no address to send the file to.')
  // The workspace may be known by another name than the one that this page was opened under.
  const answer = await send(new URL(session.upload_url).pathname, file)
  const body = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new ApiError(answer.status, body)
  return { id: String(body.id), title: file.name }
}

async function send(path: string, body: File): Promise<Response> {
  try {
    return await fetch(path, { method: 'PUT', body })
  } catch {
    throw new ApiError(0, { code: 'offline', message: t.app.offlineError })
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
