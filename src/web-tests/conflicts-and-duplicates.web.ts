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

test('by keyboard: calendar conflicts are listed, and lead to the events', {
  skip,
}, async () => {
  const event = (title: string, hour: number) => ({
    title,
    starts_at: `2026-12-02T${hour}:00:00+01:00`,
    ends_at: `2026-12-02T${hour + 1}:30:00+01:00`,
  })
  await web.ann.call('create_event', event('Review of the plan', 10))
  await web.ann.call('create_event', event('Talk with Tom', 11))
  const { visitor, page, press } = await openFor(web, web.ann, '/calendar?view=week&day=2026-12-02')
  await page.locator('[data-event]').first().waitFor()
  await press('x')
  const dialog = page.getByRole('dialog', { name: 'Conflicts in the days shown' })
  await dialog.getByText('At the same time').waitFor()
  await dialog.getByText('Move or decline one of').waitFor()
  await visitor.checkPage('calendar-conflicts')
  await dialog.getByRole('link', { name: 'Talk with Tom' }).first().focus()
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Talk with Tom' }).waitFor()
  await visitor.go('/calendar?view=week&day=2027-03-03')
  await press('x')
  await dialog.getByText('Your events of these days do not conflict.').waitFor()
  visitor.assertNoProblems()
})

test('by keyboard: duplicate contacts are found and merged one after another', {
  skip,
}, async () => {
  const create = (name: string, email: string) =>
    web.ann.call('create_contact', { name, emails: [email] })
  const contacts = async () => (await web.ann.call('list_contacts', {})).items
  await create('Grace Hopper', 'grace@mills.example')
  await create('G. Hopper', 'grace+news@mills.example')
  await create('Ada Lovelace', 'ada@mills.example')
  const { visitor, page, press } = await openFor(web, web.ann, '/contacts')
  await page.getByText('Ada Lovelace').first().waitFor()
  await press('Shift+D')
  const dialog = page.getByRole('dialog', { name: 'Duplicate contacts' })
  await dialog.getByText('Same email address').waitFor()
  await visitor.checkPage('contact-duplicates')
  await dialog.getByRole('button', { name: /^Merge .*Hopper/ }).focus()
  await press('Enter')
  await page.getByRole('dialog', { name: 'Merge 2 contacts' }).waitFor()
  await page
    .getByRole('button', { name: 'Merge', exact: true })
    .and(page.locator(':enabled'))
    .focus()
  await press('Enter')
  await untilTrue(async () => (await contacts()).length === 2, 'they were not merged')
  await dialog.getByText('No contacts look like the same person.').waitFor()
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await press('z')
  await untilTrue(async () => (await contacts()).length === 3, 'the merge was not undone')
  assert.equal(await page.getByRole('dialog').count(), 0)
  visitor.assertNoProblems()
})
