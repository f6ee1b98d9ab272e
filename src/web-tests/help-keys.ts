// Presses each key that the help lists for a page, and reports those without an effect.

import assert from 'node:assert/strict'
import { errors, type Page } from 'playwright-core'
import type { Visitor, Web } from './setup.ts'

interface Shortcut {
  group: string
  label: string
  /** Alternatives, each a sequence of keys in the browser driver's notation. */
  sequences: string[][]
}

const driverKeys: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '⇧': 'Shift',
}

/** Reads the shortcuts that the help lists on the current screen. */
async function readShortcuts(page: Page): Promise<Shortcut[]> {
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Show keyboard shortcuts').waitFor()
  const lines = await help.locator('dl > div').evaluateAll((rows) =>
    rows.map((row) => ({
      group: row.closest('section')?.querySelector('h3')?.textContent ?? '',
      label: row.querySelector('dt')?.textContent ?? '',
      caps: [...row.querySelectorAll('dd > span')].map((sequence) =>
        [...sequence.querySelectorAll('kbd')].map((cap) => cap.textContent),
      ),
    })),
  )
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  return lines.map(({ caps, ...line }) => ({
    ...line,
    sequences: caps.map((sequence) => sequence.map(toDriverKeys)),
  }))
}

function toDriverKeys(caps: string): string {
  const modifiers = caps.split(' ').map((cap) => driverKeys[cap] ?? cap)
  const key = modifiers.pop() ?? ''
  return [...modifiers, /^[A-Z]$/.test(key) ? key.toLowerCase() : key].join('+')
}

/** Counts observable changes of a page: content, focus, selection, scrolling, and requests. */
function watchChanges(): void {
  const seen = { changes: 0, requests: 0 }
  const noteChange = () => seen.changes++
  new MutationObserver(noteChange).observe(document, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  })
  for (const type of ['scroll', 'focusin', 'focusout', 'selectionchange', 'input', 'copy'])
    document.addEventListener(type, noteChange, true)
  const { fetch } = window
  window.fetch = (...args) => {
    noteChange()
    seen.requests++
    return fetch(...args).finally(() => seen.requests--)
  }
  Object.assign(globalThis, { seen })
}

/** `requests` are those in progress. */
type WatchedPage = { seen: { changes: number; requests: number } }

const changeCount = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as WatchedPage).seen.changes)

/** Waits until no request is in progress, and nothing has changed for two frames. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { seen } = globalThis as unknown as WatchedPage
    let last = -1
    for (
      let same = 0;
      same < 2;
      same = last === seen.changes && seen.requests === 0 ? same + 1 : 0
    ) {
      last = seen.changes
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })

/** True if pressing keys has an effect. */
async function hasEffect(page: Page, keys: readonly string[]): Promise<boolean> {
  const initial = { changes: await changeCount(page), url: page.url() }
  for (const key of keys) await page.keyboard.press(key)
  try {
    await page.waitForFunction(
      ({ changes, url }) =>
        location.href !== url || (globalThis as unknown as WatchedPage).seen.changes > changes,
      initial,
    )
    return true
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false
    throw error
  }
}

/** A sequence of keys, or another action. */
type Steps = readonly string[] | ((page: Page) => Promise<unknown>)

async function perform(page: Page, steps: Steps): Promise<void> {
  if (typeof steps === 'function') await steps(page)
  else for (const key of steps) await page.keyboard.press(key)
}

/** A page with content. */
export interface KeyLocation {
  /** Its address, which may be of an item created for each key. */
  path: () => string | Promise<string>
  /** Text that appears once the screen is ready. */
  readyText: string
  /** Steps that lead to where its keys have an effect: keys, or a function. */
  setup: Steps
  /** Steps required before a key has an effect, by its description in the help: keys, or a function. */
  preparations?: Readonly<Record<string, Steps>>
}

/** Sections with shortcuts that are the same everywhere, and are pressed on one screen only. */
const general = ['General', 'Go to']

/** Opens a location, and returns a snapshot of its state. */
async function openLocation(
  visitor: Visitor,
  { path, readyText, setup }: KeyLocation,
): Promise<string> {
  const { page } = visitor
  await visitor.navigate(await path())
  await page.getByText(readyText).first().waitFor()
  await untilStill(page)
  await perform(page, setup)
  await untilStill(page)
  return snapshot(page)
}

/** Snapshot that reveals whether a key had an effect: the address, the text on the screen, and the focus. */
const snapshot = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return [location.href, document.body.innerText, element?.tagName, element?.textContent].join(
      '\n',
    )
  })

/**
 * Presses each key that the help lists for a page, on a freshly opened page; returns keys that are listed twice or
 * have no effect.
 */
export async function deadKeys(
  web: Web,
  location: KeyLocation,
  withGeneral = false,
): Promise<string[]> {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(watchChanges)
  page.on('filechooser', () => {}) // else the browser opens its own dialog
  let startSnapshot = await openLocation(visitor, location)
  const lines = await readShortcuts(page)
  const allKeys = lines.flatMap(({ sequences }) => sequences.map((keys) => keys.join(' ')))
  const problems = allKeys
    .filter((keys, n) => allKeys.indexOf(keys) !== n)
    .map((keys) => `${keys} twice`)
  const tested = lines.filter(({ group }) => withGeneral || !general.includes(group))
  assert.ok(tested.length > 0, 'the page has no keys of its own')
  for (const { label, sequences } of tested)
    for (const keys of sequences) {
      if ((await snapshot(page)) !== startSnapshot)
        startSnapshot = await openLocation(visitor, location)
      await perform(page, location.preparations?.[label] ?? [])
      await untilStill(page)
      if (!(await hasEffect(page, keys))) problems.push(`${label} (${keys.join(' ')}) does nothing`)
      await page.keyboard.press('Escape')
      await untilStill(page)
    }
  visitor.assertNoProblems()
  return problems
}
