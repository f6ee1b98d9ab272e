/** A refusal by the server, or a failure to reach it. `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly field: string | undefined
  readonly errors: readonly { path: string; message: string }[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(
      nonEmptyText(body.message) ??
        nonEmptyText(body.detail) ??
        nonEmptyText(body.title) ??
        `The server answered ${status}.`,
    )
    this.status = status
    this.body = body
    this.code = nonEmptyText(body.code) ?? 'internal'
    this.hint = nonEmptyText(body.hint)
    this.field = nonEmptyText(body.field)
    this.errors = Array.isArray(body.errors)
      ? (body.errors as { path: string; message: string }[])
      : []
    this.requestId = nonEmptyText(body.request_id)
    this.retryAfter =
      typeof body.retry_after_seconds === 'number' ? body.retry_after_seconds : undefined
  }

  /** The server was not reached: the outcome is unknown. */
  get isOffline(): boolean {
    return this.status === 0
  }
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const fieldMessages = error.errors
    .filter((item) => item.path !== '')
    .map((item) => [item.path, item.message] as const)
  if (fieldMessages.length === 0 && error.field !== undefined)
    return { [error.field]: error.message.replace(/^[\w.]+: /, '') }
  return Object.fromEntries(fieldMessages)
}
