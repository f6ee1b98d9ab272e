/** Why a call was refused: the codes of every answer, and the HTTP status each one has over REST. */
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
  /** The argument that is wrong. */
  field?: string
  /** Every wrong argument, where there are several. */
  errors?: { path: string; message: string }[]
  retry_after_seconds?: number
  /** The call that helps. */
  next?: { tool: string; arguments: Record<string, unknown> }
  /** Data for the caller's next decision, such as the candidates of an ambiguous name or the current revision. */
  context?: Record<string, unknown>
}

/** An expected failure. Thrown where it is known, and turned into an answer in one place for each transport. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly more: RefusalMore
  /** The call's id in the call log, once it is there. */
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

  /** The body that REST and MCP share: `{code, message, field?, …}`. */
  body(): { code: RefusalCode; message: string } & Omit<RefusalMore, 'hint'> {
    const { hint, ...rest } = this.more
    return { code: this.code, message: hint ? `${this.message} ${hint}` : this.message, ...rest }
  }
}

/** Anything absent, invisible, or of another organization gets this same answer. */
export function notFound(what: string, field?: string, hint?: string): Refusal {
  return new Refusal(
    'not_found',
    `${what.charAt(0).toUpperCase()}${what.slice(1)} not found, or you have no access.`,
    { ...(field ? { field } : {}), ...(hint ? { hint } : {}) },
  )
}

/** For a row that the caller may see but not change; `why` completes "You may not …". */
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
