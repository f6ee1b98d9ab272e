import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { untilTrue } from '../../../../testing/limits.ts'

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Asks how much of an upload has arrived. */
export const headUpload = (url: string) => fetch(url, { method: 'HEAD' })

/** Offset at which an upload continues, once the server has noticed that the connection broke. */
export async function offsetOf(url: string): Promise<number> {
  return Number((await headUpload(url)).headers.get('upload-offset') ?? Number.NaN)
}

interface PartAnswer {
  file_id?: string
  sha256?: string
  /** Set in a refusal: the offset at which the upload continues. */
  upload_offset?: number
}

/** Sends one part. */
export async function patch(
  url: string,
  offset: number,
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; json: PartAnswer }> {
  const answer = await fetch(url, {
    method: 'PATCH',
    body: new Uint8Array(bytes),
    headers: {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    json: JSON.parse(text || '{}') as PartAnswer,
  }
}

/** Sends the remaining bytes, breaks the connection at a byte, and waits until the server stored some of them. */
export async function sendInterrupted(
  url: string,
  bytes: Buffer,
  offset: number,
  at: number,
): Promise<void> {
  const out = request(url, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/offset+octet-stream',
      'content-length': String(bytes.length - offset),
      'upload-offset': String(offset),
    },
  })
  const ended = new Promise((done) => out.once('error', done))
  await new Promise((sent) => out.write(bytes.subarray(offset, at), sent))
  out.destroy(new Error('broken off'))
  await ended
  await untilTrue(async () => (await offsetOf(url)) !== offset, 'nothing of it arrived')
}
