import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { dayAhead, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const listSchedules = async () => (await web.ann.call('list_on_call_schedules', {})).items

test('by keyboard: a rotation is set up, changed, trashed and restored', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/incidents')
  await press('}')
  await page.getByRole('heading', { name: 'No on-call schedules' }).waitFor()
  await visitor.checkPage('on-call-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Shop')
  await page.getByRole('combobox', { name: 'Add a person' }).selectOption(web.bob.actor.id)
  await page.getByRole('button', { name: 'Bob earlier' }).focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Turns', exact: true }).selectOption('day')
  await visitor.checkPage('on-call-new')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await press('Enter')
  await page.getByRole('region', { name: 'Shop' }).waitFor()
  const [created] = await listSchedules()
  assert.deepEqual(
    created.layers[0].people.map((person: { title: string }) => person.title),
    ['Bob', 'Ann'],
  )
  assert.equal(created.layers[0].rotation.replace('every 1 day', 'daily'), 'daily')
  await page.getByText('Someone is on call at every moment of this period.').waitFor()

  await press('e')
  await page.getByRole('spinbutton', { name: /next level/ }).fill('5')
  await press('Enter')
  await untilTrue(
    async () => (await listSchedules())[0].escalation_minutes === 5,
    'it is as before',
  )
  await page.getByText('next level after 5 minutes').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('#')
  await untilTrue(async () => (await listSchedules()).length === 0, 'it is still there')
  await press('z')
  await untilTrue(async () => (await listSchedules()).length === 1, 'it is not back')
  await page.getByRole('region', { name: 'Shop' }).waitFor()
  visitor.assertNoProblems()
})

test('a gap is described in words, covered from there, and the override is ended and undone', {
  skip,
}, async () => {
  const createdSchedule = await web.ann.call('create_on_call_schedule', {
    name: 'Offices',
    timezone: 'Europe/Berlin',
    layers: [
      {
        people: [web.ann.actor.id],
        rotation: 'weekly',
        hours: Object.fromEntries(
          ['mon', 'tue', 'wed', 'thu', 'fri'].map((name) => [
            name,
            [{ from: '00:00', to: '24:00' }],
          ]),
        ),
      },
    ],
  })
  const getOffices = async () =>
    (
      await web.ann.call('list_on_call_schedules', {
        from: dayAhead(0),
        to: dayAhead(13),
      })
    ).items.find((schedule: { id: string }) => schedule.id === createdSchedule.id)
  const initialGaps = (await getOffices()).gaps.length
  assert.ok(initialGaps >= 2, 'two weeks have weekends')
  const { visitor, page, press } = await reopenFor(web, web.ann, `/on-call/${createdSchedule.id}`)
  const card = page.getByRole('region', { name: 'Offices' })
  await card.getByText(/^\d+ gaps: .* in which no one is on call$/).waitFor()
  assert.equal(await card.getByRole('button', { name: 'Cover this' }).count(), initialGaps)
  await visitor.checkPage('on-call-gaps')
  await card.getByRole('button', { name: 'Cover this' }).last().focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Who covers' }).selectOption(web.bob.actor.id)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Weekend')
  await press('Enter')
  await untilTrue(
    async () => (await getOffices()).gaps.length === initialGaps - 1,
    'it is not covered',
  )
  await card.getByText(/Weekend/).waitFor()
  assert.equal(await card.getByRole('button', { name: 'Cover this' }).count(), initialGaps - 1)
  await visitor.checkPage('on-call')
  await card.getByRole('button', { name: 'End', exact: true }).focus()
  await press('Enter')
  await untilTrue(async () => (await getOffices()).gaps.length === initialGaps, 'it was not ended')
  await press('z')
  await untilTrue(
    async () => (await getOffices()).gaps.length === initialGaps - 1,
    'it is not back',
  )
  visitor.assertNoProblems()
})

test('a person hands over until the end of the shift, and the page shows the next one on call', {
  skip,
}, async () => {
  const schedule = await web.ann.call('create_on_call_schedule', {
    name: 'Nights',
    timezone: 'Europe/Berlin',
    layers: [{ people: [web.ann.actor.id, web.carol.actor.id], rotation: 'daily' }],
  })
  const currentShift = async () =>
    (await web.ann.call('get_on_call', {})).items.find(
      (shift: { schedule: { id: string } }) => shift.schedule.id === schedule.id,
    )
  const { person } = await currentShift()
  const { visitor, page, press } = await reopenFor(web, web.ann, `/on-call/${schedule.id}`)
  const card = page.getByRole('region', { name: 'Nights' })
  const level = card.locator('[data-level="1"]')
  await level.getByText(person.title).first().waitFor()
  const otherName = person.id === web.ann.actor.id ? 'Carol' : 'Ann'
  await level.getByText(new RegExp(otherName)).waitFor()
  await level.getByRole('button', { name: 'Hand over…' }).focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Who covers' }).selectOption(web.bob.actor.id)
  await page.getByRole('button', { name: 'Cover', exact: true }).click()
  await untilTrue(
    async () => (await currentShift()).person.id === web.bob.actor.id,
    'not handed over',
  )
  await level.getByText('Bob').waitFor()
  assert.equal((await currentShift()).covers_for.id, person.id)
  visitor.assertNoProblems()
})

test('by keyboard: a service and a runbook are set up, changed, and restored from the trash', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/services')
  await page.getByRole('heading', { name: 'No services' }).waitFor()
  await press('c')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Booking')
  await page.getByRole('checkbox', { name: 'On the public status page' }).focus()
  await press('Space')
  await visitor.checkPage('service-new')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await press('Enter')
  await page.getByRole('link', { name: 'Booking' }).waitFor()
  const listServices = async () => (await web.ann.call('list_services', {})).items
  assert.deepEqual(
    [(await listServices())[0].name, (await listServices())[0].public],
    ['Booking', true],
  )
  await page.getByRole('link', { name: 'Booking' }).focus()
  await press('e')
  await page.getByRole('textbox', { name: 'Description' }).fill('Where guests book')
  await press('Enter')
  await untilTrue(
    async () => (await listServices())[0].description === 'Where guests book',
    'it is as before',
  )
  await visitor.checkPage('services')

  await press('}')
  await page.getByRole('heading', { name: 'No runbooks' }).waitFor()
  await press('c')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Restart')
  await page.getByRole('textbox', { name: 'Step 1', exact: true }).fill('Stop it')
  await page.getByRole('button', { name: 'Add a step' }).focus()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Step 2', exact: true }).fill('Warn everybody')
  await page.getByRole('button', { name: 'Step 2 earlier' }).focus()
  await press('Enter')
  await page.getByRole('checkbox', { name: 'Booking' }).focus()
  await press('Space')
  await visitor.checkPage('runbook-new')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await press('Enter')
  await page.getByRole('link', { name: 'Restart' }).waitFor()
  const listRunbooks = async () => (await web.ann.call('list_runbooks', {})).items
  const [created] = await listRunbooks()
  assert.deepEqual(
    created.steps.map((step: { title: string }) => step.title),
    ['Warn everybody', 'Stop it'],
  )
  assert.equal(created.services[0].title, 'Booking')
  await page.getByRole('link', { name: 'Restart' }).focus()
  await press('#')
  await untilTrue(async () => (await listRunbooks()).length === 0, 'it is still there')
  await press('z')
  await untilTrue(async () => (await listRunbooks()).length === 1, 'it is not back')
  await visitor.checkPage('runbooks')
  visitor.assertNoProblems()
})
