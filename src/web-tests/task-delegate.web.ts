import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Shop', key: 'SHP', member_ids: [web.bob.id] })
  for (const title of ['Count the stock', 'Order paper', 'Clean the window'])
    await web.ann.call('create_task', { project_id: 'SHP', title })
})
after(() => web?.close())

async function connectClient(key: string): Promise<Client> {
  const client = new Client({ name: 'journey', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${web.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

test('by keyboard: a person delegates a task, the assistant finds and changes it over MCP, and the change appears live', {
  skip,
}, async () => {
  const { key } = await web.keyFor(web.bob, { name: 'Stock helper' })
  const { visitor, page, press } = await reopenFor(web, web.bob, '/tasks?project=SHP')
  const row = page.getByRole('row').filter({ hasText: 'Count the stock' })
  await row.waitFor()
  await row.focus()
  await press('Shift+A')
  await page.getByRole('combobox', { name: 'Delegate to' }).waitFor()
  await page.getByRole('option', { name: /Stock helper/ }).waitFor()
  await visitor.checkPage('tasks-delegate-picker')
  await choose(page, 'Delegate to', 'stock')
  await page.getByText('SHP-1: delegated to Stock helper').waitFor()
  await row.getByRole('button', { name: 'Delegate: Stock helper' }).waitFor()
  await row.getByRole('button', { name: 'Assignee: Bob' }).waitFor()
  const client = await connectClient(key)
  const response = await client.callTool({ name: 'list_tasks', arguments: { delegated_to: 'me' } })
  const { items } = response.structuredContent as { items: { key: string }[] }
  assert.deepEqual(
    items.map((item) => item.key),
    ['SHP-1'],
  )
  await client.callTool({
    name: 'update_task',
    arguments: { task_id: 'SHP-1', priority: 'urgent' },
  })
  await client.close()
  await row.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
  await visitor.checkPage('tasks-delegated')
  await row.focus()
  await press('Enter')
  await page.waitForURL('**/tasks/SHP-1')
  await page.getByRole('button', { name: 'Stock helper', exact: true }).first().waitFor()
  await visitor.checkPage('task-delegated')
  await press('Shift+A')
  await choose(page, 'Delegate to', 'no assistant')
  await untilTrue(
    async () => !(await web.bob.call('get_task', { task_id: 'SHP-1' })).delegate,
    'the delegation was not removed',
  )
  visitor.assertNoProblems()
})

test('several tasks are delegated from the selection bar, and one z reverts it', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.bob, '/tasks?project=SHP')
  const row = page.getByRole('row').filter({ hasText: 'Order paper' })
  await row.waitFor()
  await row.focus()
  await press('x', 'Shift+ArrowDown')
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Delegate/ })
    .click()
  await choose(page, 'Delegate to', 'stock')
  const delegatedCount = async () =>
    (await web.bob.call('list_tasks', { delegated_to: 'Stock helper' })).items.length
  await untilTrue(async () => (await delegatedCount()) === 2, 'not both were delegated')
  await press('Escape', 'z')
  await untilTrue(async () => (await delegatedCount()) === 0, 'not both delegations were undone')
  visitor.assertNoProblems()
})
