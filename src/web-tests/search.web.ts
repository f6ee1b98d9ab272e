import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Website', key: 'WEB' })
  const task = await web.ann.call('create_task', { project_id: 'WEB', title: 'Move the old pages' })
  await web.ann.call('create_task', { project_id: 'WEB', title: `After ${task.key}: redirects` })
  await web.ann.call('create_contact', { name: 'Aylin Kaya', emails: ['aylin@example.org'] })
  await web.ann.call('create_incident', { title: 'The shop is slow', severity: 'sev3' })
  const channel = await web.ann.call('create_channel', { name: 'website' })
  await web.ann.call('send_message', {
    channel_id: channel.id,
    body_markdown: 'The redirections are live.',
  })
})
after(() => web?.close())

test('the command menu finds a contact, an incident, a message, a channel and a person, and an exact key first', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  const found: [string, RegExp][] = [
    ['Aylin', /Aylin Kaya/],
    ['shop is slow', /The shop is slow/],
    ['redirections', /redirections/],
    ['#website', /^#website/],
    ['carol', /^Carol/],
  ]
  for (const [text, name] of found) {
    await press('Control+k')
    await page.getByRole('combobox', { name: 'Search and go to' }).fill(text)
    await page.getByRole('option', { name }).first().waitFor()
    await press('Escape')
  }
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).fill('web-1')
  await page.getByRole('option', { name: 'WEB-1 Move the old pages', selected: true }).waitFor()
  await press('Enter')
  await page.waitForURL('**/tasks/WEB-1')
  visitor.well()
})

test('the search page puts what the text names before what mentions it', { skip }, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.go('/search?q=WEB-1')
  const named = page.getByRole('list', { name: 'By this name' })
  await named.getByRole('link', { name: /Move the old pages/ }).waitFor()
  await visitor.look('search-named')
  await visitor.go('/search?q=carol')
  await named.getByRole('link', { name: 'Carol' }).waitFor()
  assert.equal(await page.getByText('Nothing found').count(), 0)
  await visitor.go('/search?q=INC-1')
  await named.getByRole('link', { name: /The shop is slow/ }).click()
  await page.waitForURL('**/incidents/**')
  const stranger = await web.visit(web.eve)
  await stranger.go('/search?q=WEB-1')
  await stranger.page.getByText('Nothing found').waitFor()
  assert.equal(await stranger.page.getByRole('list', { name: 'By this name' }).count(), 0)
  visitor.well()
})
