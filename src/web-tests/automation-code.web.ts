import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Engineering', key: 'ENG' })
})
after(() => web?.close())

const stopAction = {
  type: 'stop',
  params: { reason: 'For {{ item.title | upcase }}' },
  on_error: 'stop',
}

test('by keyboard: names and functions of a condition are completed, and errors are marked in place', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_automation', {
    name: 'Doors',
    trigger: { type: 'event', params: { event: 'task.created' } },
    conditions: [{ type: 'expression', expression: 'size(item.title) > 3 || now != ""' }],
    actions: [stopAction],
  })
  const savedExpression = async () =>
    (await web.ann.call('get_automation', { automation_id: id })).conditions[0].expression
  const { visitor, page, press } = await openFor(web, web.ann, `/automations/${id}`)
  const field = page.getByRole('textbox', { name: 'Expression' })
  await field.locator('.code-function').filter({ hasText: 'size' }).waitFor()
  await page.getByRole('textbox', { name: 'Reason' }).locator('.code-function').waitFor()
  await visitor.checkPage('automation-code')

  await field.focus()
  await press('Control+a')
  await page.keyboard.type('item.titl')
  await page.getByRole('option', { name: 'item.title' }).waitFor()
  await press('Enter')
  await page.keyboard.type('.starts')
  await page.getByRole('option', { name: 'item.title.startsWith()' }).waitFor()
  await visitor.page.screenshot({ path: 'test-results/web/automation-code-offers.png' })
  await press('Tab')
  await page.keyboard.type('"Door"')
  await press('End', 'Tab')
  assert.ok(
    await page
      .getByRole('button', { name: 'Remove condition 1' })
      .evaluate((button) => button === document.activeElement),
    'Tab does not leave the field',
  )
  await press('Control+s')
  await untilTrue(
    async () => (await savedExpression()) === 'item.title.startsWith("Door")',
    'it is not saved',
  )

  await press('Shift+Tab', 'End')
  await page.keyboard.type(' && itm.title')
  await press('Escape', 'Control+s')
  const alert = field.page().getByRole('alert').filter({ hasText: 'unknown name itm' })
  await alert.last().waitFor()
  assert.equal(await page.locator('.code-wrong').textContent(), 'itm')
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await visitor.checkPage('automation-code-wrong')
  await field.focus()
  await press('End')
  await page.keyboard.type('x')
  await page.locator('.code-wrong').waitFor({ state: 'detached' })
  assert.equal(await savedExpression(), 'item.title.startsWith("Door")')

  await press('Control+a')
  await page.keyboard.type('item.title != ""')
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await reason.focus()
  await press('Control+a')
  await page.keyboard.type('For {{ item.title | tru')
  await page.getByRole('option', { name: 'truncate', exact: true }).waitFor()
  await press('Enter')
  await page.keyboard.type(': 20 }}')
  await press('Control+s')
  const savedReason = async () =>
    (await web.ann.call('get_automation', { automation_id: id })).actions[0].params.reason
  await untilTrue(
    async () => (await savedReason()) === 'For {{ item.title | truncate: 20 }}',
    'the filter is not in the text',
  )
  visitor.assertNoProblems()
})
