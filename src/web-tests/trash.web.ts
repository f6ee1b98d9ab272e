import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const labels = async (): Promise<{ id: string; name: string; color: string }[]> =>
  (await web.ann.call('list_labels', {})).items

test('by keyboard: labels are created, renamed, recolored and deleted, and restored from the trash', {
  skip,
}, async () => {
  const before = (await labels()).length
  const { visitor, page, press } = await reopenFor(web, web.ann, '/settings/labels')
  const rows = page.getByRole('list', { name: 'Labels' })
  await page.getByRole('button', { name: 'New label' }).press('Enter')
  const making = page.getByRole('dialog', { name: 'New label' })
  await making.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Urgent stuff')
  await press('Enter')
  await rows.getByText('Urgent stuff').waitFor()
  await rows.getByRole('button', { name: 'Edit Urgent stuff' }).press('Enter')
  const editing = page.getByRole('dialog', { name: 'Edit Urgent stuff' })
  await editing.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await editing.getByLabel('Name').fill('Urgent')
  await editing.getByLabel('Colour').fill('#c2410c')
  await visitor.look('label-edit')
  await editing.getByLabel('Name').press('Enter')
  await rows.getByText('Urgent', { exact: true }).waitFor()
  const label = (await labels()).find(({ name }) => name === 'Urgent')
  assert.equal(label?.color, '#c2410c')
  await visitor.look('labels')
  await rows.getByRole('button', { name: 'Delete Urgent' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete the label Urgent?' })
  await question.getByText('It is on nothing.').waitFor()
  await question.getByRole('button', { name: 'Delete' }).press('Enter')
  await rows.getByText('Urgent', { exact: true }).waitFor({ state: 'detached' })
  await untilTrue(async () => (await labels()).length === before, 'the label was not deleted')

  await visitor.go('/settings/trash')
  await page.getByRole('button', { name: 'Restore Urgent' }).waitFor()
  visitor.well()
})

test('by keyboard: the trash is narrowed by kind and by deleter, and an item is restored; other deletions appear live', {
  skip,
}, async () => {
  const page1 = await web.ann.call('create_page', { title: 'Old plan', body_markdown: 'Once.' })
  await web.ann.call('delete_page', { page_id: page1.id })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/settings/trash')
  const restore = page.getByRole('button', { name: 'Restore Old plan' })
  await restore.waitFor()
  await page
    .getByText(/Deleted by Ann.* · gone for good on/)
    .first()
    .waitFor()
  await visitor.look('trash')
  await page.getByLabel('Kind').selectOption('label')
  await restore.waitFor({ state: 'detached' })
  await page.getByLabel('Kind').selectOption('page')
  await page.getByLabel('Deleted by').selectOption('me')
  await restore.waitFor()
  const page2 = await web.ann.call('create_page', { title: 'Older plan', body_markdown: 'Once.' })
  await web.ann.call('delete_page', { page_id: page2.id })
  await page.getByRole('button', { name: 'Restore Older plan' }).waitFor() // it comes by itself
  await page.getByLabel('Deleted by').press('Escape')
  await restore.press('Enter')
  await restore.waitFor({ state: 'detached' })
  await page.getByText('Restored: Old plan').waitFor()
  assert.equal((await web.ann.call('get_page', { page_id: page1.id })).title, 'Old plan')
  await press('Tab')
  visitor.well()
})
