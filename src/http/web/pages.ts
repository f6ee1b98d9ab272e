// The pages below /web: the only ones that accept a person's cookie, and the only ones that accept no key.

import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { Sessions } from '../../identity/sessions.ts'
import { SignInService } from '../../identity/sign-in.ts'
import { SsoSignIns } from '../../sso/sign-in.ts'
import type { EventStreams } from '../routes/events.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { callPage } from './call.ts'
import { endpointPage } from './dispatch.ts'
import type { Services } from './endpoint.ts'
import { endpointsWith } from './endpoints.ts'
import { callStreamPage, eventsPage, personStreamPage } from './events.ts'
import { ssoCallbackPage, ssoCallbackPath } from '../sso/callback.ts'

/** The pages by path. `checkOrigin` throws for a request sent by a page of another site. */
export function webPages(
  app: App,
  checkOrigin: (incoming: Incoming) => void,
  events: EventStreams,
): [path: string, page: WebPage][] {
  const services: Services = {
    app,
    sessions: new Sessions(app),
    signIns: new SignInService(app),
    ssoSignIns: new SsoSignIns(app),
    presence: events.presence,
  }
  const all = endpointsWith(app.catalogue.modules)
  const crossSitePaths = new Set(all.filter((item) => item.fromOtherSite).map((item) => item.path))
  const pages = [...Map.groupBy(all, (item) => item.path)].map(
    ([path, pathEndpoints]): [string, WebPage] => [path, endpointPage(services, pathEndpoints)],
  )
  pages.push(['/web/call/:operation', callPage(services)])
  pages.push([ssoCallbackPath, ssoCallbackPage(services)])
  crossSitePaths.add(ssoCallbackPath)
  if (app.catalogue.feed) pages.push(['/web/events', eventsPage(services, events)])
  if (app.catalogue.callFeed) pages.push(['/web/activity/stream', callStreamPage(services, events)])
  for (const stream of app.catalogue.modules.flatMap((module) => module.streams ?? []))
    pages.push([stream.path, personStreamPage(services, events, stream)])
  return pages.map(([path, page]) => [
    path,
    (incoming) => {
      if (!(crossSitePaths.has(path) && isNavigation(incoming))) checkOwnPage(incoming, checkOrigin)
      return page(incoming)
    },
  ])
}

/**
 * Admits this workspace's own pages in a browser, and programs that send the same headers: pages of other sites can
 * neither send JSON nor forge their Origin.
 * @throws Refusal csrf
 */
function checkOwnPage(incoming: Incoming, checkOrigin: (incoming: Incoming) => void): void {
  const site = incoming.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw csrf('The request came from a page on another site.')
  try {
    checkOrigin(incoming)
  } catch {
    throw csrf('The request came from a page on another site.')
  }
  if (incoming.method !== 'POST') return
  if (incoming.header('origin') === undefined)
    throw csrf('The request has no Origin.', 'Send the address of this workspace as Origin.')
  if (!/^application\/json\s*(?:;|$)/i.test(incoming.header('content-type') ?? ''))
    throw csrf(
      'The request is not JSON.',
      'Send JSON as Content-Type: application/json, {} if there are no arguments.',
    )
}

/** Whether a browser navigates to the address, perhaps from another site: a GET, which by itself changes nothing. */
function isNavigation(incoming: Incoming): boolean {
  return (
    incoming.method === 'GET' &&
    (incoming.header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
    (incoming.header('sec-fetch-dest') ?? 'document') === 'document'
  )
}

function csrf(message: string, hint?: string): Refusal {
  return new Refusal('csrf', message, hint ? { hint } : {})
}
