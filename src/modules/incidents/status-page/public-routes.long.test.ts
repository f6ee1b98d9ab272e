import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openChromium, violations } from '../../../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

test('axe finds no accessibility violations in the light or dark color scheme', {
  skip: noChromium,
}, async (t) => {
  const chromium = await openChromium()
  t.after(() => chromium.close())
  const pageWithPolicy = await chromium.newPage()
  const consoleTexts: string[] = []
  pageWithPolicy.on('console', (message) => consoleTexts.push(message.text()))
  await pageWithPolicy.goto(`${workspace.url}/status`)
  assert.deepEqual(
    consoleTexts.filter((text) => /Content Security Policy/i.test(text)),
    [],
    'the policy allows the styles of the page',
  )
  const page = await chromium.newPage({ bypassCSP: true }) // axe is a script, and the policy allows none
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${workspace.url}/status`)
    for (const summary of await page.$$('details > summary')) await summary.click()
    assert.deepEqual(await violations(page), [], colorScheme)
  }
})
