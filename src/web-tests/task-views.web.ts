import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, dayAhead, openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
const keysByTitle: Record<string, string> = {}
/** Status categories that a view shows unless it includes done tasks. */
const openCategories = ['triage', 'backlog', 'todo', 'in_progress']
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Plant', key: 'PLT', member_ids: [bob.id] })
  await ann.call('create_project', { name: 'Office', key: 'OFF', member_ids: [bob.id] })
  await ann.call('create_custom_field', {
    project_id: 'PLT',
    name: 'Area, inside',
    type: 'select',
    options: ['Pump', 'Valve'],
  })
  const soon = dayAhead(5)
  const tasks: [string, Record<string, unknown>][] = [
    [
      'Oil the pump',
      {
        custom_fields: { 'Area, inside': 'Pump' },
        priority: 'high',
        assignee_ids: [ann.id, bob.id],
      },
    ],
    ['Turn the valve', { custom_fields: { 'Area, inside': 'Valve' }, priority: 'high' }],
    ['Sweep', { priority: 'low', due_at: soon }],
    ['Order paper', { project_id: 'OFF', priority: 'high' }],
  ]
  for (const [title, fields] of tasks)
    keysByTitle[title] = (
      await ann.call('create_task', { project_id: 'PLT', title, ...fields })
    ).key
})
after(() => web?.close())

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const waitForTasks = async (page: Page, visible: readonly string[]) => {
  for (const title of Object.keys(keysByTitle))
    await row(page, title).waitFor({ state: visible.includes(title) ? 'visible' : 'detached' })
}

/** Filters by a value of a field, with the keyboard only. */
async function filterBy(page: Page, field: string, ...values: string[]) {
  await page.keyboard.press('f')
  await choose(page, 'Filter by…', field)
  for (const value of values) {
    await page.keyboard.press('Control+a') // what was typed before stays in the field
    await choose(page, field, value)
  }
  const list = page.getByRole('combobox', { name: field })
  if (await list.isVisible()) await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
}

test('by keyboard: text in custom fields and exclusions narrow the list, and the server saves the same', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  await waitForTasks(page, Object.keys(keysByTitle))
  await filterBy(page, 'Area, inside', 'Pump', 'Valve')
  await waitForTasks(page, ['Oil the pump', 'Turn the valve'])
  await filterBy(page, 'Area, inside', 'Valve')
  await waitForTasks(page, ['Oil the pump'])
  await page.getByRole('button', { name: /^Area, inside is any of these/ }).press('Enter')
  await waitForTasks(page, ['Turn the valve', 'Sweep', 'Order paper'])
  await filterBy(page, 'Priority', 'high')
  await waitForTasks(page, ['Turn the valve', 'Order paper'])
  await visitor.checkPage('tasks-filter-words')
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('Without the pump')
  await press('Enter')
  await page.getByRole('link', { name: 'Without the pump' }).waitFor()
  await waitForTasks(page, ['Turn the valve', 'Order paper'])
  const savedView = (await web.ann.call('list_saved_views', { item_type: 'task' })).items.find(
    (view: { name: string }) => view.name === 'Without the pump',
  )
  assert.deepEqual(savedView.filter, {
    priority: ['high'],
    custom: [{ field: 'Area, inside', is_not: ['Pump'] }],
    status_category: openCategories,
  })
  const run = await web.ann.call('run_saved_view', { view_id: savedView.id })
  assert.deepEqual(run.items.map(({ item }: { item: { title: string } }) => item.title).sort(), [
    'Order paper',
    'Turn the valve',
  ])
  visitor.assertNoProblems()
})

test('by keyboard: a view keeps exclusions of people, projects and periods', {
  skip,
}, async () => {
  const { visitor, page } = await reopenFor(web, web.ann, '/tasks')
  await waitForTasks(page, Object.keys(keysByTitle))
  const negate = (field: string) =>
    page.getByRole('button', { name: `${field} is any of these: switch to is not` }).press('Enter')
  for (const [field, value] of [
    ['Project', 'Office'],
    ['Assignee', 'Bob'],
    ['Due', 'Next 14 days'],
  ] as const) {
    await filterBy(page, field, value)
    await negate(field)
  }
  await waitForTasks(page, ['Turn the valve'])
  await visitor.checkPage('tasks-filter-is-not')
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('The rest')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'The rest' }).waitFor()
  const savedView = (await web.ann.call('list_saved_views', { item_type: 'task' })).items.find(
    (view: { name: string }) => view.name === 'The rest',
  )
  assert.deepEqual(savedView.filter, {
    projects_not: ['OFF'],
    assignees_not: [web.bob.id],
    due_not: ['next_14_days'],
    status_category: openCategories,
  })
  const run = await web.ann.call('run_saved_view', { view_id: savedView.id })
  assert.deepEqual(
    run.items.map(({ item }: { item: { title: string } }) => item.title),
    ['Turn the valve'],
  )
  await visitor.go('/tasks')
  await page.getByRole('link', { name: 'The rest' }).press('Enter')
  await waitForTasks(page, ['Turn the valve'])
  await page.getByRole('button', { name: /^Due is not any of these/ }).waitFor()
  visitor.assertNoProblems()
})

test('by keyboard: a view keeps its layout and columns; changes are saved, saved as a new view, or reverted', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks?priority=high&layout=board')
  const card = (title: string) => page.getByRole('button', { name: new RegExp(title) })
  await card('Oil the pump').waitFor()
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('High board')
  await press('Tab', 'Space', 'Enter')
  await page.getByRole('link', { name: 'High board' }).waitFor()
  const bob = await openFor(web, web.bob, '/tasks')
  await bob.page.getByRole('link', { name: 'High board' }).press('Enter')
  await bob.page.getByRole('button', { name: /Oil the pump/ }).waitFor()
  await page.locator('body').press('3')
  await row(page, 'Oil the pump').waitFor()
  await page.getByRole('button', { name: 'Reset' }).waitFor()
  await visitor.checkPage('tasks-view-changed')
  await page.getByRole('button', { name: 'Reset' }).press('Enter')
  await card('Oil the pump').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Reset' }).count(), 0)
  await page.locator('body').press('3')
  await row(page, 'Oil the pump').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete view' }).waitFor()
  const savedView = async (name: string) =>
    (await web.ann.call('list_saved_views', { item_type: 'task' })).items.find(
      (view: { name: string }) => view.name === name,
    )
  assert.equal((await savedView('High board')).layout, 'table')
  await page.getByRole('textbox', { name: 'Words in the title' }).fill('pump')
  await page.getByRole('button', { name: 'Save as…' }).press('Enter')
  await page.keyboard.type('High pumps')
  await press('Enter')
  await page.getByRole('link', { name: 'High pumps' }).waitFor()
  const high = { priority: ['high'], status_category: openCategories }
  assert.deepEqual((await savedView('High pumps')).filter, { text: 'pump', ...high })
  assert.deepEqual((await savedView('High board')).filter, high)
  await page.reload()
  await row(page, 'Oil the pump').waitFor()
  await bob.page.locator('body').press('1')
  await bob.page.getByRole('button', { name: 'Save as…' }).waitFor()
  assert.equal(
    await bob.page.getByRole('button', { name: 'Save', exact: true }).count(),
    0,
    'a shared view is changed by its owner only',
  )
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('by keyboard: recent changes by assistants are shown, arrive live, and are undone at once', {
  skip,
}, async () => {
  const { key } = await web.keyFor(web.ann, { name: 'Plant helper' })
  const patchTask = async (title: string, body: object) => {
    const response = await fetch(`${web.url}/api/tasks/${keysByTitle[title]}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 200)
  }
  await patchTask('Sweep', { priority: 'urgent' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  await waitForTasks(page, Object.keys(keysByTitle))
  await filterBy(page, 'Changed by assistants', 'hour')
  await waitForTasks(page, ['Sweep'])
  await patchTask('Order paper', { title: 'Order paper and pens' })
  await row(page, 'Order paper and pens').waitFor()
  await visitor.checkPage('tasks-changed-by-assistants')
  await page.getByRole('button', { name: 'Undo…' }).press('Enter')
  await page.getByRole('dialog').getByText('Plant helper').first().waitFor()
  await visitor.checkPage('tasks-undo-assistants')
  await page.getByRole('button', { name: 'Undo 2 calls' }).press('Enter')
  await page.getByText('2 calls undone').waitFor()
  await waitForTasks(page, [])
  const getTask = async (title: string) => web.ann.call('get_task', { task_id: keysByTitle[title] })
  await untilTrue(async () => (await getTask('Sweep')).priority === 'low', 'not put back')
  assert.equal((await getTask('Order paper')).title, 'Order paper')
  await press('Escape')
  visitor.assertNoProblems()
})

test('delegates are a filter, a board mark and a table column', {
  skip,
}, async () => {
  const { id } = await web.keyFor(web.bob, { name: 'Paper helper' })
  await web.bob.call('update_task', { task_id: keysByTitle['Order paper'], delegate_key_id: id })
  const { visitor, page } = await reopenFor(web, web.bob, '/tasks')
  await filterBy(page, 'Delegate', 'any of mine')
  await waitForTasks(page, ['Order paper'])
  await page.locator('body').press('2')
  await page.getByRole('img', { name: 'Delegate: Paper helper' }).waitFor()
  await visitor.checkPage('tasks-board-delegate')
  await visitor.go('/tasks?delegate=any&layout=table&columns=title:p,delegate')
  await row(page, 'Order paper').getByRole('gridcell', { name: 'Paper helper' }).waitFor()
  await visitor.checkPage('tasks-table-delegate')
  visitor.assertNoProblems()
})

test('by keyboard: grouping and sorting are chosen in a menu that shows the current choice', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  await waitForTasks(page, Object.keys(keysByTitle))
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  const option = (name: string, checked: boolean) =>
    page.getByRole('menuitemradio', { name, exact: true, checked })
  await option('Manual order', true).waitFor()
  await option('Title', false).press('Enter')
  await option('Title', true).waitFor()
  await option('Manual order', false).waitFor()
  await option('Project', false).press('Enter')
  await option('Project', true).waitFor()
  const closedOption = page.getByRole('menuitemcheckbox', { name: 'Show done and cancelled' })
  await closedOption.press('Enter')
  await closedOption.and(page.locator('[aria-checked=true]')).waitFor()
  await press('Escape')
  assert.deepEqual(
    await page
      .getByRole('row')
      .getByText(/pump|valve|Sweep|paper/)
      .allTextContents(),
    ['Order paper', 'Oil the pump', 'Sweep', 'Turn the valve'],
  )
  visitor.assertNoProblems()
})

test('by keyboard: the tasks of a view are saved as CSV', { skip }, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks')
  await filterBy(page, 'Area, inside', 'Pump')
  await waitForTasks(page, ['Oil the pump'])
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  const item = page.getByRole('menuitem', { name: 'Export as CSV' })
  await item.waitFor()
  await visitor.checkPage('tasks-export')
  await item.focus()
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')])
  assert.equal(download.suggestedFilename(), 'tasks.csv')
  const stream = await download.createReadStream()
  const [header, ...lines] = Buffer.concat(await stream.toArray())
    .toString()
    .trim()
    .split(/\r?\n/)
  assert.match(header!, /title/i)
  assert.deepEqual([lines.length, lines[0]?.includes('Oil the pump')], [1, true])
  await page.getByText('1 task exported').waitFor()
  visitor.assertNoProblems()
})
