import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, dayAhead, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const absencesOf = async (person = web.ann) =>
  (await person.call('list_time_off', { person_id: 'me' })).items

test('by keyboard: time off is added in words, cancelled and restored; notes and sickness stay private', {
  skip,
}, async () => {
  await web.bob.call('create_time_off', {
    starts_on: dayAhead(-1),
    ends_on: dayAhead(2),
    kind: 'sick',
    note: 'Flu',
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).waitFor()
  await page.keyboard.type('Time off')
  await page.getByRole('option', { name: 'Time off', exact: true }).first().waitFor()
  await press('Enter')
  const awayNow = page.getByRole('region', { name: 'Away now' })
  await awayNow.getByRole('link', { name: 'Bob' }).waitFor()
  await awayNow.getByText('Other').waitFor()
  assert.equal(await page.getByText('Flu').count(), 0)
  await press('c')
  const firstDay = page.getByRole('button', { name: /^First day/ })
  await firstDay.waitFor()
  await press('Enter')
  await choose(page, 'First day', 'in 10 days')
  await page.getByRole('button', { name: /^Last day/ }).focus()
  await press('Enter')
  await choose(page, 'Last day', 'in 14 days')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('vacation')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Alps')
  await visitor.checkPage('time-off-new')
  await page.getByRole('textbox', { name: /^Note/ }).press('Enter')
  const upcoming = page.getByRole('region', { name: 'Coming up' })
  await upcoming.getByText('5 days').waitFor()
  const [created] = await absencesOf()
  assert.deepEqual(
    [created.starts_on, created.ends_on, created.kind],
    [dayAhead(10), dayAhead(14), 'vacation'],
  )
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await visitor.checkPage('time-off')
  await upcoming.getByRole('link', { name: 'Ann' }).focus()
  await press('#')
  await untilTrue(async () => (await absencesOf()).length === 0, 'it is not cancelled')
  await press('z')
  await untilTrue(async () => (await absencesOf()).length === 1, 'it is not back')
  await upcoming.getByText('Alps').waitFor()
  await awayNow.getByRole('link', { name: 'Bob' }).focus()
  await press('#')
  assert.equal((await absencesOf(web.bob)).length, 1)
  visitor.assertNoProblems()
})

test('refused input stays in the form, with the reason', { skip }, async () => {
  await web.carol.call('create_time_off', {
    starts_on: dayAhead(1),
    ends_on: dayAhead(3),
    kind: 'vacation',
  })
  const { visitor, page, press } = await reopenFor(web, web.carol, '/time-off')
  await press('c')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Again')
  await page.getByRole('textbox', { name: /^Note/ }).press('Enter')
  await page.getByText(/You already have time off/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: /^Note/ }).inputValue(), 'Again')
  visitor.assertNoProblems()
})

test('a colleague is found, and their page shows contact details, role and absences', {
  skip,
}, async () => {
  const project = await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await web.ann.call('add_project_member', { project_id: project.id, person_id: web.bob.actor.id })
  const task = await web.ann.call('create_task', {
    project_id: project.id,
    title: 'Oil the cam shaft',
    assignee_ids: [web.bob.actor.id],
  })
  const { statuses } = (await web.ann.call('list_projects', {})).items[0]
  const inProgress = statuses.find(
    (status: { category: string }) => status.category === 'in_progress',
  )
  await web.ann.call('update_task', { task_id: task.id, status: inProgress.name })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/people')
  await page.getByRole('link', { name: 'Carol' }).waitFor()
  await visitor.checkPage('colleagues')
  await press('f')
  await page.keyboard.type('bob')
  await page.getByRole('link', { name: 'Carol' }).waitFor({ state: 'detached' })
  await press('Escape', 'j', 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
  await page.getByRole('link', { name: web.bob.actor.email }).waitFor()
  await page
    .getByRole('link', { name: /Oil the cam shaft/ })
    .first()
    .waitFor()
  await page.getByText(/^away until/).waitFor()
  await visitor.checkPage('person')
  await web.bob.call('create_time_off', {
    starts_on: dayAhead(20),
    ends_on: dayAhead(20),
    kind: 'other',
  })
  await page.getByText('1 day', { exact: true }).waitFor()
  await press('m')
  const text = page.getByRole('textbox', { name: 'Message Bob' })
  await text.waitFor()
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
  await visitor.checkPage('person-message')
  await text.focus()
  await page.keyboard.type('Can you look at the cam shaft?')
  await press('Enter')
  await page.waitForURL(/\/chat\/chn_/)
  await visitor.go(`/people/${web.bob.actor.id}`)
  await page.getByRole('button', { name: /^Message/ }).click()
  await page.waitForURL(/\/chat\/chn_/)
  await page.getByText('Can you look at the cam shaft?').first().waitFor()
  await visitor.go(`/people/${web.bob.actor.id}`)
  await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add time off' }).count(), 0)
  await visitor.go(`/people/${web.ann.actor.id}`)
  await page.getByRole('button', { name: /^Add time off/ }).waitFor()
  await press('c')
  await page.getByRole('button', { name: /^First day/ }).waitFor()
  await press('Escape')
  visitor.assertNoProblems()
})
