import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { advancePulses } from '../modules/meetings/pulses/rounds.ts'
import { runTick } from '../operations/jobs/system.ts'
import { dayLong } from '../testing/harness.ts'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
let team: { id: string }

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  team = await web.ann.call('create_team', {
    name: 'Engine',
    lead_id: web.ann.actor.id,
    member_ids: [web.bob.actor.id, web.carol.actor.id],
  })
})
after(() => web?.close())

const listPulses = async () => (await web.ann.call('list_pulses', {})).items
const minuteMs = 60_000

/** Lets time pass, and opens and closes the rounds that are due. */
async function passTime(ms: number): Promise<void> {
  web.clock.wait(ms)
  while (await runTick(web.app, advancePulses));
}

/** Creates a pulse whose first round is open. */
async function openPulse(name: string, overrides: Record<string, unknown> = {}): Promise<string> {
  const opensAt = new Date(web.clock.now() + minuteMs)
  const { id } = await web.ann.call('create_pulse', {
    name,
    team_id: team.id,
    rrule: `FREQ=DAILY;BYHOUR=${opensAt.getUTCHours()};BYMINUTE=${opensAt.getUTCMinutes()}`,
    timezone: 'UTC',
    questions: [
      { id: 'did', text: 'What did you do?', type: 'text' },
      { id: 'mood', text: 'How is your mood?', type: 'scale' },
      { id: 'stuck', text: 'What blocks you?', type: 'text', blocker: true },
    ],
    ...overrides,
  })
  await passTime(2 * minuteMs)
  return id
}

test('by keyboard: a pulse is set up, changed, paused, trashed and restored', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).waitFor()
  await page.keyboard.type('Pulses')
  await page.getByRole('option', { name: 'Pulses' }).first().waitFor()
  await press('Enter')
  await page.getByRole('heading', { name: 'No pulses yet' }).waitFor()
  await visitor.checkPage('pulses-empty')
  await press('c')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  await page.keyboard.type('Stand-up')
  await page.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly')
  await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('TH')
  await page.getByRole('button', { name: 'Add a question' }).focus()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Question 4' }).fill('How sure are you?')
  await page.getByRole('combobox', { name: 'Kind of answer to question 4' }).selectOption('scale')
  await page.getByRole('button', { name: 'Move question 4 up' }).focus()
  await press('Enter')
  await visitor.checkPage('pulse-new')
  await name.focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Stand-up' }).waitFor()
  const [created] = await listPulses()
  assert.equal(created.rrule, 'FREQ=WEEKLY;BYDAY=TH;BYHOUR=9;BYMINUTE=0')
  assert.deepEqual(
    created.questions.map(({ text, type }: { text: string; type: string }) => `${type} ${text}`),
    [
      'text What did you do?',
      'text What is next?',
      'scale How sure are you?',
      'text What blocks you?',
    ],
  )
  await page.getByText('Every Thursday at 09:00').waitFor()

  await press('e')
  await page.getByRole('textbox', { name: 'Question 2' }).fill('What is next, and when?')
  await page.getByRole('combobox', { name: 'Kind of answer to question 3' }).selectOption('yes_no')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo')
  await name.focus()
  await press('Enter')
  await untilTrue(
    async () => (await listPulses())[0].revision > created.revision,
    'it is as before',
  )
  const [changed] = await listPulses()
  assert.equal(changed.timezone, 'Asia/Tokyo')
  assert.equal(changed.questions[1].id, created.questions[1].id)
  assert.equal(changed.questions[1].text, 'What is next, and when?')
  assert.notEqual(changed.questions[2].id, created.questions[2].id)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('Shift+E')
  await untilTrue(async () => !(await listPulses())[0].active, 'it is not paused')
  await page.getByText('Paused', { exact: true }).waitFor()
  await press('z')
  await untilTrue(async () => (await listPulses())[0].active, 'it stays paused')
  await press('#')
  await untilTrue(async () => (await listPulses()).length === 0, 'it is still there')
  await page.getByRole('heading', { name: 'No pulses yet' }).waitFor()
  await press('z')
  await page.getByRole('link', { name: 'Stand-up' }).waitFor()
  visitor.assertNoProblems()
})

test('a round is answered from my day, its report updates live, and earlier rounds remain', {
  skip,
}, async () => {
  await web.ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await web.ann.call('create_task', { project_id: 'ENG', title: 'Oil' })
  const id = await openPulse('Daily')
  await web.bob.call('submit_pulse_response', {
    pulse_id: id,
    answers: { did: 'Fixed the valve', mood: 2, stuck: 'No oil, see ENG-1' },
  })
  await passTime(dayLong)
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  const pulsesRegion = page.getByRole('region', { name: 'Pulses to answer' })
  await pulsesRegion.getByRole('link', { name: 'Daily' }).focus()
  await visitor.checkPage('pulse-my-day')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Daily' }).waitFor()
  await page.getByText('0 of 3 answered').first().waitFor()
  await press('a')
  await page.keyboard.type('Wrote the plan\nand <b>sent</b> it')
  await press('Tab', 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight')
  await page.getByRole('radio', { name: '4' }).waitFor()
  await press('Control+Enter')
  const report = page.getByRole('region', { name: /^Round of/ })
  await report.getByText('and <b>sent</b> it').waitFor()
  await page.getByRole('button', { name: 'Change answers' }).waitFor()
  await web.carol.call('submit_pulse_response', {
    pulse_id: id,
    answers: { mood: 5, stuck: 'The valve of ENG-1' },
  })
  await report.getByText('2 of 3 answered').waitFor()
  await report.getByText('4.5 of 5 on average').waitFor()
  await report.getByText('+2.5 since the round before').waitFor()
  await report.getByRole('link', { name: /Oil/ }).waitFor()
  await report.getByRole('link', { name: 'Bob' }).waitFor()
  await visitor.checkPage('pulse-report')
  await page.getByRole('heading', { level: 1 }).click()
  await press('b')
  await report.getByText('Fixed the valve').waitFor()
  await report.getByText('1 of 3 answered').waitFor()
  await press('n')
  await report.getByText('and <b>sent</b> it').waitFor()
  await press('z')
  await untilTrue(
    async () =>
      (await listPulses()).find((pulse: { id: string }) => pulse.id === id).open_round.answered ===
      1,
    'the answers were not withdrawn',
  )
  await press('g', 'd')
  await pulsesRegion.getByRole('link', { name: 'Daily' }).waitFor()
  visitor.assertNoProblems()
})

test('an anonymous pulse stays on my day until it is answered in this browser', {
  skip,
}, async () => {
  const dan = await web.person('Dan')
  const teamOfFour = await web.ann.call('create_team', {
    name: 'Four',
    lead_id: web.ann.actor.id,
    member_ids: [web.bob.actor.id, web.carol.actor.id, dan.actor.id],
  })
  await openPulse('Honestly', { team_id: teamOfFour.id, anonymous: true })
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  const pulsesRegion = page.getByRole('region', { name: 'Pulses to answer' })
  const link = pulsesRegion.getByRole('link', { name: /^Honestly/ })
  await link.getByText(/^anonymous/).waitFor()
  await link.focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Honestly' }).waitFor()
  await press('a')
  await page.keyboard.type('Nothing')
  await press('Control+Enter')
  await page.getByText('1 of 4 answered').first().waitFor()
  await press('Escape', 'g', 'd')
  await page.getByRole('region', { name: 'My tasks' }).waitFor()
  await link.waitFor({ state: 'detached' })

  const { page: bobsPage } = await openFor(web, web.bob, '/')
  await bobsPage
    .getByRole('region', { name: 'Pulses to answer' })
    .getByRole('link', { name: /^Honestly/ })
    .waitFor()
  visitor.assertNoProblems()
})

test('a person in no pulse team sees no pulse, and is told where teams are', { skip }, async () => {
  await openPulse('Ours')
  const { visitor, page, press } = await reopenFor(web, web.eve, '/pulses')
  await page.getByRole('heading', { name: 'No pulses yet' }).waitFor()
  await press('c')
  await page.getByText('You are not in a team yet').waitFor()
  await page.getByRole('link', { name: 'Go to teams' }).waitFor()
  visitor.assertNoProblems()
})
