import type { DAVResponse } from 'tsdav'

/** The rows of a multistatus answer, as tsdav reads them; run in the thread of readers where the answer is long. */
export async function davRowsOf(bytes: Uint8Array): Promise<DAVResponse[]> {
  const { davRequest } = await import('tsdav')
  const answer = () => new Response(Buffer.from(bytes), { status: 207, headers: { 'content-type': 'application/xml; charset=utf-8' } })
  const rows = await davRequest({ url: 'https://answer.invalid/', init: { method: 'PROPFIND', headers: {}, body: {} }, fetch: async () => answer() })
  const { multistatus } = (rows[0]?.raw ?? {}) as { multistatus?: { syncToken?: unknown } | string }
  const token = typeof multistatus === 'object' ? { syncToken: multistatus.syncToken } : multistatus
  // The whole answer hangs on every row; of it the token alone is looked at again, and the rest need not be sent to another thread.
  return rows.map((row, i) => ({ ...row, raw: i === 0 && multistatus !== undefined ? { multistatus: token } : undefined }))
}
