import {
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
  type Implementation,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'
import type { App } from '../operations/app.ts'
import { toRefusal } from '../db/failures.ts'
import { protocolError } from './requests.ts'

/** Server information: the long form on request, the short form with every other answer of the current protocol. */
interface Introductions {
  introduction: Implementation
  signature: Implementation | undefined
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * The SDK's server with exact errors: the SDK reports malformed parameters as internal errors, and reveals the text
 * of anything else thrown. Here, unexpected errors are shown only by a reference.
 */
export class ExactServer extends Server {
  readonly #app: App
  readonly #signature: Implementation | undefined

  constructor(app: App, options: ServerOptions, { introduction, signature }: Introductions) {
    super(introduction, options)
    this.#app = app
    this.#signature = signature
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const tasks = new WeakMap<JSONRPCRequest, Result>()
    const wrapped = super._wrapHandler(method, async (request, context) => {
      const result = await handler(request, context)
      if (result.resultType !== 'task') return result
      tasks.set(request, result) // bypasses the SDK, which would validate it against the schema of a finished call
      return { content: [] }
    })
    return async (request, context) => {
      try {
        const result = await wrapped(request, context)
        return this.#signed(method, tasks.get(request) ?? result)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        throw (
          invalidParams(method, error) ??
          protocolError(
            toRefusal(this.#app.log, error, { requestId: String(request.id), tool: method }),
          )
        )
      }
    }
  }

  /** The SDK would otherwise sign results with the complete server information. */
  #signed(method: string, result: Result): Result {
    if (this.#signature === undefined || method === 'server/discover') return result
    return { ...result, _meta: { ...result._meta, [SERVER_INFO_META_KEY]: this.#signature } }
  }
}

/** The SDK throws schema errors as JSON in an error's text. */
function invalidParams(method: string, error: unknown): ProtocolError | undefined {
  const issues = issuesIn((error as { message?: unknown }).message)
  const reasons = issues?.map(
    ({ path, message }) =>
      `${path.filter((step, i) => i > 0 || step !== 'params').join('.') || 'params'}: ${message}`,
  )
  return (
    reasons &&
    new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid params for ${method}: ${reasons.join('; ').slice(0, 500)}`,
    )
  )
}

function issuesIn(text: unknown): { path: (string | number)[]; message: string }[] | undefined {
  if (typeof text !== 'string' || !text.startsWith('[')) return undefined
  try {
    const issues = JSON.parse(text) as { path?: unknown; message?: unknown }[]
    return issues.every((item) => Array.isArray(item.path) && typeof item.message === 'string')
      ? (issues as { path: string[]; message: string }[])
      : undefined
  } catch {
    return undefined
  }
}
