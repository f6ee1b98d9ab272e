// Every page of the settings.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { destinationsFor } from '../web/shell/destinations.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

for (const { to, label } of destinationsFor('admin').filter((destination) =>
  destination.to.startsWith('/settings'),
)) {
  test(`${label} opens for an administrator without problems`, { skip }, async () => {
    const visitor = await web.revisit(web.ann)
    await visitor.assertServed(to)
    await visitor.navigate(to)
    assert.equal(await visitor.page.locator('h1').count(), 1)
    await visitor.checkPage(`place-${to === '/' ? 'home' : to.slice(1).replaceAll('/', '-')}`)
    visitor.assertNoProblems()
  })
}
