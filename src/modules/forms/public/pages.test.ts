import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { noChromium, openChromium } from '../../../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let browser: Browser
before(async () => {
  if (noChromium) return
  ;[served, browser] = await Promise.all([serveWorkspace(), openChromium()])
  served.app.baseUrl = served.url
})
after(async () => {
  await browser?.close()
  await served?.close()
})
