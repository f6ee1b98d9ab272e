// The page for a person returning to an endpoint from another site.

import { createHash } from 'node:crypto'
import { escapeHtml, htmlDocument } from '../../kernel/text/html.ts'
import type { PageAnswer } from '../../operations/endpoints/endpoint.ts'
import { respondWith, type HeaderList } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'

export const notSignedIn: PageAnswer = {
  title: 'You are not signed in',
  text: 'Sign in to the workspace in this browser and start again there. If a command asked for this page, give it the page address.',
  isGood: false,
}

const styles =
  'body{font:1.05rem/1.5 system-ui,sans-serif;margin:3rem auto;max-width:34rem;padding:0 1rem;color:#1a1a1a;background:#fff}@media (prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#9cf}}'

/** A result page; errors have status 400 unless another is given. */
export function answerPage(
  incoming: Incoming,
  { title, text, isGood }: PageAnswer,
  baseUrl: string,
  { status = isGood ? 200 : 400, headers = [] }: { status?: number; headers?: HeaderList } = {},
): Response {
  const html = htmlDocument({
    title,
    styles,
    body: [
      `<h1>${escapeHtml(title)}</h1>`,
      `<p>${escapeHtml(text)}</p>`,
      `<p><a href="${escapeHtml(baseUrl)}/">Go to the workspace</a></p>`,
    ],
  })
  const hash = createHash('sha256').update(styles).digest('base64')
  return respondWith(incoming, status, html, [
    ['content-type', 'text/html; charset=utf-8'],
    [
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ],
    ['cache-control', 'no-store'],
    ['cross-origin-opener-policy', 'same-origin'],
    ...headers,
  ])
}
