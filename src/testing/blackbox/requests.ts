// Raw requests: sends addresses unchanged, over persistent connections.

import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import type { Offered } from './surface.ts'

/** A server, with an optional key. */
export interface Door {
  url: string
  key?: string | undefined
}

export interface RawRequest {
  method: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer | undefined
}

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Names and values as received, in order. */
  raw: [string, string][]
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  json: any
}

export type Arguments = Record<string, unknown>

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends one request; rejects if the connection breaks. */
export function send(
  { url, key }: Door,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  const baseHeaders = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...baseHeaders, ...headers } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            raw: pairs(answer.rawHeaders),
            text,
            json: jsonOf(text),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function pairs(flat: string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Builds the REST call of an operation. A missing id is sent as `x`, because the path must not be empty. */
export function restOf(
  { method, path, inPath }: Pick<Offered, 'method' | 'path' | 'inPath'>,
  args: Arguments,
): RawRequest {
  const at = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(textOf(args[name] ?? 'x')) || 'x',
  )
  const others = Object.entries(args).filter(
    ([name, value]) => !inPath.includes(name) && value !== undefined,
  )
  if (method === 'GET' || method === 'DELETE')
    return { method, path: others.length === 0 ? at : `${at}?${queryOf(others)}` }
  return { method, path: at, body: JSON.stringify(Object.fromEntries(others)) }
}

/**
 * Lists become repeated parameters, as documented; a list with zero or one element is sent as JSON, so that it stays
 * a list.
 */
function queryOf(fields: [string, unknown][]): string {
  const field = (name: string, value: unknown) =>
    `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(textOf(value))}`
  return fields
    .flatMap(([name, value]) =>
      Array.isArray(value) && value.length > 1
        ? value.map((item) => field(name, item))
        : [field(name, value)],
    )
    .join('&')
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.toWellFormed()
}

/** The protocol generation of a client: 2026-07-28 without sessions, or earlier. */
export type Era = 'modern' | 'legacy'

/** A message to the MCP endpoint. */
export function mcpMessage(
  method: string,
  params: Arguments,
  { era = 'modern', path = '/mcp' }: { era?: Era; path?: string } = {},
): RawRequest {
  const modern = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(params._meta as object | undefined),
  }
  return {
    method: 'POST',
    path,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(era === 'modern' ? modern : { 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: era === 'modern' ? { ...params, _meta } : params,
    }),
  }
}

/** A tool call. */
export function toolCallOf(name: string, args: Arguments, era: Era = 'modern'): RawRequest {
  return mcpMessage('tools/call', { name, arguments: args }, { era })
}

/** The JSON-RPC message of a response, plain or in the last event of a stream, whose lines end only with CR and LF. */
export function rpcOf({ json, text }: Pick<RawResponse, 'json' | 'text'>): any {
  return (
    json ??
    JSON.parse(
      /^data: ([^\r\n]*)$/m.exec(text.slice(text.lastIndexOf('\ndata: ') + 1))?.[1] ?? 'null',
    )
  )
}

interface Tool {
  name: string
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export async function toolsList(door: Door, path = '/mcp'): Promise<Tool[]> {
  const { result } = rpcOf(await send(door, mcpMessage('tools/list', {}, { path }))) as {
    result: { tools: Tool[] }
  }
  return result.tools
}

/** Processes a list with limited concurrency. */
export async function inLanes<T>(
  all: Iterable<T>,
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = all[Symbol.iterator]()
  const lane = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
