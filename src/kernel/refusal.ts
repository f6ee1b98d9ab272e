/** All refusal codes, with their HTTP status over REST. */
export const refusalStatus = {
  invalid_argument: 400,
  blocked_address: 400,
  live_key_in_content: 400,
  unauthenticated: 401,
  permission_denied: 403,
  paused: 403,
  tls_required: 403,
  csrf: 403,
  password_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  approval_required: 409,
  idempotency_conflict: 422,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  rate_limited: 429,
  plan_exceeded: 429,
  cancelled: 499,
  not_connected: 409,
  provider_error: 502,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const

export type RefusalCode = keyof typeof refusalStatus

export interface RefusalMore {
  /** Instruction for the caller, shown with the message. */
  hint?: string
  /** The invalid argument. */
  field?: string
  /** All invalid arguments, if there are several. */
  errors?: { path: string; message: string }[]
  retry_after_seconds?: number
  /** A suggested call that resolves the problem. */
  next?: { tool: string; arguments: Record<string, unknown> }
  /** Data for the caller's next decision, such as the candidates of an ambiguous name or the current revision. */
  context?: Record<string, unknown>
}

/** An expected failure. Thrown where it is detected, and turned into an answer in one place per transport. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly more: RefusalMore
  /** The call's id in the call log, once logged. */
  callId: string | undefined

  constructor(code: RefusalCode, message: string, more: RefusalMore | string = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.more = typeof more === 'string' ? { hint: more } : more
  }

  get status(): number {
    return refusalStatus[this.code]
  }

  /** The body shared by REST and MCP: `{code, message, field?, …}`. */
  body(): { code: RefusalCode; message: string } & Omit<RefusalMore, 'hint'> {
    const { hint, ...rest } = this.more
    return { code: this.code, message: hint ? `${this.message} ${hint}` : this.message, ...rest }
  }
}

/** The same answer for anything missing, invisible, or of another organization. */
export function notFound(what: string, field?: string, hint?: string): Refusal {
  return new Refusal(
    'not_found',
    `${what.charAt(0).toUpperCase()}${what.slice(1)} not found, or you have no access.`,
    { ...(field ? { field } : {}), ...(hint ? { hint } : {}) },
  )
}

/** For a row that the caller may see but not change; `message` is a whole sentence. */
export function denied(message: string, hint?: string): Refusal {
  return new Refusal('permission_denied', message, hint ? { hint } : {})
}

export function invalid(field: string, message: string, hint?: string): Refusal {
  return new Refusal('invalid_argument', `${field}: ${message}`, {
    field,
    errors: [{ path: field, message }],
    ...(hint ? { hint } : {}),
  })
}
