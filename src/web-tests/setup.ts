// A workspace behind a real server, with the built app, and people who look at it with Chromium. `npm run test:web` builds the app first.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { after, afterEach, type TestContext } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Settings } from '../config/settings.ts'
import { givePasswords, password } from '../testing/browser.ts'
import { noChromium, openChromium, violations } from '../testing/chromium.ts'
import type { Someone } from '../testing/harness.ts'
import { waitLimitMs } from '../testing/limits.ts'
import { shakeBrowser } from '../testing/shake/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'

export { noChromium, password }

/** The build that is looked at: that of `npm run build`, or another one while something is worked on. */
export const webFolder = process.env.WORKSPACE_TEST_WEB
  ? pathToFileURL(`${process.env.WORKSPACE_TEST_WEB}/`)
  : new URL('../../dist/web/', import.meta.url)
const shots = fileURLToPath(new URL('../../test-results/web/', import.meta.url))
/** Pictures take a third of the time of a look; where no one sees them, none are taken. */
const takesPictures = process.env.WORKSPACE_TEST_PICTURES !== 'no'

/** Where people are to look at pages: the smallest telephone, and a desk. */
const sizes = { narrow: { width: 360, height: 740 }, wide: { width: 1440, height: 900 } }
const themes = ['light', 'dark'] as const

const visitors: Visitor[] = []
afterEach(async () => {
  for (const { context } of visitors.splice(0)) await context.close() // else its pages go on following what happens
})

let sharedBrowser: Promise<Browser> | undefined // its first page takes seconds: one for all files of a process
after(async () => (await sharedBrowser)?.close())

/** A workspace that people open in a browser; ann, bob, carol and eve have passwords. */
export interface Web extends ServedWorkspace {
  browser: Browser
  /** A browser of its own for someone, signed in; for no one: not signed in. It is closed when the test ends. */
  visit(person?: Someone): Promise<Visitor>
}

export async function openWeb(
  t: Pick<TestContext, 'after'> | undefined,
  settings: Partial<Settings> = {},
): Promise<Web> {
  assert.ok(
    existsSync(new URL('index.html', webFolder)),
    'the web app is not built: npm run test:web builds it',
  )
  const served = await serveWorkspace({
    settings: { limits: true, ...settings },
    listen: { webFolder },
  })
  served.clock.at = Date.now()
  const ticking = setInterval(
    () => served.clock.wait(Math.max(0, Date.now() - served.clock.at)),
    50,
  ) // cookies and browsers go by the time of the world
  ticking.unref()
  served.app.baseUrl = served.url.replace('127.0.0.1', 'localhost')
  await givePasswords(served, served.ann, served.bob, served.carol, served.eve)
  sharedBrowser ??= openChromium()
  const browser = await sharedBrowser
  const web: Web = {
    ...served,
    url: served.app.baseUrl,
    browser,
    async visit(person) {
      const visitor = await Visitor.open(browser, served.app.baseUrl)
      visitors.push(visitor)
      if (person) await visitor.signIn(person.actor.email)
      return visitor
    },
    async close() {
      clearInterval(ticking)
      await served.close()
    },
  }
  t?.after(() => web.close())
  return web
}

/** Someone with a browser of their own. Everything that goes wrong in it is kept in `problems`. */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly problems: string[] = []
  readonly #base: string

  private constructor(context: BrowserContext, page: Page, base: string) {
    this.context = context
    this.page = page
    this.#base = base
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`))
    page.on('console', (message) => {
      // the browser says each refused request there; those are of the server and may be meant
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        this.problems.push(`console: ${message.text()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 500) this.problems.push(`${response.status()} ${response.url()}`)
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url()))
        this.problems.push(`asked elsewhere: ${request.url()}`)
    })
  }

  static async open(browser: Browser, base: string): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: sizes.wide,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(waitLimitMs)
    if (process.env.SHAKE_SEED !== undefined) await shakeBrowser(context, process.env.SHAKE_SEED)
    return new Visitor(context, await context.newPage(), base)
  }

  /** Goes to an address of the app, and waits until it has settled. */
  async go(path: string): Promise<void> {
    await this.page.goto(this.#base + path)
    await this.settled()
  }

  /** Until nothing is loading any more. */
  async settled(): Promise<void> {
    await this.page.locator('h1').first().waitFor()
    await this.page.waitForFunction(
      () =>
        document.querySelector('[role=status][aria-label="Loading…"], .mantine-Loader-root') ===
        null,
    )
  }

  async signIn(email: string): Promise<void> {
    const answer = await this.context.request.post(`${this.#base}/web/sign-in`, {
      data: { email, password },
      headers: { origin: this.#base, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(answer.status(), 200, await answer.text())
  }

  /**
   * Looks at the page as it stands, in both themes and at both sizes: axe finds nothing (in the dark, of the colours), nothing sticks out sideways.
   * Keeps pictures of it under `name`, unless WORKSPACE_TEST_PICTURES is `no`.
   */
  async look(name: string): Promise<void> {
    mkdirSync(shots, { recursive: true })
    for (const [size, viewport] of Object.entries(sizes)) {
      await this.page.setViewportSize(viewport)
      for (const colorScheme of themes) {
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await this.#stilled()
        const found = await violations(this.page, colorScheme === 'dark' ? 'colours' : undefined)
        assert.deepEqual(found, [], `${name}, ${size}, ${colorScheme}`)
        if (takesPictures)
          await this.page.screenshot({ path: `${shots}${name}-${size}-${colorScheme}.png` })
      }
      const sideways = await this.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(sideways <= 0, `${name}: at ${viewport.width} px it is ${sideways} px too wide`)
    }
    await this.page.setViewportSize(sizes.wide)
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }

  /** Until no colour is on its way from one theme to the other. */
  async #stilled(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
      await Promise.allSettled(
        document
          .getAnimations()
          .flatMap((animation) => (animation instanceof CSSTransition ? [animation.finished] : [])),
      )
    })
  }

  /** Nothing went wrong in this browser: no error, no request elsewhere, nothing that the page's policy forbids. */
  well(): void {
    assert.deepEqual(this.problems, [])
  }
}
