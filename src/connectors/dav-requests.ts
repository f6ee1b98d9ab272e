import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { DavFailure, type DavServer, davFetch } from './caldav-fetch.ts'
import type { DavRow, RawAnswer, ParsedAnswer } from './dav-answers.ts'
import type { ReadingTasks } from './reading.ts'

/** Answers are parsed in a separate process: servers send XML of up to some megabytes. */
const answerParser = new Sandbox<ReadingTasks>('reading', import.meta.url, {
  cpuMs: 20_000,
  megabytes: 384,
})
/** Shorter answers are parsed inline, in a few milliseconds. */
const maxInlineBytes = 20_000
export const maxEntries = 100_000

interface DavAnswer extends ParsedAnswer {
  rows: DavRow[]
}

type DavBody = Parameters<typeof import('tsdav').davRequest>[0]['init']['body']

/** Sends one request and parses the answer, in a separate process if it is long. */
export async function request(
  server: DavServer,
  url: string,
  method: 'PROPFIND' | 'REPORT',
  headers: Record<string, string>,
  body: DavBody,
  namespace = 'd',
): Promise<DavAnswer> {
  const { davRequest } = await import('tsdav')
  const fetchDav = davFetch(server)
  let lastAnswer: RawAnswer | undefined
  await withDavFailures(() =>
    davRequest({
      url,
      init: { method, headers, namespace, body },
      parseOutgoing: false,
      fetch: async (input, init) => {
        const answer = await fetchDav(input, init)
        lastAnswer = {
          url: answer.url,
          status: answer.status,
          contentType: answer.headers.get('content-type') ?? '',
          bytes: new Uint8Array(await answer.arrayBuffer()),
        }
        return new Response(null, { status: 204 }) // the answer is parsed below
      },
    }),
  )
  return readAnswer(lastAnswer!)
}

async function readAnswer(answer: RawAnswer): Promise<DavAnswer> {
  const rows: DavRow[] = []
  const batches =
    answer.bytes.byteLength <= maxInlineBytes
      ? (await import('./dav-answers.ts')).rowsOfAnswer(answer)
      : answerParser.batches('dav', answer)
  try {
    for (;;) {
      const { done, value } = await batches.next()
      if (done) return { ...value, rows: rows.filter((row) => row.href !== undefined) }
      rows.push(...value)
      if (rows.length > maxEntries)
        throw new DavFailure(507, 'The answer of the server is too long.')
    }
  } catch (error) {
    if (error instanceof DavFailure) throw error
    if (error instanceof SandboxFailure)
      throw new DavFailure(
        answer.status,
        `The answer of the server cannot be read. ${error.message}`,
      )
    return withDavFailures(() => Promise.reject(error))
  } finally {
    await batches.return(undefined as never) // otherwise its process would wait until the remaining batches are read
  }
}

export async function propfind(
  server: DavServer,
  url: string,
  depth: '0' | '1',
  props: Record<string, object>,
): Promise<DavRow[]> {
  const answer = await request(
    server,
    url,
    'PROPFIND',
    { depth },
    { propfind: { _attributes: namespaces, 'd:prop': props } },
  )
  const rows = multistatusRows(answer, 'PROPFIND')
  if (rows.length === 0)
    throw new DavFailure(
      207,
      'PROPFIND returned an empty answer, which should at least name the requested resource.',
    )
  return rows
}

export const namespaces = {
  'xmlns:d': 'DAV:',
  'xmlns:c': 'urn:ietf:params:xml:ns:caldav',
  'xmlns:cs': 'http://calendarserver.org/ns/',
  'xmlns:ca': 'http://apple.com/ns/ical/',
}

/** An answer that is not a DAV multistatus (a sign-in page, truncated XML) is a failure, never an empty list. */
export function multistatusRows(
  { isMultistatus, status, rows }: DavAnswer,
  requestName: string,
): DavRow[] {
  if (isMultistatus) return rows
  throw new DavFailure(
    status,
    `${requestName} was answered with ${status}${status < 300 ? ', and no list' : ''}.`,
  )
}

/** The text of an element. tsdav converts numeric text to numbers. */
export function elementText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return elementText(value[0])
  if (value === null || typeof value !== 'object') return undefined
  const { _cdata, _text } = value as { _cdata?: unknown; _text?: unknown }
  return elementText(_cdata ?? _text)
}

/** Replaces errors of tsdav, which only say that something was not found. */
export async function withDavFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.constructor !== Error && error.constructor !== TypeError)
      throw error
    throw new DavFailure(
      0,
      `This is not a CalDAV server: ${(error as Error).message}`.slice(0, 300),
      { cause: error },
    )
  }
}
