// A person using the app in Chromium.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { password } from '../testing/browser.ts'
import { violations } from '../testing/chromium.ts'
import { waitLimitMs } from '../testing/limits.ts'
import { shakeBrowser } from '../testing/shake/browser.ts'

const screenshotFolder = fileURLToPath(new URL('../../test-results/web/', import.meta.url))
/** Screenshots take a third of a check's time, so they are optional. */
const takesPictures = process.env.WORKSPACE_TEST_PICTURES !== 'no'

/** Viewport sizes: the smallest phone, and a desktop. */
const sizes = { narrow: { width: 360, height: 740 }, wide: { width: 1440, height: 900 } }
const themes = ['light', 'dark'] as const

/** Selector of the buttons that close messages of the app. */
const closeButtonSelector = '[role=region][aria-label=Messages] [aria-label=Close]'

/** A person with their own browser. All errors in it are collected in `problems`. */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly problems: string[] = []
  readonly #baseUrl: string

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.context = context
    this.page = page
    this.#baseUrl = baseUrl
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`))
    page.on('console', (message) => {
      // the browser reports each refused request there; refusals by the server may be intended
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        this.problems.push(`console: ${message.text()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 500) this.problems.push(`${response.status()} ${response.url()}`)
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl) && !/^(data|blob):/.test(request.url()))
        this.problems.push(`external request: ${request.url()}`)
    })
  }

  static async open(browser: Browser, baseUrl: string): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: sizes.wide,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(waitLimitMs)
    if (process.env.SHAKE_SEED !== undefined) await shakeBrowser(context, process.env.SHAKE_SEED)
    return new Visitor(context, await context.newPage(), baseUrl)
  }

  /** Opens an address of the app, and waits until it has settled. */
  async go(path: string): Promise<void> {
    await this.page.goto(this.#baseUrl + path)
    await this.waitUntilSettled()
  }

  /**
   * Navigates like a link in the app, without reloading it: via an unknown address, so that the previous page is
   * closed. Adds one history entry, like `go`.
   */
  async navigate(path: string): Promise<void> {
    if (!this.#hasApp) return this.go(path)
    await this.leave()
    await this.#changeAddress('replaceState', path)
    await this.waitUntilSettled()
  }

  /** Goes to an unknown address, whose page follows no events. */
  async leave(): Promise<void> {
    if (this.#hasApp && this.page.url() !== `${this.#baseUrl}/nowhere`)
      await this.#changeAddress('pushState', '/nowhere')
  }

  get #hasApp(): boolean {
    return this.page.url().startsWith(this.#baseUrl)
  }

  /** Changes the address, and waits for the new page's heading. */
  async #changeAddress(how: 'pushState' | 'replaceState', path: string): Promise<void> {
    await this.page.evaluate(
      ([method, to]) => {
        document.querySelector('h1')?.setAttribute('data-left', '')
        history[method](null, '', to)
      },
      [how, path] as const,
    )
    await this.page.waitForFunction(
      () => document.querySelector('h1') && !document.querySelector('h1[data-left]'),
    )
  }

  /** Checks that the server serves the app at an address, which `move` alone does not test. */
  async assertServed(path: string): Promise<void> {
    const headers = {
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const response = await this.context.request.get(this.#baseUrl + path, { headers })
    assert.equal(response.status(), 200, path)
    assert.match(await response.text(), /<div id="root"><\/div>/, path)
  }

  /** Starts another test with the size and colors of a new visitor, without messages and problems. */
  async reset(): Promise<void> {
    this.problems.length = 0
    await this.page.evaluate((close) => {
      for (const button of document.querySelectorAll<HTMLElement>(close)) button.click()
    }, closeButtonSelector)
    await this.page.waitForFunction((close) => !document.querySelector(close), closeButtonSelector)
    await this.page.mouse.move(0, 0)
    await this.#resetDisplay()
  }

  /** Waits until nothing is loading any more. */
  async waitUntilSettled(): Promise<void> {
    await this.page.locator('h1').first().waitFor()
    await this.page.waitForFunction(
      () =>
        document.querySelector('[role=status][aria-label="Loading…"], .mantine-Loader-root') ===
        null,
    )
  }

  async signIn(email: string): Promise<void> {
    const response = await this.context.request.post(`${this.#baseUrl}/web/sign-in`, {
      data: { email, password },
      headers: { origin: this.#baseUrl, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(response.status(), 200, await response.text())
  }

  /**
   * Checks the current page in both themes and at both sizes: no axe violations (in the dark theme, only colors), no
   * horizontal overflow. Keeps screenshots under `name`, unless WORKSPACE_TEST_PICTURES is `no`.
   */
  async checkPage(name: string): Promise<void> {
    mkdirSync(screenshotFolder, { recursive: true })
    for (const [size, viewport] of Object.entries(sizes)) {
      await this.page.setViewportSize(viewport)
      for (const colorScheme of themes) {
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await this.#waitForTransitions()
        const faults = await violations(this.page, colorScheme === 'dark' ? 'colours' : undefined)
        assert.deepEqual(faults, [], `${name}, ${size}, ${colorScheme}`)
        if (takesPictures)
          await this.page.screenshot({
            path: `${screenshotFolder}${name}-${size}-${colorScheme}.png`,
          })
      }
      const overflowPx = await this.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(overflowPx <= 0, `${name}: at ${viewport.width} px it is ${overflowPx} px too wide`)
    }
    await this.#resetDisplay()
  }

  async #resetDisplay(): Promise<void> {
    await this.page.setViewportSize(sizes.wide)
    await this.page.emulateMedia({
      colorScheme: 'light',
      reducedMotion: 'reduce',
      forcedColors: null,
    })
  }

  /** Waits until the theme's color transitions have ended. */
  async #waitForTransitions(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await Promise.allSettled(
        document
          .getAnimations()
          .flatMap((animation) => (animation instanceof CSSTransition ? [animation.finished] : [])),
      )
    })
  }

  /** Checks that there were no errors, no external requests, and no policy violations in this browser. */
  assertNoProblems(): void {
    assert.deepEqual(this.problems, [])
  }
}
