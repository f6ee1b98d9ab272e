import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { messageText } from '../testing/mail/setup.ts'
import { noMail } from '../testing/servers/daemons.ts'
import { untilTrue } from '../testing/limits.ts'
import { openWebWithMail, type WebWithMail } from './mail-server.ts'
import { noChromium } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium ?? noMail
let rig: WebWithMail
before(async () => {
  if (skip) return
  rig = await openWebWithMail()
  await rig.connect(rig.web.ann, 'alice')
})
after(() => rig?.close())

/** Delivers mail to the mailbox of alice, who is ann here, and waits for its arrival. */
async function deliver(mails: readonly { subject: string; from: string }[]): Promise<void> {
  const messages = mails.map(({ subject, from }, n) =>
    messageText({
      from,
      to: 'alice@example.test',
      id: `<${subject.replaceAll(/\W/g, '-')}@else.test>`,
      date: new Date(Date.now() - 60_000 + n * 1000),
      subject,
      body: 'See above.\r\n',
      more: ['List-Id: News <news.else.test>', 'Precedence: bulk'],
    }),
  )
  await rig.put('alice', 'INBOX', messages)
  await untilTrue(async () => {
    const { items } = await rig.web.ann.call('list_email_threads', { limit: 100 })
    return items.length >= mails.length
  }, 'the mail has not arrived')
}

const listRules = async () => (await rig.web.ann.call('list_email_rules', {})).items
const labelsOf = async (subject: string): Promise<string[]> => {
  const { items } = await rig.web.ann.call('list_emails', { limit: 100 })
  return items.find((item: { subject: string }) => item.subject === subject).labels
}

test('by keyboard: a rule is created for the sender of a mail, tested on existing mail, applied to it, changed, moved and read', {
  skip,
}, async () => {
  await deliver([
    { subject: 'Invoice or not', from: 'Cara <cara@else.test>' },
    { subject: 'Invoice 17', from: 'Shop <shop@else.test>' },
    { subject: 'Our news', from: 'Shop <shop@else.test>' },
  ])
  const { web } = rig
  const { visitor, page, press } = await openFor(web, web.ann, '/mail?split=unread')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const preview = page.getByRole('list', { name: 'Existing mail that matches' })
  const tabTo = async (name: string, role: 'button' | 'combobox' = 'button') => {
    const target = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
    for (let n = 0; n < 60 && (await target.count()) === 0; n++) await press('Tab')
    await target.waitFor()
  }

  await page.getByRole('row').filter({ hasText: 'Our news' }).focus()
  await page.getByRole('complementary').getByText('From outside: shop@else.test').waitFor()
  await press('Shift+f')
  await page.getByRole('heading', { level: 1, name: 'New mail rule' }).waitFor()
  assert.equal(await field('Condition 1: with what').inputValue(), 'shop@else.test')
  await page.getByText('2 matches, the latest first.').waitFor()
  await tabTo('Add a condition')
  await press('Enter')
  await field('Condition 2: what is compared').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('subj')
  await field('Condition 2: with what').focus()
  await page.keyboard.type('invoice')
  await page.getByText('1 match, the latest first.').waitFor()
  await preview.getByRole('link', { name: 'Invoice 17' }).waitFor()
  assert.deepEqual(await listRules(), []) // the preview creates and changes nothing
  await field('Action 1').selectOption('label')
  await page.getByRole('combobox', { name: 'Labels' }).focus()
  await page.keyboard.type('bills,')
  await field('Also apply it to existing mail').focus()
  await press('Space')
  await visitor.checkPage('mail-rule-new')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await press('Control+a')
  await page.keyboard.type('Bills of the shop')
  await press('Enter')
  await page.getByText('The rule is active, and is being applied to existing mail.').waitFor()

  await page.getByRole('link', { name: 'Bills of the shop' }).waitFor()
  await untilTrue(
    async () => (await labelsOf('Invoice 17')).includes('bills'),
    'the rule was not applied to existing mail',
  )
  assert.deepEqual(await labelsOf('Our news'), [])
  const [createdRule] = await listRules()
  assert.deepEqual(createdRule.conditions, {
    all: [
      { field: 'from', op: 'equals', value: 'shop@else.test' },
      { field: 'subject', op: 'contains', value: 'invoice' },
    ],
  })
  assert.deepEqual(createdRule.actions, [{ type: 'label', params: { label: ['bills'] } }])

  await web.ann.call('create_email_rule', {
    name: 'Large ones',
    conditions: { any: [{ field: 'size_bytes', op: 'greater_than', value: 5_000_000 }] },
    actions: [{ type: 'star' }],
  })
  await page.reload()
  await tabTo('Move Large ones up')
  await press('Enter')
  await page.getByText('The order of the rules was changed.').waitFor()
  assert.deepEqual(
    (await listRules()).map(({ name }: { name: string }) => name),
    ['Large ones', 'Bills of the shop'],
  )
  await visitor.checkPage('mail-rules')

  await page.getByRole('link', { name: 'Bills of the shop' }).focus()
  await press('Enter')
  await field('Condition 2: with what').fill('')
  await page.getByText('2 matches, the latest first.').waitFor()
  await field('Condition 2: with what').fill('news')
  await field('Action 1').selectOption('move')
  await page.getByRole('combobox', { name: 'Folder' }).fill('No such folder')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('alert').filter({ hasText: 'No such folder' }).first().waitFor()
  await page.getByRole('combobox', { name: 'Folder' }).fill('archive')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('The rule was saved.').waitFor()
  const changedRule = (await listRules()).find(({ id }: { id: string }) => id === createdRule.id)
  assert.equal(changedRule.conditions.all[1].value, 'news')
  assert.deepEqual(changedRule.actions, [{ type: 'move', params: { folder: 'archive' } }])
  visitor.assertNoProblems()
})
