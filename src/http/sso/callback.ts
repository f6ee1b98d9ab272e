// Redirect target of identity providers.

import { toRefusal } from '../../db/failures.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { SsoOutcome } from '../../sso/sign-in.ts'
import { answerEmpty } from '../transport/answers.ts'
import { getOnly } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { cookieIn, signedInHeaders } from '../web/cookies.ts'
import type { Services } from '../web/endpoint.ts'
import { answerPage } from '../web/page-answer.ts'
import { findSignedIn } from '../web/session-actor.ts'

export const ssoCallbackPath = '/web/sso/:id/callback'

const maxQueryLength = 16_384

/** Metric labels of outcomes. */
const outcomeLabels: Record<SsoOutcome['kind'], string> = {
  'signed in': 'signed_in',
  'link first': 'unlinked',
  linked: 'linked',
  verified: 'verified',
}

/** Signs in a person returning from the provider and redirects them. Errors are shown on a page. */
export function ssoCallbackPage(services: Services): WebPage {
  return getOnly(async (incoming) => {
    try {
      const outcome = await finish(services, incoming)
      services.app.meter?.recordSsoStep('callback', outcomeLabels[outcome.kind])
      return redirectAfter(incoming, outcome)
    } catch (error) {
      const { requestId } = incoming
      const refusal = toRefusal(services.app.log, error, { requestId, tool: 'sign_in' })
      services.app.meter?.recordSsoStep('callback', refusal.code)
      return refusedPage(services, incoming, refusal)
    }
  })
}

async function finish(services: Services, incoming: Incoming): Promise<SsoOutcome> {
  const { app, ssoSignIns } = services
  app.limits.addresses.requireUnblocked(incoming.ip)
  app.limits.addresses.recordRequest(incoming.ip)
  const { requestId, ip, client, url } = incoming
  if (url.search.length > maxQueryLength)
    throw new Refusal('invalid_argument', 'The answer of the provider is too long.')
  const currentSession = await findSignedIn(services, incoming)
  return ssoSignIns.finish(incoming.params.id ?? '', {
    query: url.search,
    ip,
    client: incoming.header('user-agent'),
    device: cookieIn(incoming.header('cookie'), 'device', incoming.isSecure),
    session: currentSession?.session,
    currentSession,
    from: { requestId, ip, client, session: currentSession?.session.id },
  })
}

function redirectAfter(incoming: Incoming, outcome: SsoOutcome): Response {
  const cookies =
    outcome.kind === 'signed in' ? signedInHeaders(outcome.done, incoming.isSecure) : []
  return answerEmpty(incoming, 303, [
    ...cookies,
    ['location', callbackDestination(outcome)],
    ['cache-control', 'no-store'],
  ])
}

function callbackDestination(outcome: SsoOutcome): string {
  if (outcome.kind !== 'link first') return outcome.returnTo
  const query = new URLSearchParams({ link: outcome.provider.id, to: outcome.returnTo })
  return `/sign-in?${query.toString()}`
}

function refusedPage({ app }: Services, incoming: Incoming, refusal: Refusal): Response {
  const { message, more } = refusal
  return answerPage(
    incoming,
    {
      title: 'You are not signed in',
      text: more.hint === undefined ? message : `${message} ${more.hint}`,
      isGood: false,
    },
    app.baseUrl,
  )
}
