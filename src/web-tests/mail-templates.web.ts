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

const listTemplates = async () => (await rig.web.ann.call('list_email_templates', {})).items

test('by keyboard: a template is written, inserted into a mail with recipient and next variable, and deleted', {
  skip,
}, async () => {
  const { web } = rig
  const { visitor, page, press } = await openFor(web, web.ann, '/settings/mail')
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await page.getByRole('link', { name: 'New template' }).focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New template' }).waitFor()
  await field('Name').fill('Offer')
  await field('Subject').fill('Our offer for {{name}}')
  await field('Text').fill('Dear {{first_name}},\n\nit is {{price}}.')
  await visitor.checkPage('mail-template-new')
  await field('Name').focus()
  await press('Enter')
  await page.getByRole('link', { name: 'Offer' }).waitFor()
  assert.deepEqual(
    (await listTemplates()).map((item: { variables: string[] }) => item.variables.toSorted()),
    [['first_name', 'name', 'price']],
  )

  await visitor.go('/mail')
  await press('c')
  const dialog = page.getByRole('dialog', { name: 'New mail' })
  await dialog.getByRole('combobox', { name: 'To' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Cara Long <cara@else.test>,')
  const text = dialog.getByRole('textbox', { name: 'Text of the mail' })
  await text.focus()
  await dialog.getByRole('button', { name: 'Insert a template' }).press('Enter')
  await page.getByRole('option', { name: /Offer/ }).waitFor()
  await visitor.checkPage('mail-template-insert')
  await page.getByRole('combobox', { name: 'Insert a template' }).press('Enter')
  await text.and(page.locator(':focus')).waitFor()
  assert.equal(
    await dialog.getByRole('textbox', { name: 'Subject' }).inputValue(),
    'Our offer for Cara Long',
  )
  await untilTrue(
    () => text.evaluate((node) => (node as HTMLTextAreaElement).selectionEnd === 27),
    'the variable is not selected',
  )
  await page.keyboard.type('9 euros')
  assert.equal(await text.inputValue(), 'Dear Cara,\n\nit is 9 euros.')
  await page.keyboard.type(' {{discount}}')
  await press('Control+Enter')
  await dialog.getByText('{{discount}} is still open.').waitFor()
  assert.match(await text.inputValue(), /discount/)
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await visitor.go('/settings/mail')
  await page.getByRole('link', { name: 'Offer' }).focus()
  await press('Enter')
  await page.getByRole('button', { name: 'Delete the template' }).focus()
  await press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete the template Offer?' })
  await question.getByRole('button', { name: 'Delete the template' }).focus()
  await press('Enter')
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
  assert.deepEqual(await listTemplates(), [])
  visitor.assertNoProblems()
})
