import { connect } from 'node:net'
import type { Module } from '../operations/module.ts'
import type { Settings } from '../config/settings.ts'
import { startServer, type Listen, type RunningServer } from '../http/server.ts'
import { issueKey, type IssuedKey, type NewKey } from '../keys/issue.ts'
import type { TestExtensions } from '../mcp/server.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from './harness.ts'

/** A response with its body. */
export interface TestResponse {
  status: number
  headers: Headers
  text: string
  /** The body as JSON. */
  json: any
}

export interface TestRequest {
  key?: string | undefined
  headers?: Record<string, string>
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown
}

/** A workspace with a server, in any process. */
export interface RequestableWorkspace extends TestWorkspace {
  readonly url: string
  /** A key of ann's in header form. */
  readonly bearer: string
  keyFor(person: Someone, more?: Partial<NewKey>): Promise<IssuedKey>
  /** One request, with ann's key unless another or none (undefined) is given. */
  ask(method: string, path: string, more?: TestRequest): Promise<TestResponse>
  /** Sends raw text to the server on a connection of its own; returns the bytes of its one response. */
  wire(text: string | Buffer): Promise<string>
}

/** A workspace behind a real server on a free port, in this process. */
export interface ServedWorkspace extends RequestableWorkspace {
  readonly server: RunningServer
}

export async function serveWorkspace(
  more: {
    modules?: readonly Module[]
    mcpExtras?: TestExtensions
    settings?: Partial<Settings>
    listen?: Partial<Listen>
  } = {},
): Promise<ServedWorkspace> {
  const workspace = await makeWorkspace(more)
  const server = await startServer(
    workspace.app,
    { host: '127.0.0.1', port: 0, ...more.listen },
    more.mcpExtras,
  )
  return { ...(await requestableAt(workspace, server.url, () => server.close())), server }
}

/** Starts the server of a workspace and returns its client; `end` stops the server. */
export async function requestableAt(
  workspace: TestWorkspace,
  url: string,
  end: () => Promise<void>,
): Promise<RequestableWorkspace> {
  const keyFor = (person: Someone, overrides: Partial<NewKey> = {}) =>
    issueKey(workspace.app.store, workspace.clock, {
      owner: person.id,
      name: 'test',
      via: 'cli',
      ...overrides,
    })
  const { key: bearer } = await keyFor(workspace.ann)
  return {
    ...workspace,
    url,
    bearer,
    keyFor,
    ask: (method, path, request = {}) => ask(url + path, method, { key: bearer, ...request }),
    wire: (text) => wire(Number(new URL(url).port), text),
    async close() {
      await end()
      await workspace.close()
    },
  }
}

async function ask(
  url: string,
  method: string,
  { key, headers, body }: TestRequest,
): Promise<TestResponse> {
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const all = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const response = await fetch(url, {
    method,
    headers: all,
    body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']>,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function wire(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let output = ''
    const end = () => {
      socket.destroy()
      resolve(output)
    }
    socket.setEncoding('latin1') // one character per byte, as Content-Length counts
    socket.on('data', (part) => {
      output += part
      if (isCompleteResponse(output)) end()
    })
    socket.on('end', end)
    socket.on('error', reject)
  })
}

/** False, too, for a response that ends with its connection. */
function isCompleteResponse(bytes: string): boolean {
  const headLength = bytes.indexOf('\r\n\r\n') + 4
  if (headLength < 4) return false
  const head = bytes.slice(0, headLength)
  const body = bytes.slice(headLength)
  if (/^transfer-encoding: chunked\r$/im.test(head)) return /(^|\r\n)0\r\n\r\n$/.test(body)
  const [, length] = /^content-length: (\d+)\r$/im.exec(head) ?? []
  return length !== undefined && body.length >= Number(length)
}
