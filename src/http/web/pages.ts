// What the web app calls, below /web: a person's cookie counts here and nowhere else, and a key counts everywhere but here.

import { recordAct } from '../../audit/act.ts'
import type { App } from '../../operations/app.ts'
import { asRefusal } from '../../db/failures.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isFresh, Sessions, type Signed } from '../../identity/sessions.ts'
import { SignIns } from '../../identity/sign-in.ts'
import { answerEmpty, answerJson } from '../transport/answers.ts'
import { readJson } from '../transport/body.ts'
import type { EventStreams } from '../routes/events.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { methodNotAllowed } from '../transport/problem.ts'
import { given, type Action, type House, type ActionResult, type Visit } from './action.ts'
import { apiKeyActions } from './api-keys.ts'
import { approvalActions } from './approvals.ts'
import { callPage } from './call.ts'
import { connectingActions } from './account-connections.ts'
import { callStreamPage, eventsPage } from './events.ts'
import { holdActions } from './holds.ts'
import { invitationActions } from './invitations.ts'
import { moduleActions } from './module-actions.ts'
import { passkeyActions } from './passkeys.ts'
import { passwordActions } from './password.ts'
import { peopleActions } from './people.ts'
import { screenPages } from './screens/index.ts'
import { sessionActions } from './sessions.ts'
import { demandSigned, signedBy } from './session-actor.ts'
import { usageActions } from './usage.ts'

const actions: readonly Action[] = [
  ...sessionActions,
  ...passwordActions,
  ...passkeyActions,
  ...apiKeyActions,
  ...holdActions,
  ...approvalActions,
  ...peopleActions,
  ...invitationActions,
  ...usageActions,
  ...connectingActions,
]

/** The pages by path. `checkOrigin` throws where a page of another site sent the request. */
export function webPages(
  app: App,
  checkOrigin: (incoming: Incoming) => void,
  events: EventStreams,
): [path: string, page: WebPage][] {
  const house: House = { app, sessions: new Sessions(app), signIns: new SignIns(app) }
  const all = [...actions, ...moduleActions(app)]
  const returning = new Set(all.filter((action) => action.returns).map((action) => action.path))
  const places = [...Map.groupBy(all, (action) => action.path)].map(
    ([path, some]): [string, WebPage] => [path, pageOf(house, some)],
  )
  places.push(['/web/call/:operation', callPage(house)], ...screenPages(house))
  if (app.catalogue.feed) places.push(['/web/events', eventsPage(house, events)])
  if (app.catalogue.callFeed) places.push(['/web/activity/stream', callStreamPage(house, events)])
  return places.map(([path, page]) => [
    path,
    (incoming) => (
      isReturn(incoming, returning.has(path)) || checkOwnPage(incoming, checkOrigin), page(incoming)
    ),
  ])
}

/**
 * Nothing but our own pages in a browser gets in, or whoever knows what it does: pages of other sites can neither send JSON, nor
 * another Origin than their own.
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

/** Whether a browser was sent to such a place from another site, as a page of its own: a GET that changes nothing by itself. */
function isReturn(incoming: Incoming, mayReturn: boolean): boolean {
  return (
    mayReturn &&
    incoming.method === 'GET' &&
    (incoming.header('sec-fetch-mode') ?? 'navigate') === 'navigate' &&
    (incoming.header('sec-fetch-dest') ?? 'document') === 'document'
  )
}

function csrf(message: string, hint?: string): Refusal {
  return new Refusal('csrf', message, hint ? { hint } : {})
}

function pageOf(house: House, some: readonly Action[]): WebPage {
  const methods = some.map((action) => action.method)
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  return async (incoming) => {
    if (incoming.method === 'OPTIONS')
      return answerEmpty(incoming, 204, [['allow', allow.join(', ')]])
    const action = some.find(
      (item) => item.method === (incoming.method === 'HEAD' ? 'GET' : incoming.method),
    )
    if (!action) throw methodNotAllowed(incoming.method, allow)
    return run(house, action, incoming)
  }
}

async function run(house: House, action: Action, incoming: Incoming): Promise<Response> {
  const signed = action.isOpen ? signedBy(house, incoming) : demandSigned(house, incoming)
  if (!signed && action.tool !== 'sign_in') house.app.limits.addresses.visit(incoming.ip)
  const visit: Visit = {
    ...house,
    incoming,
    params: incoming.params,
    from: fromOf(incoming, signed),
  }
  try {
    if (action.fresh && !isFresh(signed!.session, house.app.clock.now()))
      throw new Refusal(
        'password_required',
        'Confirm your password or passkey to continue.',
        'Use POST /web/verify or POST /web/verify/passkey first; it is valid for 15 minutes.',
      )
    const outcome = await action.work(
      { ...visit, signed },
      given(action, await sentTo(action, incoming)),
    )
    if (!action.records && !outcome.isRecorded && signed) await enter(visit, action, signed)
    return shown(incoming, outcome)
  } catch (error) {
    const refusal = asRefusal(house.app.log, error, {
      requestId: incoming.requestId,
      tool: action.tool,
    })
    if (signed) await enter(visit, action, signed, refusal)
    throw refusal
  }
}

function fromOf({ requestId, ip, client }: Incoming, signed: Signed | undefined): Visit['from'] {
  return { requestId, ip, client, session: signed?.session.id }
}

async function sentTo({ method }: Action, incoming: Incoming): Promise<unknown> {
  if (method === 'POST') return (await readJson(incoming)) ?? {}
  const query = [...incoming.url.searchParams]
  const twice = query.find(([name], i) => query.findIndex(([other]) => other === name) < i)
  if (twice)
    throw new Refusal(
      'invalid_argument',
      `${twice[0].slice(0, 80)}: appears more than once in the query.`,
    )
  return Object.fromEntries(query)
}

async function enter(
  { app, from }: Visit,
  { tool, method, path }: Action,
  { actor }: Signed,
  refusal?: Refusal,
): Promise<void> {
  const route = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
  const failed = refusal && {
    refusal: { code: refusal.code, denied: refusal.status === 401 || refusal.status === 403 },
  }
  const act = {
    ...from,
    tool,
    route,
    kind: method === 'GET' ? 'read' : 'write',
    via: 'web',
    at: app.clock.now(),
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [],
    ...failed,
  } as const
  await app.store.writer
    .append(() => recordAct(app.store, act))
    .catch((error: unknown) => {
      throw asRefusal(app.log, error, { requestId: from.requestId ?? '', tool })
    })
}

function shown(
  incoming: Incoming,
  { value, status = 200, headers = [], show }: ActionResult,
): Response {
  if (show) return show(incoming)
  const all = [...headers, ['cross-origin-opener-policy', 'same-origin'] as const]
  return answerJson(incoming, status, JSON.stringify(value), all)
}
