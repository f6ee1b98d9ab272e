import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../http/server.ts'
import { noChromium, openWeb, password, webFolder } from './setup.ts'

const skip = noChromium

test('an open item page shows changes by others live', { skip }, async (t) => {
  const web = await openWeb(t)
  await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await web.ann.call('create_task', { project_id: 'ENG', title: 'Oil the valves' })
  await web.ann.call('create_channel', { name: 'garage' })
  const ann = await web.visit(web.ann)
  await ann.go('/tasks/ENG-1')
  await ann.page.getByRole('heading', { name: 'Oil the valves' }).waitFor()
  const key = await web.key(web.ann)
  await web.ann.call(
    'update_task',
    { task_id: 'ENG-1', title: 'Grease the valves' },
    { key, via: 'mcp' },
  )
  await ann.page.getByRole('heading', { name: 'Grease the valves' }).waitFor()
  await web.ann.call('add_task_comment', { task_id: 'ENG-1', body_markdown: 'Done at noon.' })
  await ann.page.getByText('Done at noon.').waitFor()
  const { id } = (await web.ann.call('list_channels')).items.find(
    (item: any) => item.name === 'garage',
  )
  await ann.go(`/channels/${id}`)
  await web.ann.call('send_message', { channel_id: id, body_markdown: 'The oil has arrived.' })
  await ann.page.getByText('The oil has arrived.').waitFor()
  ann.assertNoProblems()
})

test('the app stays open while the server is down, says so, and then continues to the requested page', {
  skip,
}, async (t) => {
  const web = await openWeb(t)
  const ann = await web.visit(web.ann)
  await ann.go('/activity')
  const port = Number(new URL(web.server.url).port)
  await web.server.close()
  await ann.page.getByRole('link', { name: 'Search' }).first().click()
  await ann.page.getByText('The workspace cannot be reached. Trying again…').waitFor()
  const server = await startServer(web.app, { host: '127.0.0.1', port, webFolder })
  t.after(() => server.close())
  await ann.page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  await ann.page.getByText('The workspace cannot be reached').waitFor({ state: 'detached' })
})

test('input is not lost by leaving or by the end of the session', {
  skip,
}, async (t) => {
  const web = await openWeb(t)
  const ann = await web.visit(web.ann)
  await ann.go('/settings/organization')
  const name = ann.page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Acme Motors')
  await ann.page.getByRole('link', { name: 'Profile' }).first().click()
  await ann.page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  await ann.page.getByRole('button', { name: 'Stay' }).click()
  assert.equal(await name.inputValue(), 'Acme Motors')
  await ann.context.clearCookies()
  await ann.page.getByRole('button', { name: 'Save' }).click()
  await ann.page.getByText('You were signed out. Sign in again').waitFor()
  await ann.page.locator('input[name=email]').fill('ann@acme.test')
  await ann.page.locator('input[name=password]').fill(password)
  await ann.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ann.page.getByText('Not saved yet').waitFor()
  assert.equal(await name.inputValue(), 'Acme Motors')
  await ann.page.getByRole('link', { name: 'Profile' }).first().click()
  await ann.page.getByRole('button', { name: 'Leave', exact: true }).click()
  await ann.page.waitForURL(`${web.url}/settings/profile`)
  await ann.go('/settings/organization')
  assert.equal(await name.inputValue(), 'Acme')
})

test('a project links to all its open tasks, with their number', {
  skip,
}, async (t) => {
  const web = await openWeb(t)
  await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  for (let i = 1; i <= 55; i++)
    await web.ann.call('create_task', { project_id: 'ENG', title: `Task no. ${i}` })
  const ann = await web.visit(web.ann)
  await ann.go('/projects/ENG')
  await ann.page.getByText('0 of 55 tasks done').waitFor()
  await ann.page.getByRole('link', { name: '55', exact: true }).first().click()
  await ann.page.getByRole('button', { name: /^To do\s*55$/ }).waitFor()
  await ann.page.getByText('Task no. 1', { exact: true }).waitFor()
})
