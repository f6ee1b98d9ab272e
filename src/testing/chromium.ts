import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOnly } from 'axe-core'
import { chromium, type Browser, type CDPSession, type Frame, type Page } from 'playwright-core'

/**
 * Installation paths of distributions: first the build without a window, which takes about a fifth less processor
 * time.
 */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].filter((path) => path !== undefined)

/** Why browser tests are skipped; false if Chromium is installed (`.ci/run` installs it). */
export const noChromium = places.some((path) => existsSync(path))
  ? false
  : 'there is no Chromium on this machine'

const flags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-dev-shm-usage',
]

/** A real headless browser. The caller closes it. */
export function openChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? [...flags, '--no-sandbox'] : flags
  return chromium.launch({ executablePath: places.find((path) => existsSync(path))!, args })
}

/** By page: only the session that disabled scripts can enable them again. */
const scriptless = new WeakMap<Page | Frame, CDPSession>()

/** Disables scripts in a page from now on, as in browsers without them. */
export async function withoutScripts(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  scriptless.set(page, session)
  await setScripts(session, false)
}

/** A third of the size of the package's export, which each document must parse. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Rule sets that axe checks: WCAG 2.2 A and AA, and best practices. */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that depend on colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Returns axe violations of a page or frame as sentences; with `colours`, only those that depend on them, for the
 * second theme of a page that was
 * already checked. It needs scripts of its own, so a page loaded without scripts is left as it is.
 */
export async function violations(page: Page | Frame, subset?: 'colours'): Promise<string[]> {
  const session = scriptless.get(page)
  if (session) await setScripts(session, true)
  try {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
    return await page.evaluate(async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run({
        resultTypes: ['violations'], // of what passes, no selectors: they take most of the time
        runOnly,
      })
      return violations.map(
        (result) =>
          `${result.id}: ${result.help} (${result.nodes
            .map((node) => node.html)
            .join(' | ')
            .slice(0, 300)})`,
      )
    }, axeRules(subset))
  } finally {
    if (session) await setScripts(session, false)
  }
}

function axeRules(scope?: 'colours'): RunOnly {
  return scope ? { type: 'rule', values: colourRules } : { type: 'tag', values: allRules }
}

async function setScripts(session: CDPSession, on: boolean): Promise<void> {
  await session.send('Emulation.setScriptExecutionDisabled', { value: !on })
}
