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

const listMeetings = async () => (await web.ann.call('list_meetings', {})).items

test('by keyboard: a meeting is created, prepared with its brief, held with notes, changed, deleted and restored', {
  skip,
}, async () => {
  const { ann, bob } = web
  const kickOff = await ann.call('create_meeting', {
    title: 'Kick-off',
    starts_at: '2026-01-10T10:00:00Z',
    ends_at: '2026-01-10T11:00:00Z',
    participants: [bob.id],
  })
  await ann.call('add_action_items', {
    meeting_id: kickOff.id,
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
  await visitor.checkPage('meetings-empty')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New meeting' })
  await dialog.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Contract review')
  await dialog.getByLabel('Starts').fill('2031-05-05T10:00')
  await dialog.getByRole('textbox', { name: /^Participants/ }).focus()
  await page.keyboard.type('Bob\nZoe Guest <zoe@guest.example>')
  await dialog.getByRole('textbox', { name: /^Agenda/ }).focus()
  await page.keyboard.type('Price\nTerm')
  await visitor.checkPage('meeting-create')
  await dialog.getByRole('button', { name: 'New meeting' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Contract review' }).waitFor()
  const brief = page.locator('section', { has: page.getByRole('heading', { name: 'Brief' }) })
  await brief.getByRole('link', { name: 'Draft the contract' }).waitFor()
  await brief.getByRole('link', { name: 'Kick-off' }).waitFor()
  await visitor.checkPage('meeting-ahead')

  const id = page.url().split('/').at(-1)!
  const getMeeting = () => ann.call('get_meeting', { meeting_id: id })
  assert.equal((await getMeeting()).participants.length, 3)
  await press('e')
  const editDialog = page.getByRole('dialog', { name: 'Edit Contract review' })
  await editDialog.getByLabel('Starts').fill('2031-05-06T09:00')
  await editDialog.getByLabel('Ends').fill('2031-05-06T10:00')
  await editDialog.getByRole('button', { name: 'Save' }).press('Enter')
  const newStart = await page.evaluate(() => new Date('2031-05-06T09:00').toISOString())
  await untilTrue(
    async () => (await getMeeting()).starts_at === newStart,
    'the meeting was not moved',
  )
  await press('Shift+S')
  await page.getByRole('button', { name: 'End' }).waitFor()
  await page.getByRole('checkbox', { name: 'Price' }).press('Space')
  await untilTrue(async () => (await getMeeting()).agenda[0].done, 'the point was not ticked')
  await page.getByRole('checkbox', { name: 'Price', checked: true }).blur()
  await press('m')
  await page.keyboard.type('They want **two** years.')
  await press('Control+Enter')
  await page.getByRole('log', { name: 'Notes' }).getByText('two').waitFor()
  assert.deepEqual(
    (await getMeeting()).notes.map((note: { body_markdown: string }) => note.body_markdown),
    ['They want **two** years.'],
  )
  await press('Escape', 'e')
  const reopenedDialog = page.getByRole('dialog', { name: 'Edit Contract review' })
  await reopenedDialog.getByRole('textbox', { name: 'Title' }).fill('Contract talks')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Contract talks' }).waitFor()
  assert.deepEqual(
    (await getMeeting()).agenda.map(({ done }: { done: boolean }) => done),
    [true, false],
  )
  await bob.call('add_meeting_note', { meeting_id: id, body_markdown: 'Written by Bob' })
  await page.getByText('Written by Bob').waitFor()
  await visitor.checkPage('meeting-live')

  await press('#')
  await page.getByRole('heading', { name: 'No meetings ahead' }).waitFor()
  assert.equal((await listMeetings()).length, 1)
  await press('z')
  await page.getByRole('link', { name: 'Contract talks' }).waitFor()
  await press('f')
  await page.keyboard.type('kick')
  await page.getByRole('link', { name: 'Kick-off' }).waitFor()
  await page.getByText('missing: notes, transcript').waitFor()
  await visitor.checkPage('meetings-found')
  visitor.assertNoProblems()
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
  const getMeeting = () => ann.call('get_meeting', { meeting_id: id })
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
  await visitor.checkPage('meeting-import')
  await form.getByRole('button', { name: 'Import' }).press('Enter')
  const transcript = page.getByRole('region', { name: 'What was said' })
  await transcript.getByText('What is the price?').waitFor()

  await press('j', 'j', 'd')
  const decisionDialog = page.getByRole('dialog', { name: 'Record decision' })
  await decisionDialog.getByRole('textbox', { name: 'What was decided' }).waitFor()
  await page.keyboard.type('The price is 300')
  await decisionDialog.getByText('We take 300.').waitFor()
  await visitor.checkPage('meeting-decision')
  await decisionDialog.getByRole('checkbox', { name: 'Bob' }).press('Space')
  await decisionDialog.getByRole('textbox', { name: 'Why' }).focus()
  await page.keyboard.type('Nobody pays more.')
  await decisionDialog.getByRole('button', { name: 'Record' }).press('Enter')
  await page.getByRole('link', { name: 'The price is 300' }).waitFor()
  const [decision] = (await getMeeting()).decisions
  assert.match(decision.decision_markdown, /^Nobody pays more\.\n\n> \*\*/)
  assert.equal(decision.decided_by[0].title, 'Bob')
  await page.getByText('[ [Plan]] **bold**').waitFor()
  assert.equal(await page.locator('main img[src=x]').count(), 0)

  await page.getByRole('link', { name: '00:00:09' }).press('Enter')
  await page.waitForURL(/#line-1$/)
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.id === 'line-1'),
    'the line does not have the focus',
  )
  await press('j', 'a')
  const actionDialog = page.getByRole('dialog', { name: 'Add action item' })
  await actionDialog.getByRole('textbox', { name: 'What is to be done' }).fill('Write the offer')
  await actionDialog.getByLabel('Owner').fill('Bob')
  await actionDialog.getByRole('button', { name: 'Add' }).press('Enter')
  const checkbox = page.getByRole('checkbox', { name: 'Pick “Write the offer”' })
  await checkbox.waitFor()
  await page.evaluate(() => {
    for (const node of document.querySelectorAll('html, main')) node.scrollTo(0, 0) // so that the bar covers nothing
  })
  await visitor.checkPage('meeting-results')

  await page.getByRole('link', { name: 'in the transcript' }).press('Enter')
  await untilTrue(
    () => page.evaluate(() => document.activeElement?.id === 'line-2'),
    'its line does not have the focus',
  )
  await visitor.go('/meetings')
  await press('}')
  await page.getByRole('link', { name: 'The price is 300' }).waitFor()
  await visitor.checkPage('decisions')
  await press('}')
  await checkbox.waitFor()
  await press('j')
  if (!(await checkbox.evaluate((node) => node === document.activeElement))) await press('j')
  await checkbox.and(page.locator(':focus')).waitFor()
  await press('Space', 'Shift+T')
  const tasksDialog = page.getByRole('dialog', { name: 'Make tasks of action items' })
  await tasksDialog.getByRole('option').first().waitFor({ state: 'attached' })
  await visitor.checkPage('action-items')
  await press('Enter')
  await checkbox.waitFor({ state: 'detached' })
  const [item] = (await getMeeting()).action_items
  assert.equal(item.quote, 'I will write the offer.')
  assert.equal(item.at_second, 13)
  assert.equal((await ann.call('get_task', { task_id: item.task.id })).title, 'Write the offer')
  visitor.assertNoProblems()

  const other = await reopenFor(web, carol, `/meetings/${id}#line-1`)
  await other.page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await other.page.getByText('We take 300').count(), 0)
})
