import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runTicks } from '../jobs/scheduler.ts'
import { messageText } from '../testing/mail/setup.ts'
import { noMail } from '../testing/servers/daemons.ts'
import { untilTrue } from '../testing/limits.ts'
import { openWebWithMail, type WebWithMail } from './mail-server.ts'
import { noChromium } from './setup.ts'
import { openFor, reopenFor } from './steps.ts'

const skip = noChromium ?? noMail
let rig: WebWithMail
before(async () => {
  if (skip) return
  rig = await openWebWithMail()
  await rig.connect(rig.web.ann, 'alice')
  await rig.connect(rig.web.bob, 'bob')
})
after(() => rig?.close())

const listDrafts = async () =>
  (await rig.web.ann.call('list_email_drafts', {})).items as {
    id: string
    subject: string
    body_markdown: string
    state: string
  }[]

/** Jobs that are running, or could run now. */
const dueJobs = () =>
  rig.web.app.store.read
    .selectFrom('jobs')
    .select('id')
    .where('finished_at', 'is', null)
    .where('run_at', '<=', rig.web.clock.now())
    .execute()

/** Delivers a mail from bob to the mailbox of alice, who is ann here. */
async function deliver(subject: string, body: string): Promise<void> {
  const text = messageText({
    from: 'Bob <bob@example.test>',
    to: 'alice@example.test',
    id: `<${subject.replaceAll(/\W/g, '-')}@example.test>`,
    date: new Date(Date.now() - 60_000),
    subject,
    body,
  })
  await rig.put('alice', 'INBOX', [text])
  await untilTrue(async () => {
    const { items } = await rig.web.ann.call('list_email_threads', { limit: 100 })
    return items.some((thread: { subject: string }) => thread.subject === subject)
  }, 'the mail has not arrived')
}

test('a reply is autosaved, undone within ten seconds without being sent, and then sent once', {
  skip,
}, async () => {
  await deliver('Where is the key?', 'I cannot find it. Can you?\r\n')
  const { visitor, page, press } = await reopenFor(rig.web, rig.web.ann, '/mail')
  const row = page.getByRole('row').filter({ hasText: 'Where is the key?' })
  await row.waitFor()
  await page.getByText('I cannot find it.').last().waitFor()
  await press('r')
  const text = page.getByRole('textbox', { name: 'Text of the mail' })
  await text.and(page.locator(':focus')).waitFor()
  await page.getByText('Bob <bob@example.test>').waitFor()
  await page.keyboard.type('Under the mat.')
  await page.getByText('Saved as a draft').waitFor()
  assert.deepEqual(
    (await listDrafts()).map((draft) => [draft.subject, draft.body_markdown]),
    [['Re: Where is the key?', 'Under the mat.']],
  )
  await visitor.checkPage('mail-reply') // changing the width removes and restores the pane
  assert.equal(await text.inputValue(), 'Under the mat.')
  await page.reload() // the text is restored
  await row.waitFor()
  const card = page.getByRole('region', { name: 'Draft' })
  await card.getByText('Under the mat.').waitFor()
  await visitor.checkPage('mail-draft')
  await card.getByRole('button', { name: 'Continue' }).click()
  await text.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(' Or in it.')
  await press('Control+Enter')
  await page.getByText('Sending: Re: Where is the key?').waitFor()
  await page
    .locator('[data-countdown]')
    .getByText(/^\d+ seconds? to undo$/)
    .waitFor()
  await press('z')
  await text.waitFor()
  assert.equal(await text.inputValue(), 'Under the mat. Or in it.')
  const [restoredDraft] = await listDrafts()
  assert.equal(restoredDraft?.state, 'draft')
  const { items: queued } = await rig.web.ann.call('list_scheduled_emails', {})
  assert.deepEqual(queued, [])
  rig.web.clock.wait(60_000)
  await runTicks(rig.web.app)
  await untilTrue(async () => (await dueJobs()).length === 0, 'jobs are still due')
  assert.deepEqual(await rig.subjects('bob', 'INBOX'), [])
  assert.deepEqual(await rig.subjects('alice', 'Sent'), [])
  await text.focus()
  await press('Control+Enter')
  await page.getByText('Sending: Re: Where is the key?').waitFor()
  rig.web.clock.wait(11_000)
  await runTicks(rig.web.app)
  await untilTrue(
    async () => (await rig.subjects('bob', 'INBOX')).length === 1,
    'the mail has not arrived',
  )
  assert.deepEqual(await rig.subjects('bob', 'INBOX'), ['Re: Where is the key?'])
  assert.deepEqual(await listDrafts(), [])
  visitor.assertNoProblems()
})

test('a new mail with a file is sent by keyboard; invalid addresses are reported, and Escape keeps the draft', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(rig.web, rig.web.ann, '/mail')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New mail' })
  await dialog.getByRole('combobox', { name: 'To' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('nobody')
  await press('Enter')
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('The plan')
  await dialog.getByRole('textbox', { name: 'Text of the mail' }).fill('Here it is.')
  await press('Control+Enter')
  await dialog.getByText('“nobody” is not an email address.').waitFor()
  await visitor.checkPage('mail-new')
  await dialog.getByRole('combobox', { name: 'To' }).focus()
  await press('Backspace')
  await page.keyboard.type('bob@example.test,')
  await dialog.getByText('Saved as a draft').waitFor()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const savedDraft = (await listDrafts()).find((draft) => draft.subject === 'The plan')
  assert.equal(savedDraft?.body_markdown, 'Here it is.')
  visitor.assertNoProblems()
})

test('a sent mail is delayed for the time chosen in the settings', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(rig.web, rig.web.ann, '/settings/mail')
  const choice = page.getByLabel('Taken back within')
  assert.equal(await choice.inputValue(), '10')
  await choice.selectOption('30 seconds')
  await visitor.checkPage('mail-undo-time')
  await visitor.go('/settings/mail')
  assert.equal(await choice.inputValue(), '30')
  await visitor.go('/mail')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New mail' })
  await dialog.getByRole('combobox', { name: 'To' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('bob@example.test,')
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Held longer')
  await dialog.getByRole('textbox', { name: 'Text of the mail' }).fill('For half a minute.')
  await press('Control+Enter')
  await page.getByText('Sending: Held longer').waitFor()
  await page
    .locator('[data-countdown]')
    .getByText(/^(2\d|30) seconds to undo$/)
    .waitFor()
  await press('z')
  await dialog.waitFor()
  assert.deepEqual((await rig.web.ann.call('list_scheduled_emails', {})).items, [])
  visitor.assertNoProblems()
})

test('an assistant draft appears in the conversation with its author and what it had read', {
  skip,
}, async () => {
  await deliver('Offer for the roof', 'What would it cost?\r\n')
  const { items } = await rig.web.ann.call('list_email_threads', { limit: 100 })
  const thread = items.find((item: { subject: string }) => item.subject === 'Offer for the roof')
  const { key } = await rig.web.keyFor(rig.web.ann, { name: 'Inbox helper' })
  const threadResponse = await rig.web.ask('GET', `/api/email-threads/${thread.id}`, { key })
  const draftResponse = await rig.web.ask('POST', '/api/email-drafts', {
    key,
    body: {
      reply_to_email_id: threadResponse.json.messages[0].id,
      body_markdown: 'About 9,000 euros.',
    },
  })
  assert.equal(draftResponse.status, 201)
  const { visitor, page } = await reopenFor(rig.web, rig.web.ann, '/mail')
  await page.getByRole('row').filter({ hasText: 'Offer for the roof' }).click()
  const card = page.getByRole('region', { name: 'Draft' })
  await card.getByText('About 9,000 euros.').waitFor()
  await card.getByText(/Written by Inbox helper\. It had read .*Offer for the roof/).waitFor()
  await visitor.checkPage('mail-assistant-draft')
  visitor.assertNoProblems()
})

test('a mail waiting for approval is edited as a draft and sent once, and the assistant is informed', {
  skip,
}, async () => {
  const { web } = rig
  await deliver('When do we meet?', 'Any time next week.\r\n')
  const { items } = await web.ann.call('list_email_threads', { limit: 100 })
  const { last_email_id } = items.find(
    (thread: { subject: string }) => thread.subject === 'When do we meet?',
  )
  const { key } = await web.keyFor(web.ann, { name: 'Mail helper', holdOutbound: true })
  const sendReply = () =>
    web.ask('POST', `/api/emails/${last_email_id}/reply`, {
      key,
      body: { body_markdown: 'On Monday.', quote: 'none' },
    })
  const refusal = await sendReply()
  assert.equal(refusal.json.code, 'approval_required')
  const { visitor, page, press } = await reopenFor(web, web.ann, '/inbox')
  const row = page.getByRole('row').filter({ hasText: 'Mail helper asks for your approval' })
  await row.click()
  await page.getByRole('article').getByText('On Monday.').first().waitFor()
  await press('Shift+r')
  const dialog = page.getByRole('dialog', { name: 'The mail as your draft' })
  const text = dialog.getByRole('textbox', { name: 'Text of the mail' })
  await text.and(page.locator(':focus')).waitFor()
  assert.equal(await text.inputValue(), 'On Monday.')
  await dialog.getByText('bob@example.test').waitFor()
  await row.waitFor({ state: 'detached' })
  await visitor.checkPage('approval-as-draft')
  const approval = await web.ask('GET', `/api/approvals/${refusal.json.approval_id}`, { key })
  const [draft] = (await listDrafts()).filter(({ subject }) => subject === 'Re: When do we meet?')
  assert.deepEqual(
    [approval.json.status, approval.json.reason],
    ['denied', `I edit this mail myself and send it, as draft ${draft?.id}. Do not send it.`],
  )
  assert.match((await sendReply()).json.message, /I edit this mail myself/)
  await text.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' At ten.')
  await press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  web.clock.wait(11_000)
  await runTicks(web.app)
  await untilTrue(
    async () => (await rig.subjects('bob', 'INBOX')).includes('Re: When do we meet?'),
    'the mail was not sent',
  )
  const deliveredSubjects = await rig.subjects('bob', 'INBOX')
  assert.equal(deliveredSubjects.filter((subject) => subject === 'Re: When do we meet?').length, 1)
  assert.deepEqual(
    (await listDrafts()).filter(({ subject }) => subject === 'Re: When do we meet?'),
    [],
  )
  visitor.assertNoProblems()
})

test('a forward by an assistant is edited first, sent once by the person, and the assistant is informed', {
  skip,
}, async () => {
  const { web } = rig
  await deliver('Bill of the plumber', 'Please pay it by Friday.\r\n')
  const { items } = await web.ann.call('list_email_threads', { limit: 100 })
  const { last_email_id } = items.find(
    (thread: { subject: string }) => thread.subject === 'Bill of the plumber',
  )
  const { key } = await web.keyFor(web.ann, { name: 'Bill helper', holdOutbound: true })
  const refusal = await web.ask('POST', `/api/emails/${last_email_id}/forward`, {
    key,
    body: { to: ['bob@example.test'], note_markdown: 'Pay this', include_attachments: false },
  })
  assert.equal(refusal.json.code, 'approval_required')
  const { visitor, page, press } = await reopenFor(web, web.ann, '/inbox')
  await page.getByRole('row').filter({ hasText: 'Bill helper asks for your approval' }).click()
  await page.getByRole('article').getByText('Pay this').first().waitFor()
  await press('Shift+r')
  const dialog = page.getByRole('dialog', { name: 'The mail as your draft' })
  const note = dialog.getByRole('textbox', { name: 'A note above the forwarded message' })
  await note.and(page.locator(':focus')).waitFor()
  assert.equal(await note.inputValue(), 'Pay this')
  await dialog.getByText('bob@example.test').waitFor()
  assert.equal(await dialog.getByLabel('Leave out the files').isChecked(), true)
  await visitor.checkPage('approval-forward-as-draft')
  const approval = await web.ask('GET', `/api/approvals/${refusal.json.approval_id}`, { key })
  assert.deepEqual(
    [approval.json.status, approval.json.reason],
    ['denied', 'I edit this mail myself and forward it. Do not forward it.'],
  )
  await note.focus()
  await press('Escape') // it is not lost: forwarding the mail opens it again
  await dialog.waitFor({ state: 'detached' })
  await visitor.go('/mail')
  await page.getByRole('row').filter({ hasText: 'Bill of the plumber' }).click()
  await page.getByText('Please pay it by Friday.').last().waitFor()
  await press('Shift+w')
  const forwardForm = page.getByRole('form', { name: 'Forward' })
  const text = forwardForm.getByRole('textbox', { name: 'A note above the forwarded message' })
  await text.waitFor()
  assert.equal(await text.inputValue(), 'Pay this')
  assert.equal(await forwardForm.getByLabel('Leave out the files').isChecked(), true)
  await text.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' soon, please')
  await press('Control+Enter')
  await forwardForm.waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await rig.subjects('bob', 'INBOX')).includes('Fwd: Bill of the plumber'),
    'the mail was not forwarded',
  )
  const deliveredSubjects = await rig.subjects('bob', 'INBOX')
  assert.equal(
    deliveredSubjects.filter((subject) => subject === 'Fwd: Bill of the plumber').length,
    1,
  )
  visitor.assertNoProblems()
})
