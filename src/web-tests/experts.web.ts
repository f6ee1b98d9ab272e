import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

test('by keyboard: experts on a subject are found from the command menu and the search, with reasons', {
  skip,
}, async () => {
  const { ann, bob } = web
  await bob.call('create_page', {
    title: 'Renewing certificates',
    body_markdown: 'How the certificates of the gateway are renewed, step by step.',
    visibility: 'organization',
  })
  const { visitor, page, press } = await openFor(web, ann, '/')
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search and go to' }).waitFor()
  await page.keyboard.type('renewing certificates')
  await page.getByRole('option', { name: /^Renewing certificates/ }).waitFor() // the list is complete
  await press('ArrowUp')
  await page.getByRole('option', { name: /^Who knows about “renewing/, selected: true }).waitFor()
  await press('Enter')
  await page
    .getByRole('list', { name: 'Why Bob' })
    .getByText(/Bob wrote/)
    .waitFor()
  await visitor.checkPage('experts')
  await press('j')
  await untilTrue(
    async () => (await page.evaluate(() => document.activeElement?.textContent)) === 'Bob',
    'the keys do not lead to Bob',
  )
  await press('f')
  await page.getByRole('searchbox', { name: 'Subject' }).fill('volcanoes')
  await press('Enter')
  await page.getByRole('heading', { name: 'No one found' }).waitFor()

  await visitor.go('/search?q=certificates')
  await page.getByRole('link', { name: 'Who knows about this?' }).waitFor()
  await page.getByRole('link', { name: 'Renewing certificates' }).first().waitFor()
  await press('w')
  await page.getByRole('link', { name: 'Bob' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('q'), 'certificates')
  await press('j', 'Enter')
  await page.getByRole('heading', { name: 'Bob', level: 1 }).waitFor()
  visitor.assertNoProblems()
})
