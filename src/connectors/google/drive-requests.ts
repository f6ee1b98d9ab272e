/** A person's Drive, and how to reach it. */
export interface DriveServer {
  /** Scheme, host and port. */
  root: string
  /** Sends one request through the guarded outbound access. */
  request(
    url: string,
    request: { method: string; headers: Record<string, string>; body?: string | Uint8Array },
  ): Promise<DriveAnswer>
  /** Returns an access token; `isRetry` after Google refused the previous one. @throws if none is available */
  token(isRetry: boolean): Promise<string>
}

export interface DriveAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
  isTruncated: boolean
}

/** A refusal by Google. Network failures are thrown unchanged. */
export class DriveFailure extends Error {
  /** 0 if there was no HTTP status. */
  readonly status: number
  /** Google's reason, such as `rateLimitExceeded`. */
  readonly reason: string
  /** Seconds after which Google accepts requests again. */
  readonly retryAfter: number | undefined

  constructor(status: number, reason: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.isRateLimited || this.status >= 500 || this.status === 0
  }

  /** Google asks to back off. */
  get isRateLimited(): boolean {
    return (
      this.status === 429 ||
      (this.status === 403 &&
        /^(userR|r)ateLimitExceeded$|^(dailyLimit|sharingRateLimit)Exceeded$/.test(this.reason))
    )
  }

  /** True if the requested item does not exist, or not for this person. */
  get isMissing(): boolean {
    return this.status === 404
  }

  /** A page token is no longer valid: everything has to be listed again. */
  get isStale(): boolean {
    return this.status === 410 || (this.status === 400 && /pageToken/i.test(this.message))
  }
}

/** Google refused both the token and its replacement. */
export class DriveSignInRefused extends Error {}

/** Sends a request with a token, once more after a 401. The answer may be a refusal. @throws DriveSignInRefused */
export async function requestWithToken(
  server: DriveServer,
  url: string,
  request: Parameters<DriveServer['request']>[1],
): Promise<DriveAnswer> {
  for (const isRetry of [false, true]) {
    const answer = await server.request(url, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${await server.token(isRetry)}` },
    })
    if (answer.status === 401) continue
    if (answer.isTruncated) throw new DriveFailure(0, 'cut', 'The answer is too long.')
    return answer
  }
  throw new DriveSignInRefused('Google refused the token.')
}

/** @throws DriveFailure unless successful */
export function requireSuccess(answer: DriveAnswer): DriveAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw failureOf(answer)
}

export function failureOf({ status, headers, body }: DriveAnswer): DriveFailure {
  const { reason, message } = failureReason(body)
  const seconds = Number(headers['retry-after'])
  return new DriveFailure(
    status,
    reason,
    `Google answered ${status}${reason === '' ? '' : ` (${reason})`}${message === '' ? '.' : `: ${message}`}`,
    Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 24 * 3600) : undefined,
  )
}

function failureReason(body: Uint8Array): { reason: string; message: string } {
  try {
    const { error } = JSON.parse(Buffer.from(body).toString('utf8')) as {
      error?: { message?: string; errors?: { reason?: string }[]; status?: string }
    }
    return {
      reason: String(error?.errors?.[0]?.reason ?? error?.status ?? '').slice(0, 100),
      message: String(error?.message ?? '').slice(0, 300),
    }
  } catch {
    return { reason: '', message: '' }
  }
}

/** A fetch for Google's library. Returns successful answers and throws all others. */
export function driveFetch(server: DriveServer): typeof fetch {
  return async (input, init = {}) => {
    const { 'accept-encoding': _, ...headers } = Object.fromEntries(new Headers(init.headers))
    const answer = requireSuccess(
      await requestWithToken(server, String(input), {
        method: init.method ?? 'GET',
        headers,
        ...(init.body == null ? {} : { body: String(init.body) }),
      }),
    )
    const plainHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined || /^(content-(encoding|length)|transfer-encoding|set-cookie)$/.test(name)
        ? []
        : [[name, String(value)] as [string, string]],
    )
    return new Response(answer.status === 204 ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: plainHeaders,
    })
  }
}
