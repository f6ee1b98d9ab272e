// The requests of an upload in parts (tus 1.0): reading its offset, sending a part, and cancelling it.

import { t } from '../../texts/index.ts'
import { ApiError } from '../problem.ts'

const unreachable = () => new ApiError(0, { code: 'offline', message: t.app.offlineError })

/** Receives the number of bytes sent of a part. */
export type Sending = (bytes: number) => void

/**
 * Received bytes of an upload, and the time until which it can be continued; undefined if it cannot. @throws ApiError
 */
export async function uploadState(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ offset: number; until: number } | undefined> {
  const answer = await fetch(path, { method: 'HEAD', cache: 'no-store', signal }).catch(() => {
    signal?.throwIfAborted()
    throw unreachable()
  })
  if ([404, 409, 410].includes(answer.status)) return undefined
  const { headers } = answer
  const offset = Number(headers.get('upload-offset') ?? Number.NaN)
  if (!answer.ok || Number.isNaN(offset)) throw new ApiError(answer.status, {})
  return { offset, until: Date.parse(headers.get('upload-expires') ?? '') }
}

/**
 * Cancels an upload. Refused while the server has not noticed that the last part was interrupted; then the upload
 * expires.
 */
export async function endUpload(path: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const { status } = await fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {
      throw unreachable()
    })
    if (status !== 409) return
    await new Promise((go) => setTimeout(go, 1000))
  }
}

interface PartAnswer {
  status: number
  offset: number
  body: Record<string, unknown>
}

/**
 * Sends a part with XMLHttpRequest, because `fetch` does not report upload progress. @throws ApiError, DOMException
 * AbortError
 */
export function sendPart(
  path: string,
  part: { offset: number; bytes: Blob; sha256: string | undefined },
  sending: Sending,
  signal: AbortSignal | undefined,
): Promise<PartAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PartAnswer>()
  const request = new XMLHttpRequest()
  request.open('PATCH', path)
  request.setRequestHeader('content-type', 'application/offset+octet-stream')
  request.setRequestHeader('upload-offset', String(part.offset))
  request.setRequestHeader('tus-resumable', '1.0.0')
  if (part.sha256 !== undefined)
    request.setRequestHeader('upload-checksum', `sha256 ${part.sha256}`)
  const stop = () => request.abort()
  signal?.addEventListener('abort', stop)
  request.upload.addEventListener('progress', ({ loaded }) => sending(loaded))
  request.addEventListener('error', () => reject(unreachable()))
  request.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')))
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
  request.addEventListener('load', () => {
    const { status, responseText } = request
    const offset = Number(request.getResponseHeader('upload-offset') ?? Number.NaN)
    const body = parseResponseBody(responseText)
    if ([200, 201, 204].includes(status)) resolve({ status, offset, body })
    else reject(new ApiError(status, body))
  })
  request.send(part.bytes)
  return promise
}

/** A proxy's response may differ from the server's. */
function parseResponseBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
