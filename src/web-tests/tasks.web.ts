import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
let serial = 0
/** The key of a test's project: each test has its own. */
let projectKey: string

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())
beforeEach(async () => {
  if (skip) return
  projectKey = `PRO${++serial}`
  await web.ann.call('create_project', {
    name: `Project ${serial}`,
    key: projectKey,
    member_ids: [web.bob.id],
  })
})

const createTask = (title: string, fields: object = {}) =>
  web.ann.call('create_task', { project_id: projectKey, title, ...fields })
const listTasks = async () => (await web.ann.call('list_tasks', { project_id: projectKey })).items
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

/** Opens the tasks of the project, with only the keyboard from then on. */
async function openTasks(search = '') {
  const visitor = await web.visit(web.ann)
  await visitor.go(`/tasks?project=${projectKey}${search}`)
  const press = async (...keys: string[]) => {
    for (const combo of keys) await visitor.page.keyboard.press(combo)
  }
  return { visitor, page: visitor.page, press }
}

test('a task is entered in one line, appears in the list at once and is stored as typed', {
  skip,
}, async () => {
  const { visitor, page, press } = await openTasks()
  await press('c')
  const line = page.getByRole('textbox', { name: 'Task' })
  await line.waitFor()
  await page.keyboard.type(`Oil the valves @bob !high #${projectKey} due 2026-12-04 ~2h`)
  await page.getByText('4 Dec').waitFor()
  await visitor.checkPage('task-create')
  await line.press('Enter')
  await row(page, 'Oil the valves').waitFor()
  await untilTrue(async () => (await listTasks()).length === 1, 'the task was not made')
  const [created] = await listTasks()
  assert.equal(created?.title, 'Oil the valves')
  assert.equal(created?.priority, 'high')
  assert.equal(created?.due_on, '2026-12-04')
  assert.equal(created?.estimate_minutes, 120)
  assert.deepEqual(
    created?.assignees.map(({ id }: { id: string }) => id),
    [web.bob.id],
  )
  visitor.assertNoProblems()
})

test('an unknown name in a line is reported, and nothing is created', {
  skip,
}, async () => {
  const { page, press } = await openTasks()
  await press('c')
  await page.getByRole('textbox', { name: 'Task' }).waitFor()
  await page.keyboard.type('Ask @nobodyknows')
  await page.getByText('@nobodyknows is not there').waitFor()
  await press('Enter')
  assert.equal(await page.getByRole('button', { name: 'Create' }).isDisabled(), true)
  await press('Escape', 'c')
  assert.equal(
    await page.getByRole('textbox', { name: 'Task' }).inputValue(),
    'Ask @nobodyknows',
    'what was typed is kept',
  )
  assert.equal((await listTasks()).length, 0)
})

test('by keyboard: status, priority, assignee and day of a task are set, and z undoes the last one', {
  skip,
}, async () => {
  const first = await createTask('Sweep the floor')
  await createTask('Water the plants')
  const { visitor, page, press } = await openTasks()
  await row(page, 'Sweep the floor').waitFor()
  await press('j')
  await press('s')
  await page.getByRole('combobox', { name: 'Set status' }).waitFor()
  await row(page, 'Sweep the floor').focus() // as when the list focuses its cursor row a moment later
  await page.keyboard.type('in pro')
  await press('Enter')
  await row(page, 'Sweep the floor').getByRole('button', { name: 'Status: In progress' }).waitFor()
  await press('p')
  await page.getByRole('combobox', { name: 'Set priority' }).waitFor()
  await page.keyboard.type('urg')
  await press('Enter')
  await press('a')
  await page.getByRole('combobox', { name: 'Assign to' }).waitFor()
  await page.keyboard.type('bob')
  await press('Enter')
  await press('d')
  await page.getByRole('combobox', { name: /^Due/ }).waitFor()
  await page.keyboard.type('tomorrow')
  await press('Enter')
  await row(page, 'Sweep the floor').getByText('Tomorrow').waitFor()
  const getTask = () => web.ann.call('get_task', { task_id: first.id })
  await untilTrue(async () => (await getTask()).due_on !== undefined, 'the day did not arrive')
  const task = await getTask()
  assert.deepEqual(
    [task.status, task.priority, task.assignees.map(({ id }: { id: string }) => id)],
    ['In progress', 'urgent', [web.bob.id]],
  )
  await press('z')
  await untilTrue(async () => (await getTask()).due_on === undefined, 'nothing was undone')
  assert.equal((await getTask()).priority, 'urgent', 'only the last change was undone')
  visitor.assertNoProblems()
})

test('a change is shown before the server responds, and reverted if it is refused', {
  skip,
}, async () => {
  await createTask('Sign the lease')
  const { page, press } = await openTasks()
  await row(page, 'Sign the lease').waitFor()
  const gate = Promise.withResolvers<void>()
  await page.route('**/web/call/update_task', async (route) => {
    await gate.promise
    await route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'forbidden', message: 'You may not change this task.' }),
    })
  })
  await press('j', 'p')
  await page.getByRole('combobox', { name: 'Set priority' }).waitFor()
  await page.keyboard.type('urgent')
  await press('Enter')
  const urgentButton = row(page, 'Sign the lease').getByRole('button', { name: 'Priority: Urgent' })
  await urgentButton.waitFor()
  gate.resolve()
  await page.getByText('You may not change this task.').waitFor()
  await urgentButton.waitFor({ state: 'detached' })
})

test('several tasks are selected and changed together, in one call that is undone as a whole', {
  skip,
}, async () => {
  for (const title of ['One', 'Two', 'Three']) await createTask(title)
  const { visitor, page, press } = await openTasks()
  await row(page, 'Three').waitFor()
  await press('j', 'x', 'Shift+ArrowDown')
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await visitor.checkPage('tasks-picked')
  await press('p')
  await page.getByRole('combobox', { name: 'Set priority' }).waitFor()
  await page.keyboard.type('low')
  await press('Enter')
  const lowCount = async () =>
    (await listTasks()).filter(({ priority }: { priority: string }) => priority === 'low').length
  await untilTrue(async () => (await lowCount()) === 2, 'not both were changed')
  await page.getByText('2 tasks: priority low').waitFor() // it can be undone once it is confirmed
  await press('Escape', 'z')
  await untilTrue(async () => (await lowCount()) === 0, 'not both were undone')
  visitor.assertNoProblems()
})

test('tasks are filtered by keyboard, the view is saved and shared, and a colleague opens it', {
  skip,
}, async () => {
  await createTask('Loud', { priority: 'high' })
  await createTask('Quiet')
  const { visitor, page, press } = await openTasks()
  await row(page, 'Quiet').waitFor()
  await press('f')
  await page.getByRole('combobox', { name: 'Filter by…' }).waitFor()
  await page.keyboard.type('prio')
  await press('Enter')
  await page.getByRole('combobox', { name: 'Priority' }).waitFor()
  await page.keyboard.type('high')
  await press('Enter', 'Escape')
  await row(page, 'Quiet').waitFor({ state: 'detached' })
  await row(page, 'Loud').waitFor()
  await page.getByRole('button', { name: 'Save view' }).focus()
  await press('Enter')
  await page.keyboard.type(`Loud ones of ${projectKey}`)
  await press('Tab', 'Space', 'Enter')
  await page.getByRole('link', { name: `Loud ones of ${projectKey}` }).waitFor()
  await visitor.checkPage('tasks-filtered')
  const bob = await web.visit(web.bob)
  await bob.go('/tasks')
  await bob.page.getByRole('link', { name: `Loud ones of ${projectKey}` }).click()
  await row(bob.page, 'Loud').waitFor()
  assert.equal(await row(bob.page, 'Quiet').count(), 0)
  visitor.assertNoProblems()
  bob.assertNoProblems()
})

test('on the board a card is moved forward and back by keyboard, and by dragging', {
  skip,
}, async () => {
  const card = await createTask('Paint the wall', { status: 'To do' })
  const { visitor, page, press } = await openTasks('&layout=board')
  const column = (name: string) => page.getByRole('region', { name })
  await column('To do').getByText('Paint the wall').waitFor()
  await visitor.checkPage('tasks-board')
  await press('j', 'Alt+Shift+ArrowRight')
  await column('In progress').getByText('Paint the wall').waitFor()
  const status = async () => (await web.ann.call('get_task', { task_id: card.id })).status
  await untilTrue(async () => (await status()) === 'In progress', 'the status did not change')
  await press('Alt+Shift+ArrowLeft')
  await column('To do').getByText('Paint the wall').waitFor()
  await untilTrue(async () => (await status()) === 'To do', 'the card did not go back')
  await page
    .getByRole('button', { name: /Paint the wall/ })
    .dragTo(column('In progress').getByRole('heading'))
  await column('In progress').getByText('Paint the wall').waitFor()
  await untilTrue(async () => (await status()) === 'In progress', 'dropping the card had no effect')
  visitor.assertNoProblems()
})

test('task page: title and text are edited in place, and an unfinished comment is kept', {
  skip,
}, async () => {
  const task = await createTask('Prices', { description_markdown: 'Three plans.' })
  const { visitor, page, press } = await openTasks()
  await row(page, 'Prices').waitFor()
  await press('j', 'Enter')
  await page.waitForURL(`**/tasks/${task.key}`)
  await page.getByText('Three plans.').waitFor()
  await visitor.checkPage('task-page')
  await press('r')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Prices page')
  await press('Enter')
  const getTask = () => web.ann.call('get_task', { task_id: task.id, include: ['comments'] })
  await untilTrue(async () => (await getTask()).title === 'Prices page', 'the title was not saved')
  await press('m')
  await page.keyboard.type('Half a thought')
  await page.reload()
  const comment = page.getByRole('textbox', { name: 'Write a comment…' })
  await comment.waitFor()
  assert.equal(await comment.inputValue(), 'Half a thought')
  await comment.press('Control+Enter')
  await page.getByRole('listitem').filter({ hasText: 'Half a thought' }).waitFor()
  assert.equal(await comment.inputValue(), '')
  assert.deepEqual(
    (await getTask()).comments?.map((item: { body_markdown: string }) => item.body_markdown),
    ['Half a thought'],
  )
  visitor.assertNoProblems()
})

test('a description changed concurrently is merged, and a conflicting line offers a choice, even after a reload', {
  skip,
}, async () => {
  const task = await createTask('Tariffs', {
    description_markdown: 'One plan.\n\nTwo plans.\n\nEnd.',
  })
  const storedText = async () =>
    (await web.ann.call('get_task', { task_id: task.id })).description_markdown
  const change = (text: string) =>
    web.bob.call('update_task', { task_id: task.id, description_markdown: text })
  const { visitor, page } = await openTasks()
  await visitor.go(`/tasks/${task.key}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const field = page.getByRole('textbox', { name: 'Description' })
  await field.fill('One plan.\n\nTwo plans.\n\nThe end.')
  await change('A plan.\n\nTwo plans.\n\nEnd.')
  await page.reload()
  await field.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  assert.equal(await storedText(), 'A plan.\n\nTwo plans.\n\nThe end.')

  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  await field.fill('A plan.\n\nFour plans.\n\nThe end.')
  await change('A plan.\n\nThree plans.\n\nThe end.')
  await field.press('Control+Enter')
  const conflict = page.getByRole('region', {
    name: 'Others changed 1 place that you changed, too',
  })
  await conflict.getByText('Three plans.').waitFor()
  assert.equal(await storedText(), 'A plan.\n\nThree plans.\n\nThe end.')
  await visitor.checkPage('task-description-conflict')
  await conflict.getByRole('radio', { name: 'Keep yours' }).press('Space')
  await conflict.getByRole('button', { name: 'Use these lines' }).press('Enter')
  await conflict.waitFor({ state: 'detached' })
  await field.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
  assert.equal(await storedText(), 'A plan.\n\nFour plans.\n\nThe end.')
  visitor.assertNoProblems()
})

test('a value set by an assistant shows the name of its key, and is reverted in place', {
  skip,
}, async () => {
  const task = await createTask('Call the bank', { priority: 'low' })
  const { key: secret } = await web.keyFor(web.ann, { name: 'Inbox helper' })
  const response = await fetch(`${web.url}/api/tasks/${task.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ priority: 'urgent' }),
  })
  assert.equal(response.status, 200)
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await visitor.go(`/tasks/${task.key}`)
  const setBy = page.getByRole('button', { name: 'Set by Inbox helper' })
  await setBy.press('Enter')
  const provenanceDialog = page.getByRole('dialog', { name: 'Set by Inbox helper' })
  await provenanceDialog.getByText('Before: Low').waitFor()
  await visitor.checkPage('task-provenance')
  if (!(await provenanceDialog.isVisible())) await setBy.press('Enter') // changing the width may have closed it
  await provenanceDialog.getByRole('button', { name: 'Put back' }).press('Enter')
  await untilTrue(
    async () => (await web.ann.call('get_task', { task_id: task.id })).priority === 'low',
    'nothing was put back',
  )
  visitor.assertNoProblems()
})

test('changes by a colleague appear without a reload', { skip }, async () => {
  const task = await createTask('Move the desks')
  const { visitor, page } = await openTasks()
  await row(page, 'Move the desks').waitFor()
  await web.bob.call('update_task', { task_id: task.id, title: 'Move all desks' })
  await row(page, 'Move all desks').waitFor()
  visitor.assertNoProblems()
})

test('the list renders without problems: with tasks, without any, and without matches', {
  skip,
}, async () => {
  const { visitor, page } = await openTasks()
  await page.getByText('No task matches').waitFor()
  await visitor.checkPage('tasks-nothing')
  await createTask('Deep', { priority: 'urgent', due_at: '2026-11-01', assignee_ids: [web.ann.id] })
  await createTask('Deeper', { status: 'In progress' })
  await row(page, 'Deeper').waitFor()
  await visitor.checkPage('tasks-list')
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: 'Task' }).waitFor()
  await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
  await visitor.checkPage('tasks-peek')
  visitor.assertNoProblems()
})
