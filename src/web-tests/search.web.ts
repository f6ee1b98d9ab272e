import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

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
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  const expectedHits: [string, RegExp][] = [
    ['Aylin', /Aylin Kaya/],
    ['shop is slow', /The shop is slow/],
    ['redirections', /redirections/],
    ['#website', /^#website/],
    ['carol', /^Carol/],
  ]
  for (const [text, name] of expectedHits) {
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
  visitor.assertNoProblems()
})

test('the selection in the command menu persists when hits arrive above it', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  const gate = Promise.withResolvers<void>()
  await page.route('**/search_workspace', async (route) => {
    await gate.promise
    await route.continue()
  })
  const searchRequest = page.waitForRequest('**/search_workspace')
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).fill('redirections')
  await searchRequest
  await press('ArrowUp')
  const selectedOption = page.getByRole('option', { name: /^Who knows/, selected: true })
  await selectedOption.waitFor()
  gate.resolve()
  await page.getByRole('option', { name: /The redirections/ }).waitFor()
  await selectedOption.waitFor()
  await press('Enter')
  await page.waitForURL('**/people/experts?q=redirections')
  visitor.assertNoProblems()
})

test('the search page lists items named by the query before those that mention it', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.go('/search?q=WEB-1')
  const nameMatches = page.getByRole('list', { name: 'By this name' })
  await nameMatches.getByRole('link', { name: /Move the old pages/ }).waitFor()
  await visitor.checkPage('search-named')
  await visitor.go('/search?q=carol')
  await nameMatches.getByRole('link', { name: 'Carol' }).waitFor()
  assert.equal(await page.getByText('Nothing found').count(), 0)
  await visitor.go('/search?q=INC-1')
  await nameMatches.getByRole('link', { name: /The shop is slow/ }).click()
  await page.waitForURL('**/incidents/**')
  const stranger = await web.visit(web.eve)
  await stranger.go('/search?q=WEB-1')
  await stranger.page.getByText('Nothing found').waitFor()
  assert.equal(await stranger.page.getByRole('list', { name: 'By this name' }).count(), 0)
  visitor.assertNoProblems()
})

test('by keyboard: a search is narrowed by kinds with counts, navigated, handed to an assistant, saved and repeated', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/search?q=redirections')
  const { items, searched } = await web.ann.call('search_workspace', { query: 'redirections' })
  for (const { type, count } of searched.hits_by_type) {
    const kind = { task: 'Tasks', message: 'Messages', project: 'Projects', incident: 'Incidents' }[
      type as 'task'
    ]
    if (kind) await page.getByText(`${kind} ${count}`, { exact: true }).waitFor()
  }
  assert.ok(searched.hits_by_type.some(({ type }: { type: string }) => type === 'message'))
  await press('j')
  await page.locator('ol li:first-child a:focus').waitFor()
  await press('j')
  await page.locator('ol li:nth-child(2) a:focus').waitFor()
  await press('k')
  await page.locator('ol li:first-child a:focus').waitFor()

  await press('Shift+A')
  const prompt = page.getByRole('textbox', { name: 'For the assistant' })
  const text = await prompt.inputValue()
  assert.match(text, /^Answer from my workspace: redirections\n/)
  for (const { item } of items) assert.ok(text.includes(item.key ?? item.id), item.title)
  await visitor.checkPage('search-hand-over')
  await press('Escape')

  await press('1')
  await page.waitForURL('**/search?q=redirections&kinds=task')
  await page.locator('ol li').first().waitFor()
  await press('s')
  const dialog = page.getByRole('dialog', { name: 'Save this search' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Redirects to do')
  await press('Enter')
  await page.getByText('Redirects to do').waitFor()
  const [saved] = (await web.ann.call('list_saved_views', { item_type: 'search' })).items
  assert.deepEqual(saved.filter, { query: 'redirections', types: ['task'] })
  await press('1')
  await page.waitForURL('**/search?q=redirections')
  await visitor.checkPage('search-facets')

  await visitor.go('/search')
  await visitor.checkPage('search-saved')
  await page.getByRole('link', { name: 'Redirects to do' }).click()
  await page.waitForURL('**/search?q=redirections&kinds=task')
  await visitor.go('/search')
  await page.getByRole('button', { name: 'Delete the saved search Redirects to do' }).click()
  await page.getByRole('link', { name: 'Redirects to do' }).waitFor({ state: 'detached' })
  assert.deepEqual((await web.ann.call('list_saved_views', { item_type: 'search' })).items, [])
  visitor.assertNoProblems()
})
