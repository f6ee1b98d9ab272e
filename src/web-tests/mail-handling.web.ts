import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { messageText } from '../testing/mail/setup.ts'
import { noMail } from '../testing/servers/daemons.ts'
import { untilTrue } from '../testing/limits.ts'
import { openWebWithMail, type WebWithMail } from './mail-server.ts'
import { noChromium } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

const skip = noChromium ?? noMail
let rig: WebWithMail
before(async () => {
  if (skip) return
  rig = await openWebWithMail()
  await rig.connect(rig.web.ann, 'alice')
  await rig.connect(rig.web.bob, 'bob')
})
after(() => rig?.close())

const listThreads = async (): Promise<{ id: string; subject: string; labels: string[] }[]> =>
  (await rig.web.ann.call('list_email_threads', { limit: 100 })).items

/** Delivers a mail to the mailbox of alice, who is ann here, and waits for its arrival. */
async function deliver(
  subject: string,
  extraHeaders: string[],
  body = 'See above.\r\n',
): Promise<void> {
  const text = messageText({
    from: 'Cara <cara@else.test>',
    to: 'alice@example.test',
    id: `<${subject.replaceAll(/\W/g, '-')}@else.test>`,
    date: new Date(Date.now() - 60_000),
    subject,
    body,
    more: extraHeaders,
  })
  await rig.put('alice', 'INBOX', [text])
  await untilTrue(
    async () => (await listThreads()).some((thread) => thread.subject === subject),
    'the mail has not arrived',
  )
}

test('by keyboard: labels are created, added to a conversation, removed and undone', {
  skip,
}, async () => {
  await deliver('Invoice 17', ['Precedence: bulk'])
  const currentLabels = async () =>
    (await listThreads()).find(({ subject }) => subject === 'Invoice 17')?.labels ?? []
  const { visitor, page, press } = await reopenFor(rig.web, rig.web.ann, '/mail?split=unread')
  const row = page.getByRole('row').filter({ hasText: 'Invoice 17' })
  await row.waitFor()
  await press('l')
  await choose(page, 'Labels of the conversation', 'bills')
  await row.getByText('bills', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Labels of the conversation' }).fill('')
  await choose(page, 'Labels of the conversation', '2026')
  await row.getByText('2026', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Labels of the conversation' }).fill('')
  await page.getByRole('option', { name: 'bills', selected: true }).waitFor()
  await visitor.checkPage('mail-label-menu')
  await press('Escape')
  await untilTrue(
    async () => (await currentLabels()).length === 2,
    'the labels are not on the mail',
  )
  await page.getByRole('region', { name: 'Labels' }).getByText('bills').waitFor()
  await visitor.checkPage('mail-labels')
  await press('l')
  await choose(page, 'Labels of the conversation', 'bills')
  await press('Escape')
  await untilTrue(
    async () => (await currentLabels()).join() === '2026',
    'the label was not taken off the mail',
  )
  await row.getByText('bills', { exact: true }).waitFor({ state: 'detached' })
  await press('z')
  await row.getByText('bills', { exact: true }).waitFor()
  await untilTrue(async () => (await currentLabels()).length === 2, 'the label has not come back')
  visitor.assertNoProblems()
})

test('by keyboard: several conversations are selected, labeled, snoozed, archived at once, and each action is undone at once', {
  skip,
}, async () => {
  const subjects = ['Offer 1', 'Offer 2', 'Offer 3', 'Offer 4']
  for (const subject of subjects) await deliver(subject, ['Precedence: bulk'])
  const listOffers = async () =>
    (await rig.web.ann.call('list_email_threads', { limit: 100 })).items.filter((thread: any) =>
      thread.subject.startsWith('Offer'),
    )
  const labeledCount = async () =>
    (await listOffers()).filter(({ labels }: any) => labels.includes('offers')).length
  const { visitor, page, press } = await openFor(rig.web, rig.web.ann, '/mail?split=unread')
  const row = (subject: string) => page.getByRole('row').filter({ hasText: subject })
  await row('Offer 1').waitFor()
  await row('Offer 4').focus()
  await press('x', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await page.getByText('3 selected').waitFor()
  await visitor.checkPage('mail-picked')
  await press('l')
  await choose(page, 'Labels of the selected conversations', 'offers')
  await page.getByRole('option', { name: 'offers', selected: true }).waitFor()
  await press('Escape')
  await untilTrue(
    async () => (await labeledCount()) === 3,
    'not three conversations have the label',
  )
  await page.getByText('3 selected').waitFor()

  await press('e')
  await row('Offer 3').waitFor({ state: 'detached' })
  await row('Offer 1').waitFor()
  assert.equal(await page.getByText('3 selected').count(), 0)
  const inboxCount = async () =>
    (await listOffers()).filter((thread: any) => thread.in_inbox).length
  await untilTrue(async () => (await inboxCount()) === 1, 'not three conversations are archived')
  await page.getByText('Archived: 3 conversations').waitFor()
  await press('z')
  await row('Offer 4').waitFor()
  await untilTrue(async () => (await inboxCount()) === 4, 'not all of them are back')

  await row('Offer 2').click({ modifiers: ['Control'] })
  await row('Offer 4').click({ modifiers: ['Control'] })
  await page.getByText('2 selected').waitFor()
  await press('h')
  await page.getByRole('option', { name: /^Tomorrow morning/ }).waitFor()
  await press('Enter')
  await row('Offer 2').waitFor({ state: 'detached' })
  const snoozedCount = async () =>
    (await listOffers()).filter((thread: any) => thread.snoozed_until).length
  await untilTrue(async () => (await snoozedCount()) === 2, 'not two conversations are snoozed')
  await press('z')
  await untilTrue(async () => (await snoozedCount()) === 0, 'they are still snoozed')
  await row('Offer 4').waitFor()

  await press('Control+a')
  await page.getByText(/^[4-9] selected$/).waitFor()
  await press('Escape')
  await page.getByRole('toolbar', { name: 'Selected conversations' }).waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

const reportBody = [
  '--part',
  'Content-Type: text/plain',
  '',
  'Here it is.',
  '--part',
  'Content-Type: text/plain; name="report.txt"',
  'Content-Disposition: attachment; filename="report.txt"',
  '',
  'All is well.',
  '--part--',
  '',
].join('\r\n')

test('by keyboard: attachments are saved to a drive folder, and a link opens the file', {
  skip,
}, async () => {
  const { web } = rig
  await deliver(
    'The report',
    ['Precedence: bulk', 'Content-Type: multipart/mixed; boundary="part"'],
    reportBody,
  )
  const { items: drives } = await web.ann.call('list_drives', {})
  await web.ann.call('create_folder', { parent_id: drives[0].root_folder_id, name: 'Reports' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/mail?split=unread&open=true')
  await page.getByRole('row').filter({ hasText: 'The report' }).focus()
  const saveButton = page.getByRole('button', { name: 'Save report.txt to the drive' })
  await saveButton.waitFor()
  await press('Shift+s')
  const dialog = page.getByRole('dialog', { name: /^Save to/ })
  await dialog.getByRole('button', { name: 'Reports' }).press('Enter')
  await page.getByRole('dialog', { name: 'Save to: Reports' }).waitFor()
  await visitor.checkPage('mail-save-attachment')
  await dialog.getByRole('button', { name: 'Save here' }).press('Enter')
  const link = page.getByRole('complementary').getByRole('link', { name: 'report.txt' })
  await link.waitFor()
  await visitor.checkPage('mail-saved-attachment')
  await link.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'report.txt' }).waitFor()
  const { items } = await web.ann.call('search_files', { query: 'report.txt' })
  assert.equal(items[0].file.parent_id !== drives[0].root_folder_id, true)
  visitor.assertNoProblems()
})

test('by keyboard: a list is unsubscribed by mail after confirmation; a second time, or if that is impossible, it says so', {
  skip,
}, async () => {
  const { web } = rig
  await deliver('Our offers', [
    'List-Id: Offers <offers.else.test>',
    'List-Unsubscribe: <mailto:bob@example.test?subject=leave%20offers>',
  ])
  const { visitor, page, press } = await reopenFor(web, web.ann, '/mail?split=unread&open=true')
  await page.getByRole('row').filter({ hasText: 'Our offers' }).focus()
  await page.getByText('This conversation comes from a list.').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Unsubscribe from Cara?' })
  await press('Shift+q')
  await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).waitFor()
  await visitor.checkPage('mail-unsubscribe')
  assert.deepEqual(await rig.subjects('bob', 'INBOX'), []) // nothing is sent before the confirmation
  await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).press('Enter')
  await dialog.getByText('The sender was asked to stop.').waitFor()
  await visitor.checkPage('mail-unsubscribed')
  await press('Escape')
  await untilTrue(
    async () => (await rig.subjects('bob', 'INBOX')).includes('leave offers'),
    'the sender was not asked',
  )
  await press('Shift+q')
  await dialog.getByLabel(/Also archive/).waitFor()
  await dialog.getByLabel(/Also archive/).press('Space')
  await dialog.getByRole('checkbox', { checked: true }).waitFor()
  await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).press('Enter')
  await dialog.getByText('You have already unsubscribed from this sender.').waitFor()
  await dialog.getByText(/archived\.$/).waitFor()
  await press('Escape')

  await deliver('Their news', [
    'List-Id: News <news.else.test>',
    'List-Unsubscribe: <https://else.test/leave>',
  ])
  await page.getByRole('row').filter({ hasText: 'Their news' }).focus()
  await page.getByRole('heading', { name: 'Their news' }).waitFor()
  await page.getByText('This conversation comes from a list.').waitFor()
  await press('Shift+q')
  await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).press('Enter')
  await dialog.getByRole('link', { name: 'else.test/leave' }).waitFor()
  await visitor.checkPage('mail-unsubscribe-by-hand')
  visitor.assertNoProblems()
})

test('archiving and labeling more than twenty conversations asks first with the count per account, and one undo reverts it', {
  skip,
}, async () => {
  const texts = Array.from({ length: 22 }, (_, n) =>
    messageText({
      from: 'Cara <cara@else.test>',
      to: 'alice@example.test',
      id: `<circular-${n}@else.test>`,
      date: new Date(Date.now() - 60_000 * (n + 1)),
      subject: `Circular ${n}`,
      body: 'See above.\r\n',
      more: ['Precedence: bulk'],
    }),
  )
  await rig.put('alice', 'INBOX', texts)
  const listCirculars = async (): Promise<{ subject: string; in_inbox: boolean }[]> =>
    (await rig.web.ann.call('list_email_threads', { limit: 100 })).items.filter(
      ({ subject }: { subject: string }) => subject.startsWith('Circular'),
    )
  await untilTrue(async () => (await listCirculars()).length === 22, 'the mail has not arrived')
  const inboxCount = async () => (await listCirculars()).filter((thread) => thread.in_inbox).length
  const { visitor, page, press } = await reopenFor(rig.web, rig.web.ann, '/mail?split=unread')
  await page.getByRole('row').filter({ hasText: 'Circular 0' }).waitFor()
  await press('Control+a')
  const selectedCount = Number(
    (await page.getByText(/^\d+ selected$/).textContent())?.split(' ')[0],
  )
  assert.ok(selectedCount >= 22)
  await press('e')
  const dialog = page.getByRole('dialog', { name: `Archive ${selectedCount} conversations?` })
  await dialog.getByText(new RegExp(`@.* \\(${selectedCount}\\)`)).waitFor()
  await visitor.checkPage('mail-many')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await inboxCount(), 22)
  await press('e')
  await dialog.getByRole('button', { name: 'Archive' }).press('Enter')
  await untilTrue(async () => (await inboxCount()) === 0, 'they are not archived')
  await press('z')
  await untilTrue(async () => (await inboxCount()) === 22, 'they have not come back')

  const labeledCount = async () =>
    (await rig.web.ann.call('list_email_threads', { limit: 100 })).items.filter(
      ({ labels }: { labels: string[] }) => labels.includes('Circulars'),
    ).length
  await page.getByRole('row').filter({ hasText: 'Circular 0' }).waitFor()
  await press('Control+a')
  await page.getByText(`${selectedCount} selected`).waitFor()
  await press('l')
  await choose(page, 'Labels of the selected conversations', 'Circulars')
  const confirmDialog = page.getByRole('dialog', {
    name: `Put the label Circulars on ${selectedCount} conversations?`,
  })
  await confirmDialog.getByText(new RegExp(`@.* \\(${selectedCount}\\)`)).waitFor()
  await visitor.checkPage('mail-many-labels')
  await press('Escape')
  await confirmDialog.waitFor({ state: 'detached' })
  assert.equal(await labeledCount(), 0)
  await press('l')
  await choose(page, 'Labels of the selected conversations', 'Circulars')
  await confirmDialog.getByRole('button', { name: 'Add the label' }).press('Enter')
  await untilTrue(async () => (await labeledCount()) === selectedCount, 'they have no label')
  await press('Escape', 'z')
  await untilTrue(async () => (await labeledCount()) === 0, 'the label is still there')
  visitor.assertNoProblems()
})
