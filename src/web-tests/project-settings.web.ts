import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web
let serial = 0
/** The key of a test's project: each test has its own. */
let key: string

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())
beforeEach(async () => {
  if (skip) return
  key = `SET${++serial}`
  await web.ann.call('create_project', { name: `Project ${serial}`, key, member_ids: [web.bob.id] })
})

const getProject = () => web.ann.call('get_project', { project_id: key })

async function openSettings(person = web.ann) {
  const visitor = await web.visit(person)
  await visitor.go(`/projects/${key}/settings`)
  await visitor.page.getByRole('heading', { name: 'Members' }).waitFor()
  return { visitor, page: visitor.page }
}

test('statuses are renamed, added, moved and removed by keyboard, and tasks of a removed one go to the chosen status', {
  skip,
}, async () => {
  const { statuses } = await getProject()
  const names: string[] = statuses.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('In review') && names.includes('To do'), names.join())
  const { id } = await web.ann.call('create_task', {
    project_id: key,
    title: 'Look at it',
    status: 'In review',
  })
  const { visitor, page } = await openSettings()
  await page.getByRole('button', { name: 'Remove In review' }).press('Enter')
  const target = page.getByRole('combobox', { name: 'In review goes; 1 task moves to' })
  await target.selectOption('To do')
  await page.getByRole('button', { name: 'Add status' }).press('Enter')
  await page.keyboard.type('Waiting')
  await page.getByRole('button', { name: 'Move Waiting up' }).press('Enter')
  const todo = page.getByRole('textbox', { name: 'Name of the status' }).nth(names.indexOf('To do'))
  await todo.fill('Ready')
  await page.getByRole('spinbutton', { name: 'Limit of Ready' }).fill('5')
  await visitor.checkPage('project-settings')
  await page.getByRole('button', { name: 'Save statuses' }).press('Enter')
  await page.getByRole('button', { name: 'Save statuses' }).waitFor({ state: 'detached' })
  const savedStatuses = (await getProject()).statuses.toSorted(
    (a: { position: number }, b: { position: number }) => a.position - b.position,
  )
  const remaining = names.filter((name) => name !== 'In review')
  const expected = remaining.map((name) => (name === 'To do' ? 'Ready' : name))
  assert.deepEqual(
    savedStatuses.map(({ name }: { name: string }) => name),
    expected.toSpliced(-1, 0, 'Waiting'),
  )
  assert.equal(savedStatuses.find(({ name }: { name: string }) => name === 'Ready').wip_limit, 5)
  assert.equal((await web.ann.call('get_task', { task_id: id })).status, 'Ready')
  visitor.assertNoProblems()
})

test('a person joins a project, and leaves it with their open tasks handed over', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_task', {
    project_id: key,
    title: 'Ask the supplier',
    assignee_ids: [web.bob.id],
  })
  const { visitor, page } = await openSettings()
  await page.getByRole('button', { name: 'Add member' }).press('Enter')
  await page.getByRole('combobox', { name: 'Add member' }).waitFor()
  await page.keyboard.type('carol')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Carol' }).waitFor()
  await page.getByRole('button', { name: 'Remove Bob' }).press('Enter')
  await page.getByRole('combobox', { name: 'Open tasks of Bob go to…' }).waitFor()
  await page.keyboard.type('carol')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Bob' }).waitFor({ state: 'detached' })
  await untilTrue(async () => {
    const { assignees } = await web.ann.call('get_task', { task_id: id })
    return assignees.map((person: { title: string }) => person.title).join() === 'Carol'
  }, 'the task was not handed over')
  visitor.assertNoProblems()
})

test('a field with options is added, changed and retired, and is shown in tasks', {
  skip,
}, async () => {
  const { visitor, page } = await openSettings()
  await page.getByRole('button', { name: 'Add field' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Risk')
  await dialog.getByLabel('Type').selectOption('One of a list')
  await dialog.getByLabel('Options, one on each line').fill('low\nhigh')
  await visitor.checkPage('project-field')
  await dialog.getByLabel('Name').press('Enter')
  await page.getByText('One of a list · low, high').waitFor()
  await page.getByRole('button', { name: 'Edit Risk' }).press('Enter')
  await dialog.getByLabel('Options, one on each line').fill('low\nmiddle\nhigh')
  await dialog.getByLabel('Tasks need a value from now on').check()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('One of a list · low, middle, high · needed').waitFor()
  await page.getByRole('button', { name: 'Edit Risk' }).press('Enter')
  await dialog.getByRole('button', { name: 'Retire' }).press('Enter')
  await page.getByText(/needed · retired/).waitFor()
  const [field] = (await getProject()).custom_fields
  assert.deepEqual(
    [field.name, field.required, field.retired, field.options.length],
    ['Risk', true, true, 3],
  )
  visitor.assertNoProblems()
})

test('a project is archived and restored, and deleted only after typing its key; members can only view', {
  skip,
}, async () => {
  const other = await openSettings(web.bob)
  await other.page
    .getByText('The lead of the project and administrators can change this.')
    .waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Add status' }).count(), 0)
  other.visitor.assertNoProblems()

  const { visitor, page } = await openSettings()
  await page.getByRole('button', { name: 'Archive project' }).press('Enter')
  await page.getByRole('button', { name: 'Restore project' }).press('Enter')
  await page.getByRole('button', { name: 'Archive project' }).waitFor()
  await page.getByRole('button', { name: 'Delete project…' }).press('Enter')
  const deleteButton = page.getByRole('button', { name: 'Delete', exact: true })
  assert.ok(await deleteButton.isDisabled())
  await page.keyboard.type(key.toLowerCase())
  await page.keyboard.press('Enter')
  await page.waitForURL('**/projects')
  await assert.rejects(getProject, /./)
  visitor.assertNoProblems()
})
