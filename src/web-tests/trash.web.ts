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

const listLabels = async (): Promise<{ id: string; name: string; color: string }[]> =>
  (await web.ann.call('list_labels', {})).items

test('by keyboard: labels are created, renamed, recolored and deleted, and restored from the trash', {
  skip,
}, async () => {
  const initialCount = (await listLabels()).length
  const { visitor, page, press } = await reopenFor(web, web.ann, '/settings/labels')
  const rows = page.getByRole('list', { name: 'Labels' })
  await page.getByRole('button', { name: 'New label' }).press('Enter')
  const createDialog = page.getByRole('dialog', { name: 'New label' })
  await createDialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Urgent stuff')
  await press('Enter')
  await rows.getByText('Urgent stuff').waitFor()
  await rows.getByRole('button', { name: 'Edit Urgent stuff' }).press('Enter')
  const editDialog = page.getByRole('dialog', { name: 'Edit Urgent stuff' })
  await editDialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await editDialog.getByLabel('Name').fill('Urgent')
  await editDialog.getByLabel('Colour').fill('#c2410c')
  await visitor.checkPage('label-edit')
  await editDialog.getByLabel('Name').press('Enter')
  await rows.getByText('Urgent', { exact: true }).waitFor()
  const label = (await listLabels()).find(({ name }) => name === 'Urgent')
  assert.equal(label?.color, '#c2410c')
  await visitor.checkPage('labels')
  await rows.getByRole('button', { name: 'Delete Urgent' }).press('Enter')
  const deleteDialog = page.getByRole('dialog', { name: 'Delete the label Urgent?' })
  await deleteDialog.getByText('It is on nothing.').waitFor()
  await deleteDialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await rows.getByText('Urgent', { exact: true }).waitFor({ state: 'detached' })
  await untilTrue(
    async () => (await listLabels()).length === initialCount,
    'the label was not deleted',
  )

  await visitor.go('/settings/trash')
  await page.getByRole('button', { name: 'Restore Urgent' }).waitFor()
  visitor.assertNoProblems()
})

test('by keyboard: the trash is narrowed by kind and by deleter, and an item is restored; other deletions appear live', {
  skip,
}, async () => {
  const oldPage = await web.ann.call('create_page', { title: 'Old plan', body_markdown: 'Once.' })
  await web.ann.call('delete_page', { page_id: oldPage.id })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/settings/trash')
  const restore = page.getByRole('button', { name: 'Restore Old plan' })
  await restore.waitFor()
  await page
    .getByText(/Deleted by Ann.* · gone for good on/)
    .first()
    .waitFor()
  await visitor.checkPage('trash')
  await page.getByLabel('Kind').selectOption('label')
  await restore.waitFor({ state: 'detached' })
  await page.getByLabel('Kind').selectOption('page')
  await page.getByLabel('Deleted by').selectOption('me')
  await restore.waitFor()
  const olderPage = await web.ann.call('create_page', {
    title: 'Older plan',
    body_markdown: 'Once.',
  })
  await web.ann.call('delete_page', { page_id: olderPage.id })
  await page.getByRole('button', { name: 'Restore Older plan' }).waitFor() // without a reload
  await page.getByLabel('Deleted by').press('Escape')
  await restore.press('Enter')
  await restore.waitFor({ state: 'detached' })
  await page.getByText('Restored: Old plan').waitFor()
  assert.equal((await web.ann.call('get_page', { page_id: oldPage.id })).title, 'Old plan')
  await press('Tab')
  visitor.assertNoProblems()
})
