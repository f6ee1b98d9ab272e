// Measures the bytes that a browser loads before someone can work.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Visitor, type Web } from './setup.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Rocket', key: 'ROC' })
  await web.ann.call('create_task', { title: 'Fuel the rocket', project_id: 'ROC' })
})
after(() => web?.close())

/** Opens an address without idle time for further loading, and measures the scripts and styles loaded. */
async function measureFirstLoad(visitor: Visitor, path: string) {
  await visitor.page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await visitor.go(path)
  const resources = await visitor.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, encodedBodySize }))
      .filter(({ path }) => /\.(js|css)$/.test(path)),
  )
  const bytes = resources.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  const files = new Set(resources.map(({ path }) => path))
  assert.ok(files.size > 1 && bytes > 50_000, `nothing was measured: ${JSON.stringify(resources)}`)
  return { bytes, files, details: JSON.stringify(resources) }
}

test('tasks load with at most 260 kB in 16 requests, and the sign-in with 250 kB', {
  skip,
}, async () => {
  const signIn = await measureFirstLoad(await web.visit(), '/sign-in')
  assert.ok(signIn.bytes <= 250_000, `${signIn.bytes}: ${signIn.details}`)

  const visitor = await web.visit(web.ann)
  const { bytes, files, details } = await measureFirstLoad(visitor, '/tasks')
  await visitor.page.getByText('Fuel the rocket').waitFor()
  assert.ok(files.size <= 16, `${files.size}: ${details}`)
  assert.ok(bytes <= 260_000, `${bytes}: ${details}`)
  visitor.assertNoProblems()
})

test('parts deferred on first load are loaded afterwards, for offline use', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  await visitor.go('/tasks')
  const { page, context } = visitor
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/KeyList-[^/]*\.js$/.test(name)),
  )
  await context.setOffline(true)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('New task', { exact: true }).waitFor()
  await context.setOffline(false)
})
