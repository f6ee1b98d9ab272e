// A workspace behind a real server, with the built app, and people who use it in Chromium. `npm run test:web` builds
// the app first.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { after, afterEach, type TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Settings } from '../config/settings.ts'
import { givePasswords, password } from '../testing/browser.ts'
import { noChromium, openChromium } from '../testing/chromium.ts'
import type { Someone } from '../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'
import { Visitor } from './visitor.ts'

export { noChromium, password, Visitor }

/** The build under test: that of `npm run build`, or another one during development. */
export const webFolder = process.env.WORKSPACE_TEST_WEB
  ? pathToFileURL(`${process.env.WORKSPACE_TEST_WEB}/`)
  : new URL('../../dist/web/', import.meta.url)

const visitors: Visitor[] = []
/** Visitors that stay open for later tests in their file. */
const reusableVisitors: {
  web: ServedWorkspace
  person: Someone
  visitor: Visitor
  isInUse: boolean
}[] = []
afterEach(async (t) => {
  for (const { context } of visitors.splice(0)) await context.close() // otherwise its pages keep their event streams
  if (!('passed' in t && t.passed)) await closeReusable() // their state is unknown
  for (const entry of reusableVisitors) {
    if (entry.isInUse) await entry.visitor.leave()
    entry.isInUse = false
  }
})

async function closeReusable(workspace?: ServedWorkspace): Promise<void> {
  const closing = reusableVisitors.filter(({ web }) => workspace === undefined || web === workspace)
  for (const entry of closing) {
    reusableVisitors.splice(reusableVisitors.indexOf(entry), 1)
    await entry.visitor.context.close()
  }
}

let sharedBrowser: Promise<Browser> | undefined // its first page takes seconds, so all files of a process share it
after(async () => (await sharedBrowser)?.close())

/** A workspace opened in browsers; ann, bob, carol and eve have passwords. */
export interface Web extends ServedWorkspace {
  browser: Browser
  /** A new browser, signed in as a person, or not signed in. It is closed when the test ends. */
  visit(person?: Someone): Promise<Visitor>
  /**
   * A signed-in browser that later tests in the file reuse: loading the app takes longer than most tests. Its stored
   * data and the app's memory stay; tests that depend on those, or change the browser, use `visit`.
   */
  revisit(person: Someone): Promise<Visitor>
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
  const clockTimer = setInterval(
    () => served.clock.wait(Math.max(0, Date.now() - served.clock.at)),
    50,
  ) // cookies and browsers use the real time, so the clock follows it
  clockTimer.unref()
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
    async revisit(person) {
      let entry = reusableVisitors.find(
        (item) => item.web === served && item.person === person && !item.isInUse,
      )
      if (!entry) {
        const visitor = await Visitor.open(browser, served.app.baseUrl)
        await visitor.signIn(person.actor.email)
        entry = { web: served, person, visitor, isInUse: false }
        reusableVisitors.push(entry)
      }
      entry.isInUse = true
      await entry.visitor.reset()
      return entry.visitor
    },
    async close() {
      clearInterval(clockTimer)
      await closeReusable(served)
      await served.close()
    },
  }
  t?.after(() => web.close())
  return web
}
