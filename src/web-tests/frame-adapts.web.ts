import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

// The app at unusual sizes and colours: 200 % and 400 % zoom, and forced colours.

const skip = noChromium
const shots = new URL('../../test-results/web/', import.meta.url)
let web: Web
const paths = [
  '/',
  '/inbox',
  '/tasks',
  '/tasks?layout=board',
  '/tasks?layout=table',
  '/tasks?layout=timeline',
  '/tasks?layout=calendar',
  '/tasks/PLT-1',
  '/projects',
  '/projects/PLT',
  '/goals',
  '/time',
  '/chat',
  '/pages',
  '/search',
  '/activity',
  '/settings/profile',
]
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  mkdirSync(shots, { recursive: true })
  await ann.call('create_project', { name: 'Plant', key: 'PLT', member_ids: [bob.id] })
  for (let i = 0; i < 30; i++)
    await ann.call('create_task', {
      project_id: 'PLT',
      title: `Oil the pump ${i + 1}`,
      assignee_ids: [ann.id],
      priority: 'high',
      start_at: '2026-12-01',
      due_at: '2026-12-20',
    })
})
after(() => web?.close())

/** Waits until a page shows its content, not only its header. */
async function settled(page: Page, path: string) {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    const isBusy = document.querySelector('[aria-busy=true]') !== null
    return main !== null && !isBusy && main.innerText.trim().length > 20
  })
  if (/^\/tasks(?!.*calendar)/.test(path)) await page.getByText('Oil the pump').first().waitFor()
}

const shot = (page: Page, name: string) =>
  page.screenshot({ path: new URL(`${name}.png`, shots).pathname })

const widthOver = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const { zoom, viewport } of [
  { zoom: 200, viewport: { width: 720, height: 450 } },
  { zoom: 400, viewport: { width: 320, height: 256 } },
])
  test(`at ${zoom} % of a usual window nothing is cut off sideways, and keyboard focus stays visible`, {
    skip,
  }, async () => {
    const { visitor, page } = await reopenFor(web, web.ann, '/')
    await page.setViewportSize(viewport)
    const wrong: string[] = []
    for (const path of paths) {
      await visitor.move(path)
      await settled(page, path)
      const over = await widthOver(page)
      if (over > 0) wrong.push(`${path} is ${over} px too wide`)
      const height = await page
        .getByRole('main')
        .evaluate((main) => main.getBoundingClientRect().height)
      if (height < 60) wrong.push(`${path} leaves ${Math.round(height)} px for what it is about`)
      await shot(page, `zoom-${zoom}${path.replaceAll(/[/?=]/g, '-')}`)
    }
    assert.deepEqual(wrong, [])
    await visitor.move('/tasks')
    await page.getByRole('row').filter({ hasText: 'Oil the pump 1' }).first().waitFor()
    for (let i = 0; i < 12; i++) await page.keyboard.press('j')
    await page.waitForFunction(() => {
      const row = document.activeElement?.closest('[role=row]')
      if (!row) return false
      const { top, bottom, left, right } = row.getBoundingClientRect()
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return at !== null && row.contains(at)
    })
    visitor.well()
  })

/** Opens a page with forced colours. */
async function openForced(path: string) {
  const opened = await reopenFor(web, web.ann, path)
  await opened.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await opened.page.evaluate(() => getSelection()?.collapse(document.body, 0)) // where Tab begins after loading
  return opened
}

for (const path of paths)
  test(`with forced colors the focus is visible: ${path}`, { skip }, async () => {
    const { visitor, page } = await openForced(path)
    await settled(page, path)
    await shot(page, `forced${path.replaceAll(/[/?=]/g, '-')}`)
    const unseen: string[] = []
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const unfocused = await page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return undefined
        const chain: Element[] = []
        for (let node: Element | null = at; node && chain.length < 4; node = node.parentElement)
          chain.push(node)
        const isSeen = chain.some((node) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(node)
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
        })
        return isSeen
          ? undefined
          : `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent}`
      })
      if (unfocused !== undefined) unseen.push(unfocused.slice(0, 60))
    }
    assert.deepEqual(unseen, [])
    visitor.well()
  })

test('with forced colors the current row is distinguishable', {
  skip,
}, async () => {
  const { visitor, page } = await openForced('/tasks')
  await page.getByRole('row').filter({ hasText: 'Oil the pump 1' }).first().waitFor()
  await page.keyboard.press('j')
  await page.waitForFunction(() => document.activeElement?.closest('[role=row]'))
  const marks = await page.evaluate(() => {
    const row = document.activeElement?.closest('[role=row]')
    const other = row?.nextElementSibling
    const look = (node: Element | null | undefined) => {
      if (!node) return ''
      const { outlineStyle, outlineWidth, backgroundColor, borderColor } = getComputedStyle(node)
      return [outlineStyle, outlineWidth, backgroundColor, borderColor].join(' ')
    }
    return [look(row), look(other)]
  })
  assert.notEqual(marks[0], marks[1], 'the row at which one is looks like no other')
  visitor.well()
})

test('of four messages a phone shows the two newest, and the others on request', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks')
  await settled(page, '/tasks')
  const refusal = { code: 'permission_denied', message: 'The pump is locked.' }
  await page.route(/\/web\/call\/.*(update|complete)/, (route) =>
    route.fulfill({ status: 403, json: refusal }),
  )
  const messages = page.getByRole('region', { name: 'Messages' })
  const closers = messages.locator('button[aria-label="Close"]')
  for (let n = 1; n <= 4; n++) {
    await press('j', 'e')
    await closers.nth(n - 1).waitFor({ state: 'attached' })
  }
  const isShown = () =>
    closers.evaluateAll((buttons) => buttons.map((button) => button.checkVisibility()))
  assert.deepEqual(await isShown(), [true, true, true, true])
  await page.setViewportSize({ width: 360, height: 740 })
  assert.deepEqual(await isShown(), [false, false, true, true])
  await shot(page, 'messages-360')
  await messages.getByRole('button', { name: '2 earlier' }).press('Enter')
  assert.deepEqual(await isShown(), [true, true, true, true])
  await closers.last().press('Enter')
  await closers.nth(3).waitFor({ state: 'detached' })
  assert.deepEqual(await isShown(), [true, true, true])
  visitor.well()
})
