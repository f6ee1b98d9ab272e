// Unencrypted requests from a network.

import { Refusal } from '../../kernel/refusal.ts'

/** Whether programs call an address, rather than browsers opening pages. */
export function isForPrograms(path: string): boolean {
  return /^\/(?:api(?!\/docs)|mcp|sse|messages|oauth|sso|scim|\.well-known|web|metrics)(?:[/?#]|$)/i.test(
    path,
  )
}

export function tlsRequired(baseUrl: string): Refusal {
  return new Refusal(
    'tls_required',
    'This came over plain HTTP, where others can read it.',
    `Call ${baseUrl} instead. A key sent this way is exposed: revoke it and create another one.`,
  )
}

/** The key in an Authorization header, or whatever text takes its place. */
export function bearerOf(authorization: string): string {
  return authorization.replace(/^Bearer +/i, '')
}
