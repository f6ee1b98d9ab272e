import { H3, type H3Event } from 'h3'
import type { App } from '../core/app.ts'
import { Refusal } from '../core/refusal.ts'
import type { McpEndpoint } from '../mcp/handler.ts'
import { stamped } from './answers.ts'
import { authenticate } from './auth.ts'
import { docsPages } from './docs.ts'
import { Door } from './door.ts'
import { Incoming, type Page } from './incoming.ts'
import { mcpPage, refuseMcp } from './mcp.ts'
import { openApiPage } from './openapi.ts'
import { noRoute, problem } from './problem.ts'
import { restPages } from './rest.ts'
import { setup } from './setup.ts'
import { getOnly, healthPage, homePage, readyPage } from './status.ts'

/** One address with what it answers. */
interface Place {
  path: string
  page: Page
  /** Who is let through to it: who means this host (the rule), also from no page of another site, or everybody. */
  guard?: 'host' | 'origin' | 'none'
  refuse?: (incoming: Incoming, refusal: Refusal) => Response | Promise<Response>
}

/** Everything that a workspace serves, for a server or for a test that calls fetch. */
export class WebApp {
  readonly #app: App
  readonly #door: Door
  #endpoint: Promise<McpEndpoint> | undefined
  readonly #routes = new H3({ silent: true, allowMalformedURL: true })
  #underWay = 0
  #isRetired = false

  /** `host`: the address that the server listens on, which decides under which names it may be called. */
  constructor(app: App, host: string) {
    this.#app = app
    this.#door = new Door(host)
    for (const place of this.#places()) this.#routes.all(place.path, event => this.#serve(place, event))
  }

  readonly fetch = (request: Request): Response | Promise<Response> => this.#routes.fetch(request as never)

  /** Requests whose answer has not been made yet. */
  get underWay(): number {
    return this.#underWay
  }

  /** From now on /readyz says no, so that a proxy sends no more. */
  retire(): void {
    this.#isRetired = true
  }

  /** Ends the streams that are open, and whatever else of MCP is still under way. */
  async endStreams(): Promise<void> {
    await (await this.#endpoint)?.close()
  }

  /** With the first message: the SDK takes time and memory that REST does not need. */
  #mcp(): Promise<McpEndpoint> {
    return (this.#endpoint ??= import('../mcp/handler.ts').then(({ McpEndpoint }) => new McpEndpoint(this.#app)))
  }

  #places(): Place[] {
    const app = this.#app
    const firstStart = setup(app)
    return [
      ...Array.from(restPages(app), ([path, page]): Place => ({ path, page, guard: 'origin' })),
      { path: '/mcp', page: mcpPage(app, () => this.#mcp()), guard: 'origin', refuse: refuseMcp },
      { path: '/api/openapi.json', page: getOnly(openApiPage(app)) },
      ...Array.from(docsPages(), ([path, page]): Place => ({ path, page: getOnly(page) })),
      { path: '/api/**', page: unknownApi(app), guard: 'origin' },
      { path: '/healthz', page: getOnly(healthPage), guard: 'none' },
      { path: '/readyz', page: getOnly(readyPage(app, () => this.#isRetired)), guard: 'none' },
      ...['/setup', '/setup.css'].map((path): Place => ({ path, page: async incoming => stamped(incoming, (await firstStart(incoming.request))!) })),
      { path: '/', page: getOnly(homePage) },
      { path: '/**', page: unknown },
    ]
  }

  async #serve({ page, guard, refuse }: Place, event: H3Event): Promise<Response> {
    const { baseUrl } = this.#app
    const incoming = new Incoming(event, baseUrl.startsWith('https:'))
    this.#underWay++
    try {
      if (guard !== 'none') this.#door.checkHost(incoming, baseUrl)
      if (guard === 'origin') this.#door.checkOrigin(incoming)
      return await page(incoming)
    } catch (error) {
      return (refuse ?? problem)(incoming, asRefusal(this.#app, error))
    } finally {
      this.#underWay--
    }
  }
}

function unknown(incoming: Incoming): never {
  throw noRoute(incoming.method)
}

/** Below /api nobody without a key learns anything, not even that there is nothing. */
function unknownApi(app: App): Page {
  return async incoming => {
    await authenticate(app, incoming, 'api')
    return unknown(incoming)
  }
}

function asRefusal(app: App, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const reference = crypto.randomUUID()
  app.log.error('a request failed unexpectedly', { reference, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return new Refusal('internal', `Something went wrong on our side; the log has it under ${reference}.`, { context: { reference } })
}
