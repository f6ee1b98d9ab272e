import type { OAuthError } from '../../oauth/errors.ts'
import type { App } from '../../operations/app.ts'
import type { Incoming } from '../transport/request-info.ts'
import { answerPage } from '../web/page-answer.ts'
import { answerOAuth } from './answers.ts'

/** What a person sees whose program asked in a way that nobody can answer to it; JSON where it is no browser. */
export function errorPage({ baseUrl }: App, incoming: Incoming, error: OAuthError): Response {
  const { code, status, message, retryAfterSeconds } = error
  if (/\btext\/html\b/i.test(incoming.header('accept') ?? ''))
    return answerPage(
      incoming,
      {
        title: 'The program cannot be connected',
        text: `${message} Nothing was connected.`,
        isGood: false,
      },
      baseUrl,
    )
  return answerOAuth(
    incoming,
    status,
    { error: code, error_description: message },
    retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]],
  )
}
