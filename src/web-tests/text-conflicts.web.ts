import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

// A text that others change during editing is merged; for conflicting lines, the person chooses.

const skip = noChromium
let web: Web
const start = 'One plan.\n\nTwo plans.\n\nEnd.'

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  await ann.call('create_project', {
    name: 'Plant',
    key: 'PLT',
    member_ids: [bob.id],
    description_markdown: start,
  })
})
after(() => web?.close())

interface EditedText {
  page: Page
  label: string
  /** Reads the text on the server. */
  read: () => Promise<string>
  /** Applies a colleague's change on the server. */
  change: (text: string) => Promise<unknown>
  /** Opens the text for editing. */
  open: () => Promise<unknown>
}

/** Edits a text while a colleague changes it, first elsewhere, then in the same line. */
async function writeTogether({ page, label, read, change, open }: EditedText) {
  const field = page.getByRole('textbox', { name: label, exact: true })
  const save = () => field.press('Control+Enter')
  await open()
  await field.fill('One plan.\n\nTwo plans.\n\nEnd. Really.')
  await change('First plan.\n\nTwo plans.\n\nEnd.')
  await save()
  await field.waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await read()) === 'First plan.\n\nTwo plans.\n\nEnd. Really.',
    'not both changes are in it',
  )
  await page.getByText('First plan.').first().waitFor()
  await open()
  await field.fill('First plan.\n\nMy plans.\n\nEnd. Really.')
  await change('First plan.\n\nTheir plans.\n\nEnd. Really.')
  await save()
  const chooser = page.getByRole('region', { name: /^Others changed/ })
  await chooser.getByText('Their plans.').waitFor()
  assert.equal(await read(), 'First plan.\n\nTheir plans.\n\nEnd. Really.', 'nothing is lost')
  return chooser
}

/** Chooses the person's own lines, by keyboard. */
async function chooseOwnLines(page: Page, label: string) {
  const chooser = page.getByRole('region', { name: /^Others changed/ })
  await chooser.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowDown')
  await chooser.getByRole('button').press('Enter')
  await chooser.waitFor({ state: 'detached' })
  const field = page.getByRole('textbox', { name: label, exact: true })
  assert.ok(await field.evaluate((node) => node === document.activeElement), 'the focus is in it')
  await page.keyboard.press('Control+Enter')
  await field.waitFor({ state: 'detached' })
}

const ownVersion = 'First plan.\n\nMy plans.\n\nEnd. Really.'

test('merges the description of a project', { skip }, async () => {
  const { ann } = web
  const { visitor, page } = await openFor(web, ann, '/projects/PLT')
  const read = async () =>
    (await ann.call('get_project', { project_id: 'PLT' })).description_markdown
  const editButton = page.getByRole('button', { name: 'Edit', exact: true })
  await writeTogether({
    page,
    label: 'Description',
    read,
    change: (description_markdown) =>
      ann.call('update_project', { project_id: 'PLT', description_markdown }),
    open: () => editButton.press('Enter'),
  })
  await visitor.checkPage('project-description-conflict')
  await chooseOwnLines(page, 'Description')
  await untilTrue(async () => (await read()) === ownVersion, 'it is not the chosen text')
  visitor.assertNoProblems()
})

test('merges the description of a goal, even after a reload', { skip }, async () => {
  const { ann } = web
  const { id } = await ann.call('create_goal', {
    title: 'Run quietly',
    period: '2026-Q4',
    level: 'personal',
    description_markdown: start,
  })
  const { visitor, page } = await openFor(web, ann, `/goals/${id}`)
  const read = async () => (await ann.call('get_goal', { goal_id: id })).description_markdown
  await writeTogether({
    page,
    label: 'Description',
    read,
    change: (description_markdown) =>
      ann.call('update_goal', { goal_id: id, description_markdown }),
    open: () => page.getByRole('button', { name: 'Edit', exact: true }).first().press('Enter'),
  })
  await page.reload()
  const field = page.getByRole('textbox', { name: 'Description', exact: true })
  await field.waitFor()
  assert.equal(await field.inputValue(), ownVersion, 'the draft is kept')
  await field.press('Control+Enter')
  await page
    .getByRole('region', { name: /^Others changed/ })
    .getByText('Their plans.')
    .waitFor()
  await chooseOwnLines(page, 'Description')
  await untilTrue(async () => (await read()) === ownVersion, 'it is not the chosen text')
  visitor.assertNoProblems()
})

test('merges the goal of a sprint and the purpose of a channel', { skip }, async () => {
  const { ann, bob } = web
  const sprint = await ann.call('create_sprint', {
    project_id: 'PLT',
    name: 'First weeks',
    goal: start,
    starts_on: '2026-12-07',
    ends_on: '2026-12-20',
  })
  const { page, visitor } = await openFor(web, ann, `/sprints/${sprint.id}`)
  const readGoal = async () =>
    (await ann.call('get_sprint_report', { sprint_id: sprint.id })).sprint.goal
  await writeTogether({
    page,
    label: 'Goal',
    read: readGoal,
    change: (goal) => bob.call('update_sprint', { sprint_id: sprint.id, goal }),
    open: () => page.getByRole('button', { name: 'Edit', exact: true }).press('Enter'),
  })
  await chooseOwnLines(page, 'Goal')
  await untilTrue(async () => (await readGoal()) === ownVersion, 'it is not the chosen text')
  const refused = await bob.refused('update_sprint', {
    sprint_id: sprint.id,
    goal: 'Unseen',
    expected_revision: 1,
  })
  assert.equal(refused.code, 'conflict')
  visitor.assertNoProblems()
})

test('a long title is merged as text, too, and for a short one the last write wins', {
  skip,
}, async () => {
  const { ann, bob } = web
  const long = `Where the ${'long '.repeat(50)}pipe goes`
  const { key } = await ann.call('create_task', { project_id: 'PLT', title: long })
  const readTitle = async () => (await ann.call('get_task', { task_id: key })).title
  const { visitor, page } = await openFor(web, ann, `/tasks/${key}`)
  const field = page.getByRole('textbox', { name: 'Title', exact: true })
  await field.fill(`${long} out`)
  await bob.call('update_task', { task_id: key, title: `${long} in` })
  await field.press('Enter')
  const chooser = page.getByRole('region', { name: /^Others changed/ })
  await chooser.getByText(`${long} in`).waitFor()
  assert.equal(await readTitle(), `${long} in`)
  await chooser.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowDown')
  await chooser.getByRole('button').press('Enter')
  await untilTrue(async () => (await readTitle()) === `${long} out`, 'it is not the chosen text')
  await field.fill('Short')
  await field.press('Enter')
  await untilTrue(async () => (await readTitle()) === 'Short', 'it is not saved')
  await field.fill('Shorter')
  await bob.call('update_task', { task_id: key, title: 'Theirs' })
  await bob.call('update_task', { task_id: key, priority: 'urgent' })
  await page.getByText('Urgent').first().waitFor() // by then, his title has arrived, too
  assert.equal(await field.inputValue(), 'Shorter', 'the unsaved input is not overwritten')
  await field.press('Enter')
  await untilTrue(async () => (await readTitle()) === 'Shorter', 'the last write did not win')
  visitor.assertNoProblems()
})
