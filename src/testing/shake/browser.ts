import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { delayOf, randomOf } from './random.mjs'

const slowdown = 4

/** Under `npm run test:shake`: delays browser requests, and slows the page's processor by a factor of four. */
export async function shakeBrowser(context: BrowserContext, seed: string): Promise<void> {
  const random = randomOf(`${seed} browser`)
  await context.route('**/*', async (route) => {
    await pause(delayOf(random))
    await route.fallback().catch(() => {}) // its page was closed meanwhile
  })
  context.on('page', async (page) => {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  })
}
