import { existsSync } from 'node:fs'
import axe from 'axe-core'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

/** Where distributions put it. */
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].filter(path => path !== undefined)

/** Why tests of pages in a browser are skipped; false where there is one (`.ci/run` installs it). */
export const noChromium = places.some(path => existsSync(path)) ? false : 'there is no Chromium on this machine'

/** A real browser, without a window. Whoever opens it closes it. */
export function openChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return puppeteer.launch({ executablePath: places.find(path => existsSync(path))!, args: [...args, '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage'] })
}

/**
 * What axe finds wrong with a page, as sentences: rules of WCAG 2.2 A and AA, and good practice. It needs scripts, for itself: a page that
 * was loaded without them stays as it is.
 */
export async function violations(page: Page): Promise<string[]> {
  const without = !page.isJavaScriptEnabled()
  if (without) await page.setJavaScriptEnabled(true)
  try {
    await page.evaluate(axe.source)
    return await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations: found } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      return found.map(one => `${one.id}: ${one.help} (${one.nodes.map(node => node.html).join(' | ').slice(0, 300)})`)
    })
  } finally {
    if (without) await page.setJavaScriptEnabled(false)
  }
}
