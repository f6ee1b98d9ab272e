import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

test('an administrator hands over the work of a colleague by kind, and undoes it as a whole', {
  skip,
}, async () => {
  const bobId = web.bob.actor.id
  const carolId = web.carol.actor.id
  const project = await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  for (const person_id of [bobId, carolId])
    await web.ann.call('add_project_member', { project_id: project.id, person_id })
  const task = await web.ann.call('create_task', {
    project_id: project.id,
    title: 'Oil the cam shaft',
    assignee_ids: [bobId],
  })
  await web.bob.call('create_project', { name: 'Private matter', key: 'PRIV' })
  const deal = await web.bob.call('create_deal', { name: 'New looms', owner_id: bobId })
  const assignees = async () =>
    (await web.ann.call('get_task', { task_id: task.id })).assignees.map(
      (item: { title: string }) => item.title,
    )
  const dealOwner = async () =>
    (await web.ann.call('get_deal', { deal_id: deal.id })).owner.title as string

  const { visitor, page, press } = await reopenFor(web, web.ann, '/settings/people')
  await page.getByRole('button', { name: 'Actions for Bob' }).click()
  await page.getByRole('menuitem', { name: /^Hand over/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the work of Bob' })
  await dialog.getByRole('button', { name: 'Choose a person…' }).click()
  await choose(page, 'Who takes over?', 'Carol')
  await dialog.getByText('Oil the cam shaft').waitFor()
  await dialog.getByText('1 that you cannot see').waitFor()
  await visitor.checkPage('hand-over')
  await dialog.getByRole('checkbox', { name: /^Deals/ }).uncheck()
  await dialog.getByRole('button', { name: /^Hand over/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilTrue(async () => (await assignees()).join() === 'Carol', 'the task stays with Bob')
  assert.equal(await dealOwner(), 'Bob')
  await page.getByText('Work of Bob handed over to Carol').first().waitFor()
  await press('z')
  await untilTrue(async () => (await assignees()).join() === 'Bob', 'it is not undone')
  visitor.assertNoProblems()
})

test('people hand over their own work; colleagues without the right are not offered it', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.bob, `/people/${web.carol.actor.id}`)
  await page.getByRole('heading', { level: 1, name: 'Carol' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Hand over/ }).count(), 0)
  await visitor.go(`/people/${web.bob.actor.id}`)
  await page.getByRole('button', { name: /^Hand over/ }).waitFor()
  await press('Shift+H')
  const dialog = page.getByRole('dialog', { name: 'Hand over the work of Bob' })
  await dialog.getByRole('button', { name: 'Choose a person…' }).click()
  await choose(page, 'Who takes over?', 'Ann')
  await dialog.getByRole('checkbox', { name: /^Deals/ }).waitFor()
  await dialog.getByRole('button', { name: /^Hand over/ }).click()
  await untilTrue(
    async () =>
      (await web.ann.call('list_deals', {})).items.every(
        (item: { owner: { title: string } }) => item.owner.title === 'Ann',
      ),
    'the deal stays with Bob',
  )
  visitor.assertNoProblems()
})
