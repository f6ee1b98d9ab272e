// Answers of CalDAV servers, read by tsdav. Runs in the reader process of reading.ts: XML of some megabytes takes seconds.

import { davRequest, type DAVResponse } from 'tsdav'

/** An answer as it came. */
export interface RawAnswer {
  url: string
  status: number
  contentType: string
  bytes: Uint8Array
}

export type DavRow = Pick<DAVResponse, 'href' | 'status' | 'props'>

/** What is read of an answer besides its rows. `isMultistatus`: it is a list of a DAV server, and no page to sign in. */
export interface ReadAnswer {
  isMultistatus: boolean
  status: number
  syncToken: unknown
}

const batchSize = 500

/** The rows of an answer, in batches. */
export async function* rowsOfAnswer({ url, status, contentType, bytes }: RawAnswer): AsyncGenerator<DavRow[], ReadAnswer> {
  const hasBody = ![204, 205, 304].includes(status)
  const response = new Response(hasBody ? Buffer.from(bytes) : null, { status, headers: { 'content-type': contentType } })
  Object.defineProperty(response, 'url', { value: url })
  const rows = await davRequest({ url, init: { method: 'REPORT', headers: {}, body: '' }, convertIncoming: false, fetch: async () => response })
  const raw = rows[0]?.raw as { multistatus?: { syncToken?: unknown } | string } | undefined
  const isMultistatus = typeof raw === 'object' && raw !== null && 'multistatus' in raw
  for (let at = 0; isMultistatus && at < rows.length; at += batchSize) yield rows.slice(at, at + batchSize).map(({ href, status: own, props }) => ({ ...(href === undefined ? {} : { href }), status: own, ...(props === undefined ? {} : { props }) }))
  const multistatus = isMultistatus ? raw.multistatus : undefined
  return { isMultistatus, status: rows[0]?.status ?? 0, syncToken: typeof multistatus === 'object' ? multistatus.syncToken : undefined }
}
