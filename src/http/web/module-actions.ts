// What modules let a person do in the web app beside the operations (operations/person-actions.ts).

import { createHash } from 'node:crypto'
import type { App } from '../../operations/app.ts'
import { escaped, htmlDocument } from '../../kernel/text/html.ts'
import type { PersonAction, PersonPage } from '../../operations/person-actions.ts'
import { visitOf } from '../../operations/person-visits.ts'
import type { Signed } from '../../identity/sessions.ts'
import { answer } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'
import { action, openAction, type Action, type ActionResult, type Visit } from './action.ts'

/** Those of all modules, as actions. */
export function moduleActions(app: App): Action[] {
  return app.catalogue.modules
    .flatMap((module) => module.personActions ?? [])
    .map((personAction) => (personAction.returns ? returning(personAction) : plain(personAction)))
}

function plain(of: PersonAction): Action {
  return action({ ...of, work: (visit, given) => done(of, visit, given) })
}

/** Whoever comes back without being signed in gets a page, too. */
function returning(of: PersonAction): Action {
  const work = async (
    visit: Visit & { signed: Signed | undefined },
    given: Record<string, unknown>,
  ): Promise<ActionResult> => {
    const { signed, app } = visit
    const outcome = signed ? await done(of, { ...visit, signed }, given) : { value: notSignedIn }
    return {
      ...outcome,
      show: (incoming) => shownPage(incoming, outcome.value as PersonPage, app.baseUrl),
    }
  }
  return openAction({ ...of, work })
}

async function done(
  { tool, method, path, work }: PersonAction,
  { app, signed, incoming, params }: Visit & { signed: Signed },
  given: Record<string, unknown>,
): Promise<ActionResult> {
  const { requestId, ip, client, request, trace } = incoming
  const route = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  const visit = visitOf(
    app,
    signed.actor,
    {
      tool,
      args: {},
      transport: 'web',
      requestId,
      route,
      ip,
      client,
      trace,
      signal: request.signal,
    },
    params,
  )
  const value = await work(given, visit)
  return { value, isRecorded: visit.hasChanged() }
}

const notSignedIn: PersonPage = {
  title: 'You are not signed in',
  text: 'Sign in to the workspace in this browser and start again there. If a command asked for this page, give it the page address.',
  isGood: false,
}

const styles =
  'body{font:1.05rem/1.5 system-ui,sans-serif;margin:3rem auto;max-width:34rem;padding:0 1rem;color:#1a1a1a;background:#fff}@media (prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#9cf}}'

function shownPage(
  incoming: Incoming,
  { title, text, isGood }: PersonPage,
  baseUrl: string,
): Response {
  const html = htmlDocument({
    title,
    styles,
    body: [
      `<h1>${escaped(title)}</h1>`,
      `<p>${escaped(text)}</p>`,
      `<p><a href="${escaped(baseUrl)}/">Go to the workspace</a></p>`,
    ],
  })
  const hash = createHash('sha256').update(styles).digest('base64')
  return answer(incoming, isGood ? 200 : 400, html, [
    ['content-type', 'text/html; charset=utf-8'],
    [
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ],
    ['cache-control', 'no-store'],
    ['cross-origin-opener-policy', 'same-origin'],
  ])
}
