import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

// The app at unusual sizes and colors: 200 % and 400 % zoom, and forced colors.

const skip = noChromium
const screenshotFolder = new URL('../../test-results/web/', import.meta.url)
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
  mkdirSync(screenshotFolder, { recursive: true })
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
async function waitForContent(page: Page, path: string) {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    const isBusy = document.querySelector('[aria-busy=true]') !== null
    return main !== null && !isBusy && main.innerText.trim().length > 20
  })
  if (/^\/tasks(?!.*calendar)/.test(path)) await page.getByText('Oil the pump').first().waitFor()
}

const takeScreenshot = (page: Page, name: string) =>
  page.screenshot({ path: new URL(`${name}.png`, screenshotFolder).pathname })

const overflowPx = (page: Page) =>
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
    const problems: string[] = []
    for (const path of paths) {
      await visitor.navigate(path)
      await waitForContent(page, path)
      const overflow = await overflowPx(page)
      if (overflow > 0) problems.push(`${path} is ${overflow} px too wide`)
      const height = await page
        .getByRole('main')
        .evaluate((main) => main.getBoundingClientRect().height)
      if (height < 60) problems.push(`${path} leaves ${Math.round(height)} px for its content`)
      await takeScreenshot(page, `zoom-${zoom}${path.replaceAll(/[/?=]/g, '-')}`)
    }
    assert.deepEqual(problems, [])
    await visitor.navigate('/tasks')
    await page.getByRole('row').filter({ hasText: 'Oil the pump 1' }).first().waitFor()
    for (let i = 0; i < 12; i++) await page.keyboard.press('j')
    await page.waitForFunction(() => {
      const row = document.activeElement?.closest('[role=row]')
      if (!row) return false
      const { top, bottom, left, right } = row.getBoundingClientRect()
      const element = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return element !== null && row.contains(element)
    })
    visitor.assertNoProblems()
  })

/** Opens a page with forced colors. */
async function openForced(path: string) {
  const session = await reopenFor(web, web.ann, path)
  await session.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await session.page.evaluate(() => getSelection()?.collapse(document.body, 0)) // where Tab begins after loading
  return session
}

for (const path of paths)
  test(`with forced colors the focus is visible: ${path}`, { skip }, async () => {
    const { visitor, page } = await openForced(path)
    await waitForContent(page, path)
    await takeScreenshot(page, `forced${path.replaceAll(/[/?=]/g, '-')}`)
    const withoutOutline: string[] = []
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const withoutOutlineText = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return undefined
        const chain: Element[] = []
        for (
          let node: Element | null = element;
          node && chain.length < 4;
          node = node.parentElement
        )
          chain.push(node)
        const hasOutline = chain.some((node) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(node)
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
        })
        return hasOutline
          ? undefined
          : `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`
      })
      if (withoutOutlineText !== undefined) withoutOutline.push(withoutOutlineText.slice(0, 60))
    }
    assert.deepEqual(withoutOutline, [])
    visitor.assertNoProblems()
  })

test('with forced colors the current row is distinguishable', {
  skip,
}, async () => {
  const { visitor, page } = await openForced('/tasks')
  await page.getByRole('row').filter({ hasText: 'Oil the pump 1' }).first().waitFor()
  await page.keyboard.press('j')
  await page.waitForFunction(() => document.activeElement?.closest('[role=row]'))
  const rowStyles = await page.evaluate(() => {
    const row = document.activeElement?.closest('[role=row]')
    const other = row?.nextElementSibling
    const styleOf = (node: Element | null | undefined) => {
      if (!node) return ''
      const { outlineStyle, outlineWidth, backgroundColor, borderColor } = getComputedStyle(node)
      return [outlineStyle, outlineWidth, backgroundColor, borderColor].join(' ')
    }
    return [styleOf(row), styleOf(other)]
  })
  assert.notEqual(rowStyles[0], rowStyles[1], 'the current row looks different from the next one')
  visitor.assertNoProblems()
})

test('of four messages a phone shows the two newest, and the others on request', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks')
  await waitForContent(page, '/tasks')
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
  const visibilities = () =>
    closers.evaluateAll((buttons) => buttons.map((button) => button.checkVisibility()))
  assert.deepEqual(await visibilities(), [true, true, true, true])
  await page.setViewportSize({ width: 360, height: 740 })
  assert.deepEqual(await visibilities(), [false, false, true, true])
  await takeScreenshot(page, 'messages-360')
  await messages.getByRole('button', { name: '2 earlier' }).press('Enter')
  assert.deepEqual(await visibilities(), [true, true, true, true])
  await closers.last().press('Enter')
  await closers.nth(3).waitFor({ state: 'detached' })
  assert.deepEqual(await visibilities(), [true, true, true])
  visitor.assertNoProblems()
})
