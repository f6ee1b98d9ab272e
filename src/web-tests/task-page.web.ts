import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Pumps', key: 'PUM', member_ids: [web.bob.id] })
})
after(() => web?.close())

const createTask = (title: string, fields: object = {}) =>
  web.ann.call('create_task', { project_id: 'PUM', title, ...fields })
const getTask = (key: string) =>
  web.ann.call('get_task', {
    task_id: key,
    include: ['comments', 'dependencies', 'attachments'],
  })

/** Opens the page of a task, with only the keyboard from then on. */
async function openTask(key: string) {
  const visitor = await web.visit(web.ann)
  await visitor.go(`/tasks/${key}`)
  const { page } = visitor
  await page.getByRole('heading', { name: 'Linked tasks' }).waitFor()
  const press = async (...keys: string[]) => {
    for (const combo of keys) await page.keyboard.press(combo)
  }
  return { visitor, page, press }
}

test('by keyboard only: a blocking task is linked and indicated, and the link is removed and restored', {
  skip,
}, async () => {
  const blocker = await createTask('Order the seals')
  const task = await createTask('Fit the seals')
  const { visitor, page, press } = await openTask(task.key)
  await page.getByRole('button', { name: 'Link a task' }).focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Link a task' }).waitFor()
  await page.keyboard.type('blocked')
  await press('Enter')
  const field = page.getByRole('combobox', { name: 'Is blocked by…' })
  await field.waitFor()
  await field.pressSequentially('order')
  await page.getByRole('option', { name: 'Order the seals' }).waitFor()
  await press('Enter')
  await page.getByText('Waits for a task that is not done').waitFor()
  const link = page.getByRole('button', { name: 'Link a task' })
  assert.ok(
    await link.evaluate((button) => button === document.activeElement),
    'the focus is back at the button',
  )
  assert.deepEqual(
    (await getTask(task.key)).dependencies.map(
      (dependency: { type: string; task: { id: string } }) => [dependency.type, dependency.task.id],
    ),
    [['blocked_by', blocker.id]],
  )
  await visitor.checkPage('task-linked')
  await page.getByRole('button', { name: 'Remove the link to Order the seals' }).press('Enter')
  await untilTrue(
    async () => (await getTask(task.key)).dependencies.length === 0,
    'the link was not removed',
  )
  await press('z')
  await untilTrue(
    async () => (await getTask(task.key)).dependencies.length === 1,
    'it did not come back',
  )
  await page.getByRole('link', { name: 'Order the seals' }).waitFor()
  visitor.assertNoProblems()
})

test('a task repeats by a rule in words, on completion or on its day, until that is stopped', {
  skip,
}, async () => {
  const task = await createTask('Grease the bearings', { due_at: '2026-12-07' })
  const { visitor, page, press } = await openTask(task.key)
  await page.getByText('Does not repeat').waitFor()
  await press('Shift+R')
  await page.getByRole('option', { name: 'Every week on Monday' }).waitFor()
  await visitor.checkPage('task-repeat') // narrow widths render the values elsewhere, which closes the list
  await press('Shift+R')
  await page.getByRole('option', { name: 'Every week on Monday' }).waitFor()
  await page.keyboard.type('every week on')
  await press('Enter')
  await page.getByRole('button', { name: /^Every week on Monday/ }).waitFor()
  await untilTrue(
    async () => /FREQ=WEEKLY/.test((await getTask(task.key)).recurrence?.rrule ?? ''),
    'the rule was not saved',
  )
  await press('Shift+R')
  await page.keyboard.type('on its day')
  await press('Enter')
  await untilTrue(
    async () => (await getTask(task.key)).recurrence?.create_next === 'on_schedule',
    'the time of the next task was not saved',
  )
  await press('Shift+R')
  await page.keyboard.type('does not')
  await press('Enter')
  await page.getByRole('button', { name: 'Does not repeat' }).waitFor()
  await untilTrue(
    async () => (await getTask(task.key)).recurrence === undefined,
    'it still repeats',
  )
  visitor.assertNoProblems()
})

test('people edit and delete their own comments in place, and z restores a deleted one', {
  skip,
}, async () => {
  const task = await createTask('Check the valves')
  await web.bob.call('add_task_comment', { task_id: task.key, body_markdown: 'From Bob.' })
  await web.ann.call('add_task_comment', { task_id: task.key, body_markdown: 'Six of them.' })
  const { visitor, page, press } = await openTask(task.key)
  const ownComment = page.getByRole('listitem').filter({ hasText: 'Six of them.' })
  await ownComment.waitFor()
  const bobsComment = page.getByRole('listitem').filter({ hasText: 'From Bob.' })
  assert.equal(await bobsComment.getByRole('button', { name: 'Edit' }).count(), 0)
  await ownComment.getByRole('button', { name: 'Edit' }).press('Enter')
  const field = page.getByRole('textbox', { name: 'Edit comment' })
  await field.fill('Seven of them.')
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), 'Seven of them.', 'what was typed is kept')
  await visitor.checkPage('task-comment-edited')
  await field.press('Control+Enter')
  const edited = page.getByRole('listitem').filter({ hasText: 'Seven of them.' })
  await edited.getByText('edited').waitFor()
  await edited.getByRole('button', { name: 'Delete' }).press('Enter')
  await edited.waitFor({ state: 'detached' })
  assert.equal((await getTask(task.key)).comments.length, 1)
  await press('z')
  await edited.waitFor()
  visitor.assertNoProblems()
})

test('addresses and files are attached to a task and removed', { skip }, async () => {
  const task = await createTask('Read the manual')
  const { visitor, page, press } = await openTask(task.key)
  await press('Control+k')
  await page.keyboard.type('Add link')
  await page.getByRole('option', { name: 'Add link…' }).waitFor()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://pumps.example/manual')
  await press('Enter')
  await page.getByRole('link', { name: 'https://pumps.example/manual' }).waitFor()
  await page.getByLabel('Add file', { exact: true }).setInputFiles({
    name: 'readings.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('hour,bar\n1,2.5\n'),
  })
  await page.getByRole('link', { name: 'readings.csv' }).waitFor()
  await visitor.checkPage('task-attachments')
  await page.getByRole('button', { name: 'Remove readings.csv from the task' }).press('Enter')
  await page.getByRole('link', { name: 'readings.csv' }).waitFor({ state: 'detached' })
  assert.deepEqual(
    (await getTask(task.key)).attachments.map((file: { web_url?: string }) => file.web_url),
    ['https://pumps.example/manual'],
  )
  visitor.assertNoProblems()
})
