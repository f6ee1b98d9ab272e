// The requests of an upload in parts (tus 1.0): reading its offset, sending a part, and cancelling it.

import { t } from '../../texts/index.ts'
import { ApiError } from '../problem.ts'

const createOfflineError = () => new ApiError(0, { code: 'offline', message: t.app.offlineError })

/** Receives the number of bytes sent of a part. */
export type ProgressListener = (bytes: number) => void

/**
 * Received bytes of an upload, and until when it can be continued; undefined if it cannot. @throws ApiError
 */
export async function uploadState(
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ offset: number; expiresAt: number } | undefined> {
  const response = await fetch(path, { method: 'HEAD', cache: 'no-store', signal }).catch(() => {
    signal?.throwIfAborted()
    throw createOfflineError()
  })
  if ([404, 409, 410].includes(response.status)) return undefined
  const { headers } = response
  const offset = Number(headers.get('upload-offset') ?? Number.NaN)
  if (!response.ok || Number.isNaN(offset)) throw new ApiError(response.status, {})
  return { offset, expiresAt: Date.parse(headers.get('upload-expires') ?? '') }
}

/**
 * Cancels an upload. Refused while the server has not noticed that the last part was interrupted; then the upload
 * expires.
 */
export async function deleteUpload(path: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status } = await fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {
      throw createOfflineError()
    })
    if (status !== 409) return
    await new Promise((resolve) => setTimeout(resolve, 1000))
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
  onProgress: ProgressListener,
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
  const abort = () => request.abort()
  signal?.addEventListener('abort', abort)
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('error', () => reject(createOfflineError()))
  request.addEventListener('abort', () => reject(new DOMException('upload aborted', 'AbortError')))
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
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
