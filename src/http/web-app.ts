import { H3, type H3Event } from 'h3'
import type { App } from '../operations/app.ts'
import { parseNetworks } from '../kernel/networks.ts'
import type { Refusal } from '../kernel/refusal.ts'
import { builtWeb, filesOnDisk } from '../db/assets.ts'
import { toRefusal } from '../db/failures.ts'
import type { TestExtensions, McpEndpoint } from '../mcp/handler.ts'
import { answerEmpty, withCommonHeaders } from './transport/answers.ts'
import { authenticate, logUnknownRequest } from './routes/auth.ts'
import { bearerOf, tlsRequired, isForPrograms } from './transport/cleartext.ts'
import { connectPage } from './routes/connect.ts'
import { docsPages } from './openapi/docs.ts'
import { AllowedOrigins, isPreflight, preflightHeaders } from './transport/cross-origin.ts'
import { HostAndOriginCheck } from './transport/door.ts'
import { EventStreams } from './routes/events.ts'
import { getOnly } from './transport/methods.ts'
import { Incoming, type ListenerSettings, type WebPage } from './transport/request-info.ts'
import { mcpPage, mcpPaths, messagesPage, refuseMcp, ssePage, toolsHashPage } from './routes/mcp.ts'
import { metricsPage } from './routes/metrics.ts'
import { observerOf, type Observe } from './routes/request-log.ts'
import { openPages } from './routes/public-pages.ts'
import { oauthPages } from './oauth/index.ts'
import { backchannelPage, backchannelPath } from './sso/backchannel.ts'
import { scimProblem } from './scim/answers.ts'
import { meterScimPage, scimPage, scimPaths } from './scim/index.ts'
import { openApiPage } from './openapi/openapi.ts'
import { noRoute, problemAnswer } from './transport/problem.ts'
import { Proxies } from './transport/proxy.ts'
import { restPages } from './routes/rest.ts'
import { keyChangesPage } from './routes/key-changes.ts'
import { firstSignIn } from './web/first.ts'
import { webPages } from './web/pages.ts'
import { setup } from './routes/setup.ts'
import { signedLinksPage } from './routes/signed-links.ts'
import { iconPages } from './routes/icons.ts'
import { healthPage, readyPage } from './routes/status.ts'
import { WebFiles } from './web-files.ts'
import { frontPage, otherPages, sharedPage } from './web-pages.ts'

/** An address and its page. */
interface Mount {
  path: string
  page: WebPage
  /**
   * Checks of Host and Origin: `host` (default) requires our host, `origin` also refuses pages of other sites, `key`
   * admits those that may call with a key, `none` checks nothing.
   */
  guard?: 'host' | 'origin' | 'key' | 'none'
  /** Needs no key: requests are counted by address. */
  isPublic?: true
  refuse?: (incoming: Incoming, refusal: Refusal) => Response | Promise<Response>
}

/** Address that a server listens on, and whether its connections are encrypted. */
interface ListenAddress {
  host: string
  isEncrypted?: boolean
  /** Folder of the web app's build, with a trailing slash; for tests only. */
  webFolder?: URL | undefined
}

/** Everything a workspace serves, for a server or for tests that call fetch. */
export class WebApp {
  readonly #app: App
  readonly #mcpExtras: TestExtensions | undefined
  readonly #door: HostAndOriginCheck
  readonly #proxies: Proxies
  readonly #isEncrypted: boolean
  readonly #observe: Observe | undefined
  readonly #events: EventStreams
  readonly #files: WebFiles
  #front: ListenerSettings | undefined
  #endpoint: Promise<McpEndpoint> | undefined
  readonly #routes = new H3({ silent: true, allowMalformedURL: true })
  #pendingRequests = 0
  #isUnready = false

  /** `bound`: determines the names under which it may be called. `mcpExtras`: for tests only. */
  constructor(
    app: App,
    { host, isEncrypted = false, webFolder }: ListenAddress,
    mcpExtras?: TestExtensions,
  ) {
    const { trusted_proxies, also_at } = app.settings
    this.#app = app
    this.#mcpExtras = mcpExtras
    this.#proxies = new Proxies(parseNetworks(trusted_proxies) ?? [])
    this.#isEncrypted = isEncrypted
    this.#observe = observerOf(app)
    this.#events = new EventStreams(app)
    this.#files = new WebFiles(webFolder ? filesOnDisk(webFolder) : builtWeb)
    this.#door = new HostAndOriginCheck(
      host,
      new AllowedOrigins(app.settings.api_origins),
      also_at.split(',').filter((url) => url !== ''),
    )
    for (const mount of this.#mounts())
      this.#routes.all(mount.path, (event) => this.#serve(mount, event))
  }

  readonly fetch = (request: Request): Response | Promise<Response> => this.#routes.fetch(request)

  /** Number of requests without a finished answer. */
  get pendingRequests(): number {
    return this.#pendingRequests
  }

  /** Whether the web app was built. */
  get hasPages(): boolean {
    return this.#files.isBuilt
  }

  /** Makes /readyz report unavailable, so that a proxy sends no more requests. */
  markUnready(): void {
    this.#isUnready = true
  }

  /** Ends open streams and all remaining MCP work. */
  async endStreams(): Promise<void> {
    this.#events.endAll()
    await (await this.#endpoint)?.close()
  }

  /** Loaded with the first message: the SDK needs time and memory that REST does not. */
  #mcp(): Promise<McpEndpoint> {
    return (this.#endpoint ??= import('../mcp/handler.ts').then(
      ({ McpEndpoint }) => new McpEndpoint(this.#app, { extras: this.#mcpExtras }),
    ))
  }

  #eventMounts(restPage: WebPage | undefined): Mount[] {
    if (!this.#app.catalogue.feed) return []
    return [{ path: '/api/events', page: this.#events.page(restPage), guard: 'key' }]
  }

  /** Endpoints for connecting programs and for identity providers. */
  #signInMounts(): Mount[] {
    const page = meterScimPage(this.#app, scimPage(this.#app))
    return [
      ...oauthPages(this.#app).map(([path, page]): Mount => ({ path, page })),
      ...iconPages().map(([path, page]): Mount => ({ path, page, isPublic: true })),
      { path: backchannelPath, page: backchannelPage(this.#app) },
      ...scimPaths.map((path): Mount => ({ path, page, guard: 'origin', refuse: scimProblem })),
    ]
  }

  #mounts(): Mount[] {
    const app = this.#app
    const firstStart = setup(app, () => this.hasPages)
    const rest = restPages(app)
    return [
      ...['/api/api-keys', '/api/api-keys/:id'].map(
        (path): Mount => ({ path, page: keyChangesPage(app, rest.get(path)), guard: 'key' }),
      ),
      ...this.#eventMounts(rest.get('/api/events')),
      ...webPages(app, (incoming) => this.#door.checkOrigin(incoming), this.#events).map(
        ([path, page]): Mount => ({ path, page }),
      ),
      ...Array.from(
        rest,
        ([path, page]): Mount => ({ path, page: sharedPage(this.#files, page), guard: 'key' }),
      ),
      ...mcpPaths.map(
        (path): Mount => ({
          path,
          page: mcpPage(app, () => this.#mcp()),
          guard: 'key',
          refuse: refuseMcp(app),
        }),
      ),
      {
        path: '/sse',
        page: ssePage(app, () => this.#mcp()),
        guard: 'key',
        refuse: refuseMcp(app),
      },
      {
        path: '/messages',
        page: messagesPage(app, () => this.#mcp()),
        guard: 'key',
        refuse: refuseMcp(app),
      },
      {
        path: '/api/tools.sha256',
        page: getOnly(toolsHashPage(app, () => this.#mcp())),
        guard: 'key',
      },
      { path: '/api/openapi.json', page: getOnly(openApiPage(app)), isPublic: true },
      { path: '/api/connect', page: connectPage(app), guard: 'key' },
      ...Array.from(
        docsPages(),
        ([path, page]): Mount => ({ path, page: getOnly(page), isPublic: true }),
      ),
      ...this.#signInMounts(),
      { path: '/exports/:token', page: signedLinksPage(app), isPublic: true },
      ...openPages(app).map(([path, page]): Mount => ({ path, page, isPublic: true })),
      { path: '/api/**', page: unknownApi(app), guard: 'key' },
      { path: '/healthz', page: getOnly(healthPage), guard: 'none' },
      { path: '/readyz', page: getOnly(readyPage(app, () => this.#isUnready)), guard: 'none' },
      { path: '/metrics', page: getOnly(metricsPage(app, this.#proxies)), guard: 'none' },
      ...['/setup', '/setup.css'].map(
        (path): Mount => ({
          path,
          page: async (incoming) =>
            withCommonHeaders(
              incoming,
              (await firstStart(incoming.request, (person) => firstSignIn(app, incoming, person)))!,
            ),
          isPublic: true,
        }),
      ),
      { path: '/', page: frontPage(app, this.#files) },
      { path: '/**', page: otherPages(app, this.#files) },
    ]
  }

  async #serve(mount: Mount, event: H3Event): Promise<Response> {
    const incoming = new Incoming(event, this.#currentFront())
    const start = performance.now()
    this.#pendingRequests++
    try {
      const response = await this.#answer(mount, incoming)
      this.#observe?.(incoming, mount.path, response.status, performance.now() - start)
      return response
    } finally {
      this.#pendingRequests--
    }
  }

  async #answer(
    { path, page, guard, isPublic, refuse }: Mount,
    incoming: Incoming,
  ): Promise<Response> {
    const { baseUrl, limits } = this.#app
    try {
      if (guard !== 'none') {
        if (!incoming.isSecure && this.#proxies.areConfigured)
          return this.#redirectToHttps(incoming)
        this.#door.checkHost(incoming, baseUrl)
      }
      if (guard === 'origin') this.#door.checkOrigin(incoming)
      if (guard === 'key') {
        this.#door.checkCaller(incoming)
        if (incoming.isCrossOrigin && isPreflight(incoming))
          return answerEmpty(incoming, 204, preflightHeaders(incoming))
      }
      limits.exposure.scanUrl(incoming.url.href)
      if (isPublic) limits.addresses.recordRequest(incoming.ip)
      return await page(incoming)
    } catch (error) {
      const request = { requestId: incoming.requestId, tool: path }
      return (refuse ?? problemAnswer)(incoming, toRefusal(this.#app.log, error, request))
    }
  }

  /**
   * Handles unencrypted requests although a TLS proxy was expected: browsers that request a page are redirected.
   * @throws Refusal tls_required
   */
  #redirectToHttps(incoming: Incoming): Response {
    const { baseUrl, limits } = this.#app
    const { pathname, search } = incoming.url
    const authorization = incoming.header('authorization')
    if (authorization !== undefined)
      limits.exposure.reportText(bearerOf(authorization), 'clear_http')
    const isPage =
      /^(GET|HEAD)$/.test(incoming.method) &&
      !isForPrograms(pathname) &&
      baseUrl.startsWith('https:')
    if (!isPage || !incoming.sender.isProxied) throw tlsRequired(baseUrl)
    return answerEmpty(incoming, 308, [['location', baseUrl + pathname + search]])
  }

  /** The base URL may be known only once the server listens. */
  #currentFront(): ListenerSettings {
    const isPublicHttps = this.#app.baseUrl.startsWith('https:')
    if (this.#front?.isPublicHttps !== isPublicHttps)
      this.#front = { proxies: this.#proxies, isEncrypted: this.#isEncrypted, isPublicHttps }
    return this.#front
  }
}

/** Without a key, nothing below /api is revealed, not even which addresses exist. */
function unknownApi(app: App): WebPage {
  return async (incoming) => {
    throw await logUnknownRequest(
      app,
      incoming,
      await authenticate(app, incoming, 'api'),
      noRoute(incoming.method),
    )
  }
}
