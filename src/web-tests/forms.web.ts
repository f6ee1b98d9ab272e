import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const getForm = (id: string) => web.ann.call('get_form', { form_id: id })
const labelsOf = async (id: string) =>
  (await getForm(id)).fields.map((field: { label: string }) => field.label)

const question = (page: Page, name: string) =>
  page.locator('[data-field] [data-row]').filter({ hasText: name })

test('by keyboard: a form is built next to its page, its questions are moved and made conditional, and it is published and closed', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  await press('g', 'f')
  await page.getByRole('heading', { name: 'No forms yet' }).waitFor()
  await visitor.checkPage('forms-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Feedback')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Feedback' }).waitFor()
  const [{ id }] = (await web.ann.call('list_forms', {})).items
  const preview = page.locator('[data-preview]')

  await press('j', 'Enter')
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Did it work?')
  await page.getByRole('combobox', { name: 'Kind of answer' }).selectOption('yes_no')
  await preview.getByRole('radio', { name: 'Yes' }).waitFor()
  await untilTrue(async () => (await getForm(id)).fields[0].type === 'yes_no', 'it was not saved')
  await question(page, 'Did it work').focus()
  await press('a')
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What went wrong?')
  await untilTrue(async () => (await labelsOf(id)).length === 2, 'the question was not added')
  await page.getByRole('combobox', { name: 'Asked' }).selectOption({ index: 1 })
  await page.getByRole('combobox', { name: 'How' }).selectOption('equals')
  await page.getByRole('combobox', { name: 'Value' }).selectOption('false')
  await preview.getByText('Only if “Did it work?” is no').waitFor()
  const savedCondition = async () => (await getForm(id)).fields[1].show_if
  await untilTrue(async () => (await savedCondition())?.value === false, 'no condition was saved')
  assert.deepEqual(await savedCondition(), {
    field_id: (await getForm(id)).fields[0].id,
    op: 'equals',
    value: false,
  })
  await page.getByText('Saved', { exact: true }).waitFor()
  await visitor.checkPage('form-build')

  await press('Alt+ArrowUp')
  await untilTrue(
    async () => (await labelsOf(id)).join() === 'What went wrong?,Did it work?',
    'it was not moved',
  )
  assert.equal((await getForm(id)).fields[0].show_if, undefined)
  await question(page, 'What went wrong').focus()
  await press('z')
  await untilTrue(
    async () => (await labelsOf(id)).join() === 'Did it work?,What went wrong?',
    'the move was not undone',
  )
  await preview.getByText('Only if “Did it work?” is no').waitFor()

  await press('p')
  await page.getByRole('combobox', { name: 'Who may answer' }).selectOption('public')
  await page.getByRole('button', { name: 'Publish', exact: true }).focus()
  await press('Enter')
  await untilTrue(async () => (await getForm(id)).status === 'published', 'it was not published')
  const { public_url: url } = await getForm(id)
  await page.getByRole('link', { name: url }).waitFor()
  const publicPage = await visitor.context.newPage()
  await publicPage.goto(url)
  await publicPage.getByText('Did it work?').waitFor()
  await publicPage.close()
  await page.reload()
  await question(page, 'What went wrong').waitFor()
  await press('p')
  await page.getByRole('textbox', { name: 'What visitors are told' }).fill('Thank you all')
  await press('Enter')
  await untilTrue(async () => (await getForm(id)).status === 'closed', 'it was not closed')
  visitor.assertNoProblems()
})

test('answers are listed in a table, turned into a task and exported; removing an answered question needs confirmation', {
  skip,
}, async () => {
  const project = await web.ann.call('create_project', { name: 'Support', key: 'SUP' })
  const { id } = await web.ann.call('create_form', {
    title: 'Report',
    fields: [
      { id: 'what', label: 'What happened?', type: 'short_text', required: true },
      { id: 'bad', label: 'How bad is it?', type: 'rating' },
    ],
  })
  await web.ann.call('publish_form', { form_id: id, audience: 'organization' })
  for (const [n, person] of [web.bob, web.carol].entries())
    await person.call('submit_form_response', {
      form_id: id,
      answers: { what: n === 0 ? 'Rain comes in' : 'The door is stuck', bad: n + 2 },
    })
  const { visitor, page, press } = await openFor(web, web.ann, `/forms/${id}`)
  await press('}')
  const rows = page.locator('[data-answer]')
  await rows.filter({ hasText: 'The door is stuck' }).waitFor()
  assert.equal(await rows.count(), 2)
  await visitor.checkPage('form-answers')
  await press('f')
  await page.keyboard.type('rain')
  await untilTrue(async () => (await rows.count()) === 1, 'it is not narrowed')
  await rows.getByRole('button', { name: 'Make a task' }).focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Project' }).selectOption(project.id)
  await page.getByRole('textbox', { name: 'Title' }).last().focus()
  await press('Enter')
  const tasks = async () => (await web.ann.call('list_tasks', { project_id: project.id })).items
  await untilTrue(async () => (await tasks()).length === 1, 'no task was made')
  const [download] = await Promise.all([page.waitForEvent('download'), press('Shift+E')])
  assert.equal(download.suggestedFilename(), 'Report.csv')
  const stream = await download.createReadStream()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  assert.ok(text.includes('What happened?') && text.includes('The door is stuck'), text)

  await press('{')
  await question(page, 'How bad is it').focus()
  await press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Remove “How bad is it?”?' })
  await dialog.getByText(/^2 answers to it stay/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await labelsOf(id), ['What happened?', 'How bad is it?'])
  await page.getByRole('button', { name: 'Remove How bad is it?' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await untilTrue(async () => (await labelsOf(id)).length === 1, 'it was not removed')
  await page.getByText('Removed, with answers').waitFor()
  visitor.assertNoProblems()
})

test('settings define what becomes of an answer, and questions are dragged', { skip }, async () => {
  await web.ann.call('create_project', { name: 'Requests', key: 'REQ' })
  const { id } = await web.ann.call('create_form', {
    title: 'Wishes',
    fields: [
      { id: 'wish', label: 'Your wish', type: 'short_text' },
      { id: 'mail', label: 'Your address', type: 'email' },
    ],
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/forms/${id}`)
  const card = (name: string) => page.locator('[data-field]').filter({ hasText: name })
  await question(page, 'Your address').dragTo(card('Your wish'))
  await untilTrue(
    async () => (await labelsOf(id)).join() === 'Your address,Your wish',
    'it was not dragged',
  )
  await press('{')
  await page.getByRole('combobox', { name: 'What an answer becomes' }).selectOption('task')
  await page.getByRole('combobox', { name: 'Project' }).selectOption('REQ')
  await page.getByRole('textbox', { name: 'Title' }).last().fill('Wish: {{wish}}')
  // Unsaved input stays while another person changes the form; everything else updates.
  await web.ann.call('update_form', { form_id: id, settings: { thank_you: 'We read them all' } })
  const thanks = page.getByRole('textbox', { name: 'Thanks, after it was sent' })
  await untilTrue(async () => (await thanks.inputValue()) === 'We read them all', 'it is not shown')
  assert.equal(
    await page.getByRole('textbox', { name: 'Title' }).last().inputValue(),
    'Wish: {{wish}}',
  )
  await visitor.checkPage('form-settings')
  await page.getByRole('button', { name: 'Save' }).focus()
  await press('Enter')
  await untilTrue(async () => (await getForm(id)).destination?.kind === 'task', 'it was not saved')
  assert.deepEqual((await getForm(id)).destination.mapping, {
    project_id: 'REQ',
    title: 'Wish: {{wish}}',
  })
  assert.equal((await getForm(id)).settings.thank_you, 'We read them all')
  await web.ann.call('publish_form', { form_id: id, audience: 'organization' })
  await web.bob.call('submit_form_response', { form_id: id, answers: { wish: 'A bench' } })
  await press('{')
  await page.locator('[data-answer]').filter({ hasText: 'A bench' }).waitFor()
  visitor.assertNoProblems()
})

/** Checks the counts of each question, including removed ones: they filter the answers, and update live. */
async function checkCounts(
  { visitor, page, press }: Awaited<ReturnType<typeof openFor>>,
  id: string,
) {
  await press('v')
  const counts = (field: string) => page.locator(`[data-counts="${field}"]`)
  await counts('rate').getByText('2 answered · mean 5.5 · median 5.5 · from 4 to 7').waitFor()
  await counts('rate').getByText('1 of them answered an earlier wording').waitFor()
  await counts('note').getByRole('heading', { name: 'Anything else? removed' }).waitFor()
  await visitor.checkPage('form-counts')
  const rows = page.locator('[data-answer]')
  await counts('place')
    .getByRole('button', { name: /^Shop\s*earlier choice/ })
    .focus()
  await press('Enter')
  await untilTrue(async () => (await rows.count()) === 1, 'it is not narrowed')
  await rows.filter({ hasText: 'Cold coffee' }).waitFor()
  await page.getByRole('button', { name: 'Show all answers' }).press('Enter')
  await untilTrue(async () => (await rows.count()) === 2, 'it is still narrowed')
  const answers = { rate: 8, place: 'Online' }
  await web.bob.call('submit_form_response', { form_id: id, answers })
  await page.getByRole('button', { name: 'Answers (3)' }).waitFor()
  await counts('rate')
    .getByText(/^3 answered/)
    .waitFor()
  await untilTrue(async () => (await rows.count()) === 3, 'the answer did not appear')
  await press('v')
  await page.getByRole('region', { name: 'By question' }).waitFor({ state: 'detached' })
}

test('an answer keeps the wording it was asked with: in the table, on its page, and noted in the builder', {
  skip,
}, async () => {
  const rate = { id: 'rate', label: 'How good was it?', type: 'rating' }
  const place = { id: 'place', label: 'Where?', type: 'select', options: ['Shop', 'Online'] }
  const note = { id: 'note', label: 'Anything else?', type: 'short_text' }
  const { id } = await web.ann.call('create_form', {
    title: 'Visits',
    fields: [rate, place, note],
  })
  await web.ann.call('publish_form', { form_id: id, audience: 'organization' })
  const answers = { rate: 4, place: 'Shop', note: 'Cold coffee' }
  await web.bob.call('submit_form_response', { form_id: id, answers })
  const fields = [
    { ...rate, max: 10 },
    { ...place, options: ['Store', 'Online'] },
  ]
  await web.ann.call('update_form', { form_id: id, fields })

  const { visitor, page, press } = await reopenFor(web, web.ann, `/forms/${id}`)
  await question(page, 'How good was it').focus()
  await press('Enter')
  await page.getByText(/^1 answer so far\. What you change is for new ones/).waitFor()
  assert.ok(await page.getByRole('combobox', { name: 'Kind of answer' }).isDisabled())
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('How bad was it?')
  await untilTrue(async () => (await labelsOf(id))[0] === 'How bad was it?', 'it was not saved')
  await visitor.checkPage('form-answered-question')
  await web.carol.call('submit_form_response', {
    form_id: id,
    answers: { rate: 7, place: 'Store' },
  })

  await question(page, 'How bad was it').focus()
  await press('}')
  const row = page.locator('[data-answer]').filter({ hasText: 'Cold coffee' })
  await row.getByText('asked as “How good was it?”').waitFor()
  await row.getByText('from 1 to 5').waitFor()
  await row.getByText('choices then: Shop, Online').waitFor()
  await page.getByRole('columnheader', { name: 'Anything else? removed' }).waitFor()
  const newRow = page.locator('[data-answer]').filter({ hasText: 'Carol' })
  assert.doesNotMatch((await newRow.textContent()) ?? '', /asked as|choices then/)
  await visitor.checkPage('form-answers-asked-as')
  await checkCounts({ visitor, page, press }, id)

  await row.getByRole('link').first().focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Answer to Visits' }).waitFor()
  const answerRegion = page.getByRole('region', { name: 'Questions and answers' })
  await answerRegion.getByText('How good was it?').waitFor()
  await answerRegion.getByText('now asked as “How bad was it?”').waitFor()
  await answerRegion.getByText('Cold coffee').waitFor()
  await visitor.checkPage('form-answer')
  visitor.assertNoProblems()
})
