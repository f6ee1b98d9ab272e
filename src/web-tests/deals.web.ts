import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const getDeal = (id: string) => web.ann.call('get_deal', { deal_id: id })
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (page: Page, name: string) => page.locator('[data-deal]').filter({ hasText: name })

test('by keyboard: a deal is created in one line, moves through the stages, is lost with a reason and reverted', {
  skip,
}, async () => {
  await web.ann.call('create_company', { name: 'Acme Mills' })
  const { deal_stages: stages } = await web.ann.call('get_organization', {})
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'b')
  await page.getByRole('heading', { name: 'No deals yet' }).waitFor()
  await visitor.checkPage('deals-empty')
  await press('c')
  await page.getByRole('textbox', { name: 'New deal' }).waitFor()
  await page.keyboard.type('New looms @acme 12,500 EUR')
  await page.getByText('Acme Mills').waitFor()
  await visitor.checkPage('deal-new')
  await press('Enter')
  await column(page, stages[0]).getByText('New looms').waitFor()
  const firstDeal = async () => (await web.ann.call('list_deals', {})).items[0]
  await untilTrue(async () => (await firstDeal()) !== undefined, 'no deal was made')
  const { id, amount, currency, company } = await firstDeal()
  assert.deepEqual([amount, currency, company.title], [12_500, 'EUR', 'Acme Mills'])

  await page.locator(`[data-deal="${id}"]`).focus()
  await press('Alt+Shift+ArrowRight')
  await untilTrue(async () => (await getDeal(id)).stage === stages[1], 'it was not moved')
  await column(page, stages[1]).getByText('New looms').waitFor()
  await press('Shift+L')
  await page.getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.keyboard.type('Too expensive')
  await press('Enter')
  await untilTrue(async () => (await getDeal(id)).status === 'lost', 'it was not lost')
  await column(page, 'Lost').getByText('Too expensive').waitFor()
  await press('z')
  await untilTrue(async () => (await getDeal(id)).status === 'open', 'it was not reverted')
  await column(page, stages[1]).getByText('New looms').waitFor()
  visitor.assertNoProblems()
})

test('the stage totals match get_pipeline_summary, in each currency', {
  skip,
}, async () => {
  const { deal_stages: stages } = await web.ann.call('get_organization', {})
  const amounts = [
    [1200.5, 'EUR', 0],
    [0.1, 'EUR', 0],
    [0.2, 'EUR', 0],
    [900, 'USD', 0],
    [77_000, 'JPY', 1],
    [3.25, 'EUR', 1],
  ] as const
  for (const [n, [amount, currency, stage]] of amounts.entries())
    await web.ann.call('create_deal', { name: `Sum ${n}`, amount, currency, stage: stages[stage] })
  const { visitor, page } = await reopenFor(web, web.ann, '/deals')
  await card(page, 'Sum 5').waitFor()
  const summary = await web.ann.call('get_pipeline_summary', {})
  for (const { stage, value } of summary.stages as {
    stage: string
    value: Record<string, number>
  }[]) {
    const sumText = (await page.locator(`[data-sum="${stage}"]`).textContent()) ?? ''
    const parts = Object.entries(value).map(([currency, amount]) =>
      new Intl.NumberFormat('en', {
        style: 'currency',
        currency,
        minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
        maximumFractionDigits: 2,
      }).format(amount),
    )
    assert.deepEqual(sumText === '–' ? [] : sumText.split(' + ').sort(), parts.sort(), stage)
  }
  await visitor.checkPage('deals')
  visitor.assertNoProblems()
})

test('by pointer: a deal is dragged, won, reopened, and its values are edited on its page', {
  skip,
}, async () => {
  const { deal_stages: stages } = await web.ann.call('get_organization', {})
  const contact = await web.ann.call('create_contact', { name: 'Joseph Jacquard' })
  const { id } = await web.ann.call('create_deal', { name: 'Spare parts' })
  const { visitor, page } = await reopenFor(web, web.ann, '/deals?show=mine')
  await card(page, 'Spare parts').waitFor()
  await card(page, 'Spare parts').dragTo(column(page, stages[1]))
  await untilTrue(async () => (await getDeal(id)).stage === stages[1], 'it was not dragged')
  await card(page, 'Spare parts').click()
  await page.getByRole('heading', { level: 1, name: 'Spare parts' }).waitFor()
  await page.getByRole('textbox', { name: 'Amount' }).fill('4.5k')
  await page.keyboard.press('Enter')
  await untilTrue(async () => (await getDeal(id)).amount === 4500, 'the amount is not there')
  await page.locator('dl div').filter({ hasText: 'Contacts' }).getByRole('button').click()
  await page.getByRole('combobox', { name: 'Contacts' }).waitFor()
  await page.keyboard.type('jacquard')
  await page.getByRole('option', { name: 'Joseph Jacquard' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await untilTrue(async () => (await getDeal(id)).contacts[0]?.id === contact.id, 'no contact')
  await page.getByRole('textbox', { name: 'What was said' }).fill('Needs them by May')
  await page.keyboard.press('Enter')
  await page.getByText('Needs them by May').first().waitFor() // the activity list shows it, too
  await page.getByRole('button', { name: 'Won', exact: true }).click()
  await untilTrue(async () => (await getDeal(id)).status === 'won', 'it was not won')
  await page.getByRole('button', { name: 'Open again' }).click()
  await untilTrue(async () => (await getDeal(id)).status === 'open', 'it is not open again')
  await visitor.checkPage('deal')
  visitor.assertNoProblems()
})
