// Presses each key that the help lists for a page, and reports those without an effect.

import assert from 'node:assert/strict'
import { errors, type Page } from 'playwright-core'
import type { Visitor, Web } from './setup.ts'

interface Listed {
  group: string
  label: string
  /** Alternatives, each a sequence of keys in the browser driver's notation. */
  ways: string[][]
}

const asPressed: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '⇧': 'Shift',
}

/** Reads the shortcuts that the help lists on the current screen. */
async function listed(page: Page): Promise<Listed[]> {
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Show keyboard shortcuts').waitFor()
  const lines = await help.locator('dl > div').evaluateAll((rows) =>
    rows.map((row) => ({
      group: row.closest('section')?.querySelector('h3')?.textContent ?? '',
      label: row.querySelector('dt')?.textContent ?? '',
      caps: [...row.querySelectorAll('dd > span')].map((way) =>
        [...way.querySelectorAll('kbd')].map((cap) => cap.textContent),
      ),
    })),
  )
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  return lines.map(({ caps, ...line }) => ({ ...line, ways: caps.map((way) => way.map(pressed)) }))
}

function pressed(caps: string): string {
  const modifiers = caps.split(' ').map((cap) => asPressed[cap] ?? cap)
  const key = modifiers.pop() ?? ''
  return [...modifiers, /^[A-Z]$/.test(key) ? key.toLowerCase() : key].join('+')
}

/** Counts observable changes of a page: content, focus, selection, scrolling, and requests. */
function watch(): void {
  const seen = { changes: 0, requests: 0 }
  const noticed = () => seen.changes++
  new MutationObserver(noticed).observe(document, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  })
  for (const type of ['scroll', 'focusin', 'focusout', 'selectionchange', 'input', 'copy'])
    document.addEventListener(type, noticed, true)
  const { fetch } = window
  window.fetch = (...args) => {
    noticed()
    seen.requests++
    return fetch(...args).finally(() => seen.requests--)
  }
  Object.assign(globalThis, { seen })
}

/** `requests` are those in progress. */
type Seen = { seen: { changes: number; requests: number } }

const seen = (page: Page) => page.evaluate(() => (globalThis as unknown as Seen).seen.changes)

/** Waits until no request is in progress, and three consecutive screenshots are equal. */
const stilled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { seen } = globalThis as unknown as Seen
    let last = -1
    for (
      let same = 0;
      same < 2;
      same = last === seen.changes && seen.requests === 0 ? same + 1 : 0
    ) {
      last = seen.changes
      await new Promise((next) => requestAnimationFrame(next))
    }
  })

/** True if pressing keys has an effect. */
async function doSomething(page: Page, keys: readonly string[]): Promise<boolean> {
  const before = { changes: await seen(page), url: page.url() }
  for (const key of keys) await page.keyboard.press(key)
  try {
    await page.waitForFunction(
      ({ changes, url }) =>
        location.href !== url || (globalThis as unknown as Seen).seen.changes > changes,
      before,
    )
    return true
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false
    throw error
  }
}

/** A sequence of keys, or another action. */
type Steps = readonly string[] | ((page: Page) => Promise<unknown>)

async function take(page: Page, steps: Steps): Promise<void> {
  if (typeof steps === 'function') await steps(page)
  else for (const key of steps) await page.keyboard.press(key)
}

/** A page with content. */
export interface KeyLocation {
  /** Its address, which may be of an item created for each key. */
  path: () => string | Promise<string>
  /** Text that appears once the screen is ready. */
  ready: string
  /** Steps that lead to where its keys have an effect: keys, or a function. */
  to: Steps
  /** Steps required before a key has an effect, by its description in the help: keys, or a function. */
  first?: Readonly<Record<string, Steps>>
}

/** Sections with shortcuts that are the same everywhere, and are pressed on one screen only. */
const general = ['General', 'Go to']

/** Opens it, and returns the current position. */
async function goTo(visitor: Visitor, { path, ready, to }: KeyLocation): Promise<string> {
  const { page } = visitor
  await visitor.move(await path())
  await page.getByText(ready).first().waitFor()
  await stilled(page)
  await take(page, to)
  await stilled(page)
  return standing(page)
}

/** Snapshot that reveals whether a key had an effect: the address, the text on the screen, and the focus. */
const standing = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    return [location.href, document.body.innerText, at?.tagName, at?.textContent].join('\n')
  })

/**
 * Presses each key that the help lists for a page, on a freshly opened page; returns keys that are listed twice or
 * have no effect.
 */
export async function deadKeys(
  web: Web,
  place: KeyLocation,
  withGeneral = false,
): Promise<string[]> {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(watch)
  page.on('filechooser', () => {}) // else the browser opens its own dialog
  let start = await goTo(visitor, place)
  const lines = await listed(page)
  const all = lines.flatMap(({ ways }) => ways.map((keys) => keys.join(' ')))
  const wrong = all.filter((keys, n) => all.indexOf(keys) !== n).map((keys) => `${keys} twice`)
  const tried = lines.filter(({ group }) => withGeneral || !general.includes(group))
  assert.ok(tried.length > 0, 'the place has no keys of its own')
  for (const { label, ways } of tried)
    for (const keys of ways) {
      if ((await standing(page)) !== start) start = await goTo(visitor, place)
      await take(page, place.first?.[label] ?? [])
      await stilled(page)
      if (!(await doSomething(page, keys))) wrong.push(`${label} (${keys.join(' ')}) does nothing`)
      await page.keyboard.press('Escape')
      await stilled(page)
    }
  visitor.well()
  return wrong
}
