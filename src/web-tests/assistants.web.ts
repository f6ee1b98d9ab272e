import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Shop', key: 'SHP', member_ids: [web.bob.id] })
})
after(() => web?.close())

const taskOfBob = (title: string) =>
  web.ann.call('create_task', { project_id: 'SHP', title, assignee_ids: [web.bob.id] })

test('by keyboard: an assistant is watched at work, paused and resumed, and its permissions are narrowed', {
  skip,
}, async () => {
  const task = await taskOfBob('Count the stock')
  const { key } = await web.keyFor(web.bob, { name: 'Stock helper' })
  await web.keyFor(web.bob, { name: 'Quiet helper', readOnly: true })
  const { visitor, page, press } = await openFor(web, web.bob, '/')
  await press('g', 'w')
  await page.waitForURL('**/assistants')
  const card = page.getByRole('article', { name: 'Stock helper' })
  await card.getByText('read and change everything that you can').waitFor()
  await page.getByRole('article', { name: 'Quiet helper' }).getByText('only read').waitFor()
  await web.ask('PATCH', `/api/tasks/${task.id}`, { key, body: { priority: 'low' } })
  await card.getByText('At work: Updated task').waitFor() // without a reload
  await page.getByText('2 assistants, 1 at work').waitFor()
  await card.getByText('1 call', { exact: true }).waitFor()
  await visitor.checkPage('assistants')
  for (let n = 0; n < 4; n++) {
    await press('j')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Stock helper') break
  }
  await press('p')
  await card.getByText('Paused', { exact: true }).waitFor()
  const refused = await web.ask('GET', '/api/labels', { key })
  assert.deepEqual([refused.status, refused.json.code], [403, 'paused'])
  await press('p')
  await card.getByRole('button', { name: 'Pause Stock helper' }).waitFor()
  assert.equal((await web.ask('GET', '/api/labels', { key })).status, 200)
  await card.getByRole('button', { name: 'Narrow what Stock helper may do' }).click()
  await page.getByRole('menuitem', { name: 'Only read' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Narrow' }).click()
  await card.getByText('only read everything that you can').waitFor()
  const refusedWrite = await web.ask('POST', '/api/labels', { key, body: { name: 'No' } })
  assert.equal(refusedWrite.status, 403)
  await card.getByRole('button', { name: 'Revoke Stock helper' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await card.waitFor({ state: 'detached' })
  assert.equal((await web.ask('GET', '/api/labels', { key })).status, 401)
  visitor.assertNoProblems()
})

test('a task shows which assistant is working on it; pausing it there ends its loop at the next call', {
  skip,
}, async (t) => {
  const task = await taskOfBob('Label the shelves')
  const { key } = await web.keyFor(web.bob, { name: 'Shelf helper' })
  const client = new Client({ name: 'otter', version: '2' })
  t.after(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${web.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  const loop = (async () => {
    for (;;) {
      const answer = await client.callTool({
        name: 'get_task',
        arguments: { task_id: task.key },
      })
      if (answer.isError) return answer.content
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })().catch((error: Error) => error.message)
  const visitor = await web.visit(web.bob)
  const { page } = visitor
  await visitor.go(`/tasks/${task.key}`)
  const strip = page.getByRole('status', { name: 'Assistants at work here' })
  await strip.getByText('Shelf helper').waitFor()
  await strip.getByText('Read task').waitFor()
  await visitor.checkPage('task-now-strip')
  await strip.getByRole('button', { name: 'Pause Shelf helper' }).click()
  await strip.getByText('is paused').waitFor()
  assert.match(JSON.stringify(await loop), /paused/i)
  const nextCall = client.callTool({ name: 'get_task', arguments: { task_id: task.key } })
  await assert.rejects(nextCall, /paused/, 'the pause still applies')
  await strip.getByRole('button', { name: 'Resume Shelf helper' }).click()
  assert.equal((await web.ask('GET', '/api/labels', { key })).status, 200)
  visitor.assertNoProblems()
})

test('reads of an assistant are shown only to its owner; its changes to everybody who sees the item, without a way to stop it', {
  skip,
}, async () => {
  const task = await taskOfBob('Secret reading')
  const { key } = await web.keyFor(web.bob, { name: 'Reading helper' })
  const bob = await web.visit(web.bob)
  const ann = await web.visit(web.ann) // she is an administrator
  await bob.go(`/tasks/${task.key}`)
  await ann.go(`/tasks/${task.key}`)
  const stripOf = (visitor: typeof ann) =>
    visitor.page.getByRole('status', { name: 'Assistants at work here' })
  assert.equal((await web.ask('GET', `/api/tasks/${task.id}`, { key })).status, 200)
  await stripOf(bob).getByText('Reading helper').waitFor()
  assert.equal(await stripOf(ann).count(), 0)
  assert.ok(!(await ann.page.content()).includes('Reading helper'))
  await web.ask('PATCH', `/api/tasks/${task.id}`, { key, body: { priority: 'low' } })
  await stripOf(ann).getByText('An assistant of Bob').waitFor()
  assert.equal(await stripOf(ann).getByRole('button').count(), 0)
  await ann.go('/assistants')
  assert.ok(!(await ann.page.content()).includes('Reading helper'))
  await ann.page.getByLabel('All assistants of the organization').check()
  const card = ann.page.getByRole('article', { name: 'Reading helper' })
  await card.getByText('of Bob').waitFor()
  assert.equal(await card.getByText('Read task').count(), 0, 'reads are not shown to others')
  await card.getByRole('button', { name: 'Pause Reading helper' }).click()
  await untilTrue(
    async () => (await web.ask('GET', '/api/labels', { key })).json.code === 'paused',
    'it was not paused',
  )
  const carol = await web.visit(web.carol)
  await carol.go('/assistants')
  await carol.page.getByRole('heading', { name: 'No assistant yet' }).waitFor()
  assert.equal(await carol.page.getByLabel('All assistants of the organization').count(), 0)
  await carol.checkPage('assistants-empty')
  ann.assertNoProblems()
  bob.assertNoProblems()
})
