import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Garden', key: 'GRD' })
})
after(() => web?.close())

test('by keyboard: a goal is created, measured, started, checked in on and achieved', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'o')
  await page.getByRole('heading', { name: 'No goals yet' }).waitFor()
  await visitor.checkPage('goals-empty')
  await press('Shift+N')
  await page.getByRole('textbox', { name: 'Goal' }).waitFor()
  await page.keyboard.type('Feed the whole street')
  await visitor.checkPage('goal-new')
  await press('Enter')
  const line = page.getByRole('link', { name: /Feed the whole street/ })
  await line.waitFor()
  const firstGoal = async () => (await web.ann.call('list_goals', { limit: 100 })).items[0]
  await untilTrue(async () => (await firstGoal()) !== undefined, 'no goal was made')
  const { id } = await firstGoal()
  const getGoal = () => web.ann.call('get_goal', { goal_id: id })
  await page.locator(`a[href="/goals/${id}"]`).focus()
  await press('Enter')
  await page.getByRole('button', { name: 'Add a key result' }).focus()
  await press('Enter')
  await page.keyboard.type('Boxes delivered')
  await page.getByLabel('To reach').fill('40')
  await press('Enter')
  const value = page.getByRole('textbox', { name: 'Value of Boxes delivered' })
  await page.getByText('Boxes delivered', { exact: true }).waitFor()
  assert.equal(await value.count(), 0) // a draft has no progress
  await page.getByRole('button', { name: 'Make it active' }).focus()
  await press('Enter')
  await value.focus()
  await page.keyboard.type('10')
  await press('Enter')
  await untilTrue(async () => (await getGoal()).progress === 25, 'the value did not arrive')
  await page.locator('ol').getByText('Boxes delivered').waitFor() // the check-in
  await page.keyboard.press('Escape')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await press('i')
  await page.locator('[data-checkin] input').first().waitFor()
  await page.keyboard.type('30')
  await page.getByRole('button', { name: 'Low', exact: true }).focus()
  await press('Space')
  await page.getByLabel('What happened, and what is in the way').fill('The van is broken.')
  await visitor.checkPage('goal-checkin')
  await press('Control+Enter')
  await page.getByText('The van is broken.').waitFor()
  await page.getByText('At risk').first().waitFor()
  await visitor.checkPage('goal')
  const goal = await getGoal()
  assert.deepEqual(
    [goal.progress, goal.confidence, goal.checkins.length, goal.at_risk],
    [75, 'low', 2, true],
  )
  await page.getByRole('button', { name: 'Active', exact: true }).focus()
  await press('Enter')
  await choose(page, 'Status', 'achieved')
  await untilTrue(async () => (await getGoal()).status === 'achieved', 'it was not achieved')
  await page.getByText('achieved').last().waitFor()
  await press('z')
  await untilTrue(async () => (await getGoal()).status === 'active', 'nothing was undone')
  visitor.assertNoProblems()
})

test('by pointer: a goal counts the tasks of a project, is linked to it, and gets a subgoal', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_goal', {
    title: 'Plant the beds',
    period: '2026',
    level: 'organization',
  })
  await web.ann.call('update_goal', { goal_id: id, status: 'active' })
  const task = await web.ann.call('create_task', { project_id: 'GRD', title: 'Sow the beans' })
  const { visitor, page } = await reopenFor(web, web.ann, `/goals/${id}`)
  await page.getByRole('button', { name: 'Add a key result' }).click()
  await page.getByLabel('What is measured').fill('Beds planted')
  await page.getByLabel('To reach').fill('2')
  await page
    .getByLabel('Where the value comes from')
    .selectOption({ label: 'Completed tasks of Garden' })
  await page.getByRole('dialog').getByRole('button', { name: 'Add a key result' }).click()
  await page.getByRole('link', { name: 'Completed tasks of Garden' }).waitFor()
  await page.getByRole('button', { name: 'Link projects' }).click()
  await choose(page, 'Link projects', 'garden')
  await page.keyboard.press('Escape')
  const getGoal = () => web.ann.call('get_goal', { goal_id: id })
  await untilTrue(async () => (await getGoal()).projects.length === 1, 'no project is linked')
  await web.ann.call('complete_task', { task_id: task.id })
  await page.getByRole('button', { name: 'Add a goal below' }).click()
  await page.getByRole('textbox', { name: 'Goal' }).last().fill('Buy the seeds')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: /Buy the seeds/ }).waitFor()
  await page.getByRole('button', { name: 'Edit Beds planted' }).click()
  await page.getByRole('button', { name: 'Retire' }).click()
  await page.getByText('Retired: no longer counted').waitFor()
  await visitor.checkPage('goal-linked')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Goals', exact: true })
    .first()
    .click()
  await page.getByRole('link', { name: /Plant the beds/ }).waitFor()
  await visitor.checkPage('goals')
  visitor.assertNoProblems()
})
