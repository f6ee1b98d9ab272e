// Task templates: saved from a task, used with words and days, changed and deleted.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Staff', key: 'STA', member_ids: [web.bob.id] })
  const { id } = await web.ann.call('create_task', {
    title: 'Onboard {{name}}',
    project_id: 'STA',
    start_at: '2026-11-02',
    due_at: '2026-11-06',
  })
  for (const title of ['Laptop of {{name}}', 'Accounts'])
    await web.ann.call('create_task', { title, project_id: 'STA', parent_id: id })
})
after(() => web?.close())

const listTasks = async () =>
  (await web.ann.call('list_tasks', { project_id: 'STA', limit: 100 })).items as {
    title: string
    due_on?: string
    assignees: { title: string }[]
    parent?: { title: string }
  }[]
const listTemplates = async () => (await web.ann.call('list_task_templates', {})).items

test('by keyboard: a task is saved as a template, and a task tree created from it with its words, days and people', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks/STA-1')
  await page.getByRole('heading', { name: 'Onboard {{name}}' }).waitFor()
  await press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.keyboard.type('save as template')
  await page.getByRole('option', { name: /Save as template/ }).waitFor()
  await press('Enter')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  await visitor.checkPage('template-save')
  await press('Control+a')
  await page.keyboard.type('Onboarding')
  await press('Enter')
  await untilTrue(async () => (await listTemplates()).length === 1, 'there is no template')

  await visitor.go('/tasks')
  await page.getByRole('row').filter({ hasText: 'STA-1' }).waitFor()
  await press('c')
  await page.getByRole('button', { name: 'From a template…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New tasks from a template' })
  await dialog.getByRole('textbox', { name: 'name' }).fill('Nora')
  await dialog.getByLabel('The days count from').fill('2027-03-01')
  await dialog.getByLabel('Tasks of no one go to').selectOption('Bob')
  await dialog.getByText('3 tasks will be made').waitFor()
  assert.match(
    (await dialog.textContent()) ?? '',
    /Onboard Nora.*due.*5 Mar.*Laptop of Nora.*Accounts/,
  )
  await visitor.checkPage('template-use')
  await dialog.getByRole('button', { name: 'Create', exact: true }).press('Enter')
  await page.getByText('3 tasks from Onboarding').waitFor()
  await page.getByRole('row').filter({ hasText: 'Onboard Nora' }).first().waitFor()
  const created = (await listTasks()).filter(({ title }) => /Nora|Accounts/.test(title))
  const nora = created.find(({ title }) => title === 'Onboard Nora')
  assert.equal(nora?.due_on, '2027-03-05')
  assert.deepEqual(
    nora?.assignees.map((person) => person.title),
    ['Bob'],
  )
  assert.equal(created.filter(({ parent }) => parent?.title === 'Onboard Nora').length, 2)
  await press('z')
  await untilTrue(async () => (await listTasks()).length === 3, 'z did not undo the creation')
  visitor.assertNoProblems()
})

test('a template is changed and deleted in the project settings by its creator, and used by others', {
  skip,
}, async () => {
  const [template] = await listTemplates()
  assert.equal(template.name, 'Onboarding')
  const bob = await reopenFor(web, web.bob, '/projects/STA/settings')
  await bob.page.getByRole('button', { name: 'Use Onboarding' }).press('Enter')
  await bob.page.getByRole('dialog').getByRole('textbox', { name: 'name' }).fill('Tom')
  const projectSelect = bob.page.getByRole('dialog').locator('select').nth(1)
  assert.equal(await projectSelect.inputValue(), template.project.id)
  await bob.page.getByRole('button', { name: 'Create', exact: true }).press('Enter')
  await untilTrue(
    async () => (await listTasks()).some(({ title }) => title === 'Laptop of Tom'),
    'Bob made no tasks',
  )
  assert.equal(await bob.page.getByRole('button', { name: 'Delete Onboarding' }).count(), 0)

  const { visitor, page, press } = await reopenFor(web, web.ann, '/projects/STA/settings')
  await page.getByRole('button', { name: 'Edit Onboarding' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit Onboarding' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('New colleague')
  const titles = dialog.getByRole('textbox', { name: 'Title of a task' })
  const initialOutline = (await listTemplates())[0].outline
  await titles.last().focus()
  await press('Enter')
  await page.keyboard.type('Lunch')
  await press('Tab')
  await page.keyboard.type('3')
  await press('Shift+Tab', 'Enter')
  await page.keyboard.type('Order a table')
  await press('Alt+Shift+ArrowRight', 'Enter', 'Backspace')
  await visitor.checkPage('template-edit')
  await dialog.getByRole('button', { name: 'Change Order a table' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Move one level up' }).waitFor()
  await press('Escape') // closes the menu alone
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('New colleague', { exact: true }).waitFor()
  const [{ outline }] = await listTemplates()
  const lunch = { title: 'Lunch', due_offset_days: 3, subtasks: [{ title: 'Order a table' }] }
  assert.deepEqual(outline, { ...initialOutline, subtasks: [...initialOutline.subtasks, lunch] })
  await visitor.checkPage('template-settings')
  assert.equal((await listTemplates())[0].name, 'New colleague')
  await page.getByRole('button', { name: 'Delete New colleague' }).press('Enter')
  await untilTrue(async () => (await listTemplates()).length === 0, 'it is still there')
  await page.locator('#content').focus()
  await press('z')
  await page.getByRole('button', { name: 'Use New colleague' }).waitFor()
  assert.equal((await listTemplates()).length, 1)
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})
