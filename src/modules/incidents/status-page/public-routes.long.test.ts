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
  const plain = await chromium.newPage()
  const failed: string[] = []
  plain.on('console', (message) => failed.push(message.text()))
  await plain.goto(`${workspace.url}/status`)
  assert.deepEqual(
    failed.filter((text) => /Content Security Policy/i.test(text)),
    [],
    'its own styles are let through',
  )
  const page = await chromium.newPage({ bypassCSP: true }) // axe is a script, and the page takes none
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${workspace.url}/status`)
    for (const details of await page.$$('details > summary')) await details.click()
    assert.deepEqual(await violations(page), [], colorScheme)
  }
})
