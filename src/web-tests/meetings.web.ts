import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const all = async () => (await web.ann.call('list_meetings', {})).items

test('by keyboard: a meeting is created, prepared with its brief, held with notes, changed, deleted and restored', {
  skip,
}, async () => {
  const { ann, bob } = web
  const before = await ann.call('create_meeting', {
    title: 'Kick-off',
    starts_at: '2026-01-10T10:00:00Z',
    ends_at: '2026-01-10T11:00:00Z',
    participants: [bob.id],
  })
  await ann.call('add_action_items', {
    meeting_id: before.id,
    items: [{ text: 'Draft the contract', owner: bob.id }],
  })
  const { visitor, page, press } = await reopenFor(web, ann, '/')
  await press('Control+k')
  await page.keyboard.type('meetings')
  await page
    .getByRole('option', { name: /^Meetings/ })
    .first()
    .waitFor()
  await press('Enter')
  await page.getByRole('heading', { name: 'No meetings ahead' }).waitFor()
  await visitor.look('meetings-empty')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New meeting' })
  await dialog.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Contract review')
  await dialog.getByLabel('Starts').fill('2031-05-05T10:00')
  await dialog.getByRole('textbox', { name: /^Participants/ }).focus()
  await page.keyboard.type('Bob\nZoe Guest <zoe@guest.example>')
  await dialog.getByRole('textbox', { name: /^Agenda/ }).focus()
  await page.keyboard.type('Price\nTerm')
  await visitor.look('meeting-create')
  await dialog.getByRole('button', { name: 'New meeting' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Contract review' }).waitFor()
  const brief = page.locator('section', { has: page.getByRole('heading', { name: 'Brief' }) })
  await brief.getByRole('link', { name: 'Draft the contract' }).waitFor()
  await brief.getByRole('link', { name: 'Kick-off' }).waitFor()
  await visitor.look('meeting-ahead')

  const id = page.url().split('/').at(-1)!
  const now = () => ann.call('get_meeting', { meeting_id: id })
  assert.equal((await now()).participants.length, 3)
  await press('e')
  const plan = page.getByRole('dialog', { name: 'Edit Contract review' })
  await plan.getByLabel('Starts').fill('2031-05-06T09:00')
  await plan.getByLabel('Ends').fill('2031-05-06T10:00')
  await plan.getByRole('button', { name: 'Save' }).press('Enter')
  const moved = await page.evaluate(() => new Date('2031-05-06T09:00').toISOString())
  await untilTrue(async () => (await now()).starts_at === moved, 'the meeting was not moved')
  await press('Shift+S')
  await page.getByRole('button', { name: 'End' }).waitFor()
  await page.getByRole('checkbox', { name: 'Price' }).press('Space')
  await untilTrue(async () => (await now()).agenda[0].done, 'the point was not ticked')
  await page.getByRole('checkbox', { name: 'Price', checked: true }).blur()
  await press('m')
  await page.keyboard.type('They want **two** years.')
  await press('Control+Enter')
  await page.getByRole('log', { name: 'Notes' }).getByText('two').waitFor()
  assert.deepEqual(
    (await now()).notes.map((note: { body_markdown: string }) => note.body_markdown),
    ['They want **two** years.'],
  )
  await press('Escape', 'e')
  const edit = page.getByRole('dialog', { name: 'Edit Contract review' })
  await edit.getByRole('textbox', { name: 'Title' }).fill('Contract talks')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Contract talks' }).waitFor()
  assert.deepEqual(
    (await now()).agenda.map(({ done }: { done: boolean }) => done),
    [true, false],
  )
  await bob.call('add_meeting_note', { meeting_id: id, body_markdown: 'Written by Bob' })
  await page.getByText('Written by Bob').waitFor()
  await visitor.look('meeting-live')

  await press('#')
  await page.getByRole('heading', { name: 'No meetings ahead' }).waitFor()
  assert.equal((await all()).length, 1)
  await press('z')
  await page.getByRole('link', { name: 'Contract talks' }).waitFor()
  await press('f')
  await page.keyboard.type('kick')
  await page.getByRole('link', { name: 'Kick-off' }).waitFor()
  await page.getByText('missing: notes, transcript').waitFor()
  await visitor.look('meetings-found')
  visitor.well()
})

test('by keyboard: a decision with evidence, an action item and its task are created from a transcript', {
  skip,
}, async () => {
  const { ann, bob, carol } = web
  await ann.call('create_project', { name: 'Website', key: 'WEB' })
  const { id } = await ann.call('create_meeting', {
    title: 'Pricing',
    participants: [bob.id],
    ends_at: '2026-02-02T12:00:00Z',
  })
  const now = () => ann.call('get_meeting', { meeting_id: id })
  const { visitor, page, press } = await reopenFor(web, ann, `/meetings/${id}`)
  await page.getByText('No transcript yet').waitFor()
  await press('i')
  const form = page.getByRole('dialog', { name: 'Import transcript' })
  await form.getByRole('textbox', { name: /^Speakers/ }).fill('Speaker 2 = Bob')
  await form
    .getByRole('textbox', { name: /^Text/ })
    .fill(
      'WEBVTT\n\n00:00:05.000 --> 00:00:08.000\n<v Ann>What is the price?\n\n00:00:09.000 --> 00:00:12.000\n<v Speaker 2>We take 300. <img src=x onerror=alert(1)> [[Plan]] **bold**\n\n00:00:13.000 --> 00:00:15.000\n<v Speaker 2>I will write the offer.\n',
    )
  await visitor.look('meeting-import')
  await form.getByRole('button', { name: 'Import' }).press('Enter')
  const transcript = page.getByRole('region', { name: 'What was said' })
  await transcript.getByText('What is the price?').waitFor()

  await press('j', 'j', 'd')
  const decide = page.getByRole('dialog', { name: 'Record decision' })
  await decide.getByRole('textbox', { name: 'What was decided' }).waitFor()
  await page.keyboard.type('The price is 300')
  await decide.getByText('We take 300.').waitFor()
  await visitor.look('meeting-decision')
  await decide.getByRole('checkbox', { name: 'Bob' }).press('Space')
  await decide.getByRole('textbox', { name: 'Why' }).focus()
  await page.keyboard.type('Nobody pays more.')
  await decide.getByRole('button', { name: 'Record' }).press('Enter')
  await page.getByRole('link', { name: 'The price is 300' }).waitFor()
  const [decision] = (await now()).decisions
  assert.match(decision.decision_markdown, /^Nobody pays more\.\n\n> \*\*/)
  assert.equal(decision.decided_by[0].title, 'Bob')
  await page.getByText('[ [Plan]] **bold**').waitFor()
  assert.equal(await page.locator('main img[src=x]').count(), 0)

  await page.getByRole('link', { name: '00:00:09' }).press('Enter')
  await page.waitForURL(/#line-1$/)
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.id === 'line-1'),
    'the line has not the focus',
  )
  await press('j', 'a')
  const act = page.getByRole('dialog', { name: 'Add action item' })
  await act.getByRole('textbox', { name: 'What is to be done' }).fill('Write the offer')
  await act.getByLabel('Owner').fill('Bob')
  await act.getByRole('button', { name: 'Add' }).press('Enter')
  const pick = page.getByRole('checkbox', { name: 'Pick “Write the offer”' })
  await pick.waitFor()
  await page.evaluate(() => {
    for (const node of document.querySelectorAll('html, main')) node.scrollTo(0, 0) // from under the bar that stays
  })
  await visitor.look('meeting-results')

  await page.getByRole('link', { name: 'in the transcript' }).press('Enter')
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.id === 'line-2'),
    'its line has not the focus',
  )
  await visitor.go('/meetings')
  await press('}')
  await page.getByRole('link', { name: 'The price is 300' }).waitFor()
  await visitor.look('decisions')
  await press('}')
  await pick.waitFor()
  await press('j')
  if (!(await pick.evaluate((node) => node === document.activeElement))) await press('j')
  await pick.and(page.locator(':focus')).waitFor()
  await press('Space', 'Shift+T')
  const making = page.getByRole('dialog', { name: 'Make tasks of action items' })
  await making.getByRole('option').first().waitFor({ state: 'attached' })
  await visitor.look('action-items')
  await press('Enter')
  await pick.waitFor({ state: 'detached' })
  const [item] = (await now()).action_items
  assert.equal(item.quote, 'I will write the offer.')
  assert.equal(item.at_second, 13)
  assert.equal((await ann.call('get_task', { task_id: item.task.id })).title, 'Write the offer')
  visitor.well()

  const other = await reopenFor(web, carol, `/meetings/${id}#line-1`)
  await other.page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await other.page.getByText('We take 300').count(), 0)
})
