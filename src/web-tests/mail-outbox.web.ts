import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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

interface ScheduledMail {
  send_at: string
  draft: { subject: string; body_markdown: string }
}
const listScheduled = async (): Promise<ScheduledMail[]> =>
  (await rig.web.ann.call('list_scheduled_emails', {})).items

test('by keyboard: a mail is scheduled, rescheduled, recalled for editing, and cancelled', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(rig.web, rig.web.ann, '/mail')
  const row = page.getByRole('region', { name: 'Goes out later' }).getByRole('listitem')
  const chooseTime = async (query: string, option: RegExp) => {
    await page.getByRole('combobox', { name: 'Come back…' }).waitFor()
    await page.keyboard.type(query)
    await page.getByRole('option', { name: option }).first().waitFor()
    await press('Enter')
  }
  await page.getByRole('button', { name: 'Outbox' }).waitFor()
  await press('6')
  await page.getByRole('heading', { name: 'The outbox is empty' }).waitFor()
  await visitor.checkPage('mail-outbox-empty')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New mail' })
  await dialog.getByRole('combobox', { name: 'To' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('bob@example.test,')
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('The plan')
  await dialog.getByRole('textbox', { name: 'Text of the mail' }).fill('Here it is.')
  await press('Control+Shift+Enter')
  await chooseTime('tomorrow 9', /Tomorrow 09:00/)
  await dialog.waitFor({ state: 'detached' })
  await row.getByText('Tomorrow 09:00').waitFor()
  const [first] = await listScheduled()
  assert.equal(first?.draft.subject, 'The plan')
  await rig.web.ann.call('create_email_draft', {
    to: ['carol@example.test'],
    subject: 'Half a thought',
    body_markdown: 'Not yet.',
  })
  await page.getByRole('region', { name: 'Drafts' }).getByText('Half a thought').waitFor()
  await visitor.checkPage('mail-outbox')

  await row.getByRole('button').first().focus()
  await press('h')
  await chooseTime('tomorrow 15:00', /Tomorrow 15:00/)
  await row.getByText('Tomorrow 15:00').waitFor()
  const [rescheduled] = await listScheduled()
  assert.equal(Date.parse(rescheduled!.send_at) - Date.parse(first!.send_at), 6 * 3_600_000)

  await row.getByRole('button').first().focus()
  await press('x')
  await page.getByText('Not sent, a draft again: The plan').waitFor() // checked first: it goes after eight seconds
  await row.waitFor({ state: 'detached' })
  assert.deepEqual(await listScheduled(), [])
  await page.getByRole('button', { name: 'Undo' }).first().press('Enter')
  await row.getByText('Tomorrow 15:00').waitFor()

  await row.getByRole('button').first().focus()
  await press('Enter')
  const text = dialog.getByRole('textbox', { name: 'Text of the mail' })
  await text.waitFor()
  assert.deepEqual(await listScheduled(), []) // it is not sent while it is being edited
  await text.fill('Here it is, at last.')
  await press('Control+Shift+Enter')
  await chooseTime('tomorrow 10', /Tomorrow 10:00/)
  await row.getByText('Tomorrow 10:00').waitFor()
  await untilTrue(
    async () => (await listScheduled())[0]?.draft.body_markdown === 'Here it is, at last.',
    'the scheduled mail does not have the change',
  )
  visitor.assertNoProblems()
})
