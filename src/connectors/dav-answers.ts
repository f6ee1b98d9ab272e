// Answers of CalDAV servers, parsed by tsdav. Runs in the reader process of reading.ts: XML of several megabytes takes
// seconds.

import { davRequest, type DAVResponse } from 'tsdav'

/** An unparsed answer. */
export interface RawAnswer {
  url: string
  status: number
  contentType: string
  bytes: Uint8Array
}

export type DavRow = Pick<DAVResponse, 'href' | 'status' | 'props'>

/** Parsed answer, without its rows. `isMultistatus`: it is a list from a DAV server, not a sign-in page. */
export interface ParsedAnswer {
  isMultistatus: boolean
  status: number
  syncToken: unknown
}

const batchSize = 500
/** Nesting depth of elements; answers have about ten. */
const maxDepth = 1000

/**
 * The rows of an answer, in batches.
 * @throws RangeError if its elements are nested too deeply
 */
export async function* rowsOfAnswer({
  url,
  status,
  contentType,
  bytes,
}: RawAnswer): AsyncGenerator<DavRow[], ParsedAnswer> {
  const hasBody = ![204, 205, 304].includes(status)
  if (hasBody) checkDepth(bytes)
  const response = new Response(hasBody ? Buffer.from(bytes) : null, {
    status,
    headers: { 'content-type': contentType },
  })
  Object.defineProperty(response, 'url', { value: url })
  const rows = await davRequest({
    url,
    init: { method: 'REPORT', headers: {}, body: '' },
    convertIncoming: false,
    fetch: async () => response,
  })
  const raw = rows[0]?.raw as { multistatus?: { syncToken?: unknown } | string } | undefined
  const isMultistatus = typeof raw === 'object' && raw !== null && 'multistatus' in raw
  for (let at = 0; isMultistatus && at < rows.length; at += batchSize)
    yield rows.slice(at, at + batchSize).map(({ href, status: statusCode, props }) => ({
      ...(href === undefined ? {} : { href }),
      status: statusCode,
      ...(props === undefined ? {} : { props }),
    }))
  const multistatus = isMultistatus ? raw.multistatus : undefined
  return {
    isMultistatus,
    status: rows[0]?.status ?? 0,
    syncToken: typeof multistatus === 'object' ? multistatus.syncToken : undefined,
  }
}

const [opening, slash, closing, exclamation, question] = [...'</>!?'].map((character) =>
  character.charCodeAt(0),
)

/** Counts only tags, in a single pass over the bytes; comments and CDATA only make it stricter. */
function checkDepth(bytes: Uint8Array): void {
  let depth = 0
  let start = -1
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === opening) start = at
    if (bytes[at] !== closing || start < 0) continue
    const next = bytes[start + 1]
    if (next === slash) depth--
    else if (next !== exclamation && next !== question && bytes[at - 1] !== slash) depth++
    if (depth > maxDepth) throw new RangeError('It is nested too deeply.')
    start = -1
  }
}
