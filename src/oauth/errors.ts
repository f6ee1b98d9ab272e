/** The error codes of RFC 6749, 7591, 8707 and OpenID Connect that this server returns. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'server_error'

/** Error response of an OAuth endpoint. The description is for developers and contains no secrets. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    more: { status?: number; retryAfterSeconds?: number } = {},
  ) {
    super(description)
    this.code = code
    this.status = more.status ?? (code === 'invalid_client' ? 401 : 400)
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
