import type { OAuthError } from '../../oauth/errors.ts'
import type { App } from '../../operations/app.ts'
import type { HeaderList } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'
import { answerPage } from '../web/page-answer.ts'
import { answerOAuth } from './answers.ts'

/** Error page for an error that cannot be reported to the program; JSON if the caller is not a browser. */
export function errorPage({ baseUrl }: App, incoming: Incoming, error: OAuthError): Response {
  const { code, message, retryAfterSeconds } = error
  const status = error.status >= 429 ? error.status : 400
  const headers: HeaderList =
    retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]
  if (!/\btext\/html\b/i.test(incoming.header('accept') ?? ''))
    return answerOAuth(incoming, status, { error: code, error_description: message }, headers)
  const title = 'The program cannot be connected'
  const text = `${message} Nothing was connected.`
  return answerPage(incoming, { title, text, isGood: false }, baseUrl, { status, headers })
}
