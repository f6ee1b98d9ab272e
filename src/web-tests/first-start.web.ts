import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChromium } from '../testing/chromium.ts'
import { scratch, serve } from '../testing/process.ts'
import { button, connectAssistant, dialog, keysPath, statusOf } from './key-steps.ts'
import { noChromium, password, Visitor } from './setup.ts'

// From the first start to a connected assistant.

const skip = noChromium
const hebrewName = 'מרים כהן'

/** The address and the key in a command line that a person copies. */
function parseCommandLine(line: string): { url: string; key: string } {
  const [, url] = /(http\S+\/mcp\S*)/.exec(line) ?? []
  const [, key] = /Bearer (svc_\w+)/.exec(line) ?? []
  assert.ok(url && key, line)
  return { url, key }
}

test('first-time setup leads from the link to a connected assistant with a visible call; its revoked key opens nothing', {
  skip,
}, async () => {
  const { dir, remove } = scratch()
  const server = await serve(dir)
  const browser = await openChromium()
  try {
    const visitor = await Visitor.open(browser, server.url)
    const { page } = visitor
    await page.goto(server.greeting.setup_url!)
    for (const [label, text] of [
      ['Name', 'Acme'],
      ['Your name', hebrewName],
      ['Your email address', 'miriam@acme.test'],
      ['Password', password],
      ['Repeat the password', password],
    ])
      await page.getByLabel(label!, { exact: true }).fill(text!)
    await button(page, 'Set up').click()
    await page.waitForURL('**/welcome')
    await page.getByText('Only programs on this machine can reach this address').waitFor()
    await visitor.checkPage('welcome-address')
    await button(page, 'Continue').click()
    await page.getByLabel('Name').fill('Claude Code on my laptop')
    await button(page, 'Generate').click()
    await page.getByText('Waiting for the first call…').waitFor()
    await visitor.checkPage('welcome-connect')

    const target = parseCommandLine(
      await page.getByRole('region', { name: 'Claude Code: In a terminal' }).innerText(),
    )
    assert.equal(
      target.key,
      (await page.getByRole('region', { name: 'The key' }).innerText()).trim(),
    )
    const client = await connectAssistant(target)
    await client.callTool({ name: 'list_projects', arguments: {} })
    await page.getByText(/^test-assistant 7 is connected\. First call: list_projects/).waitFor()
    await button(page, 'I have stored it').click()
    await page.getByText('You are all set.').waitFor()
    await visitor.checkPage('welcome-next')
    assert.ok(!(await page.content()).includes(target.key))

    await button(page, 'Go to Home')
      .or(page.getByRole('link', { name: 'Go to Home' }))
      .click()
    await page.getByRole('heading', { name: `Hello, ${hebrewName}` }).waitFor()
    const since = page.getByRole('region', { name: 'Since you were here' })
    await since.getByText('no changes.').waitFor() // so far, it has only read
    await client.callTool({ name: 'create_label', arguments: { name: 'First', color: '#3355cc' } })
    await since.getByText('Created label').waitFor() // without a reload
    await visitor.checkPage('home')

    await visitor.go(keysPath)
    await button(page, 'Revoke Claude Code on my laptop').click()
    await button(dialog(page, 'Revoke this key?'), 'Revoke').click()
    await page.getByText('“Claude Code on my laptop” is revoked.').waitFor()
    assert.equal(await statusOf(server.url, target.key), 401)
    await assert.rejects(client.callTool({ name: 'get_me', arguments: {} }))
    await page.getByLabel('Show ended keys').check()
    await page.getByRole('list', { name: 'Keys' }).getByText('Revoked', { exact: true }).waitFor()
    await visitor.go('/')
    await page.getByRole('link', { name: 'Begin' }).waitFor() // without a key, Home leads to one again
    visitor.assertNoProblems()
  } finally {
    await browser.close()
    await server.end('SIGKILL')
    remove()
  }
})
