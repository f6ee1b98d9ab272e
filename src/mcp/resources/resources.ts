// The modules' documents as resources: everything visible to the caller, under readable addresses.

import { omitNullish } from '../../kernel/present.ts'
import {
  ResourceNotFoundError,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type PaginatedRequestParams,
  type ReadResourceRequestParams,
  type ReadResourceResult,
} from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import { callAgain } from '../../operations/answer-limits.ts'
import { call } from '../../operations/call/index.ts'
import type { ReadContext } from '../../operations/context.ts'
import {
  newestEntries,
  type Document,
  type DocumentEntry,
  type DocumentPosition,
  type DocumentReading,
} from '../../operations/documents.ts'
import { badCursor, cut, decodeCursor, encodeCursor, type PageOf } from '../../records/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { iso } from '../../kernel/time/times.ts'
import {
  resourceAddress,
  documentsFor,
  mayUse,
  parseAddress,
  templateOf,
  type ResourceAddress,
} from './addresses.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { removeInvisible } from '../../kernel/text/invisible.ts'
import { readInOneCall, protocolError, recordRefusal, requestFor } from '../requests.ts'

const pageSize = 50
const mimeType = 'text/markdown'

/** An entry with its kind of document. */
interface ListedEntry extends DocumentEntry {
  document: Document
}

/** Answers resources/list: all kinds visible to the caller together, most recently changed first. */
export async function listResources(
  app: App,
  caller: Caller,
  params: PaginatedRequestParams | undefined,
  message: MessageInfo = {},
): Promise<ListResourcesResult> {
  const page = await readInOneCall(
    app,
    caller,
    requestFor(caller, 'resources/list', params ?? {}, message),
    (ctx) => resourcePageOf(ctx, documentsFor(app, caller), params?.cursor),
  )
  return omitNullish({
    resources: page.items.map(resourceOf),
    nextCursor: page.next_cursor,
  })
}

/** Answers resources/templates/list: it contains no personal data, so it is not logged. */
export function listTemplates(app: App, caller: Caller): ListResourceTemplatesResult {
  return {
    resourceTemplates: documentsFor(app, caller).map((document) => ({
      uriTemplate: templateOf(document),
      name: document.name,
      title: document.title,
      description: document.about,
      mimeType,
    })),
  }
}

/** Answers resources/read. Missing and invisible items give the same error. */
export async function readResource(
  app: App,
  caller: Caller,
  { uri }: ReadResourceRequestParams,
  message: MessageInfo = {},
): Promise<ReadResourceResult> {
  const { document, key } = await resolveResourceAddress(
    app,
    caller,
    'resources/read',
    uri,
    message,
  )
  try {
    const answer = await answerOf(app, caller, document.read, key, message)
    const additional =
      document.additional && mayUse(app, caller, document.additional.operation)
        ? await answerOf(app, caller, document.additional, key, message)
        : undefined
    const text = truncated(
      app,
      document,
      key,
      removeInvisible(document.text(answer.value, additional?.value)),
    )
    return { contents: [{ uri, mimeType, text, _meta: { 'workspace/call_id': answer.callId } }] }
  } catch (error) {
    if (error instanceof Refusal)
      throw error.code === 'not_found' ? new ResourceNotFoundError(uri) : protocolError(error)
    throw error
  }
}

/**
 * The address in a message.
 * @throws ProtocolError if it is invalid, or of a kind unavailable to this caller; logged
 */
export async function resolveResourceAddress(
  app: App,
  caller: Caller,
  method: string,
  uri: string,
  message: MessageInfo,
): Promise<ResourceAddress> {
  const request = requestFor(caller, method, { uri }, message)
  try {
    const address = parseAddress(app, caller, uri)
    if (address) return address
  } catch (error) {
    throw await recordRefusal(app, caller, request, error as Refusal)
  }
  await recordRefusal(app, caller, request, notFound('resource', 'uri'))
  throw new ResourceNotFoundError(uri)
}

function answerOf(
  app: App,
  caller: Caller,
  reading: DocumentReading,
  key: string,
  message: MessageInfo,
) {
  return call(
    app,
    caller.actor,
    requestFor(caller, 'resources/read', argumentsOf(reading, key), message, reading.operation),
  )
}

function argumentsOf(
  { argument, with: always }: DocumentReading,
  key: string,
): Record<string, unknown> {
  return { ...always, [argument]: key }
}

/** Bytes reserved for the note at the end of a truncated text. */
const noteBytes = 1000

/** A text truncated to the maximum answer length, with a note on how to get the rest. */
function truncated(
  { settings, catalogue, baseUrl }: App,
  { read }: Document,
  key: string,
  text: string,
): string {
  const maxBytes = settings.mcp_answer_limit
  const totalBytes = Buffer.byteLength(text)
  if (maxBytes === 0 || totalBytes <= maxBytes) return text
  const fittingText = atLineEnd(
    Buffer.from(text)
      .subarray(0, Math.max(0, maxBytes - noteBytes))
      .toString()
      .replace(/\uFFFD+$/, ''),
  )
  const { rest } = callAgain(
    catalogue.requireEntry(read.operation),
    argumentsOf(read, key),
    baseUrl,
  )
  return `${fittingText}\n\n---\n\nCut here: the text has ${totalBytes} bytes, and the limit is ${maxBytes}. Read the rest with ${read.operation}, or get the full text over REST: ${rest}.\n`
}

/** Truncates at the end of a line, unless the last one is very long. */
function atLineEnd(text: string): string {
  const end = text.lastIndexOf('\n')
  return end > text.length - 2000 ? text.slice(0, end) : text
}

function resourceOf({
  document,
  key,
  title,
  updated_at,
}: ListedEntry): ListResourcesResult['resources'][number] {
  return {
    uri: resourceAddress(document, key),
    name: removeInvisible(key),
    title: removeInvisible(title),
    description: document.title,
    mimeType,
    annotations: { lastModified: iso(updated_at) },
  }
}

/** A page of all kinds: fetches one page of each, and shows the first entries of them all. */
async function resourcePageOf(
  ctx: ReadContext,
  documents: readonly Document[],
  cursor: string | undefined,
): Promise<PageOf<ListedEntry>> {
  const start = cursor === undefined ? undefined : readCursor(cursor)
  const all: ListedEntry[] = []
  for (const document of documents) {
    const entries = await newestEntries(
      ctx,
      document,
      start && positionFor(document, start),
      pageSize + 1,
    )
    all.push(...entries.map((documentEntry) => ({ ...documentEntry, document })))
  }
  return cut(
    all.sort(compareListed).slice(0, pageSize + 1),
    pageSize,
    ({ updated_at, id, document: { name } }) => encodeCursor(['resources', updated_at, name, id]),
  )
}

function compareListed(a: ListedEntry, b: ListedEntry): number {
  return (
    b.updated_at - a.updated_at || compare(a.document.name, b.document.name) || compare(b.id, a.id)
  )
}

function compare(a: string, b: string): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}

interface ListPosition extends DocumentPosition {
  name: string
}

function readCursor(cursor: string): ListPosition {
  const [kind, updated_at, name, id, ...more] = decodeCursor(cursor)
  if (
    kind !== 'resources' ||
    typeof updated_at !== 'number' ||
    typeof name !== 'string' ||
    typeof id !== 'string' ||
    more.length > 0
  )
    throw badCursor()
  return { updated_at, name, id }
}

/**
 * Start position within a kind of document. Kinds with the same timestamp are ordered by name: those before the
 * cursor's were shown, those after it were not. All ids sort between '' and '~'.
 */
function positionFor(
  { name }: Document,
  { updated_at, name: at, id }: ListPosition,
): DocumentPosition {
  const order = compare(name, at)
  if (order === 0) return { updated_at, id }
  return { updated_at, id: order < 0 ? '' : '~' }
}
