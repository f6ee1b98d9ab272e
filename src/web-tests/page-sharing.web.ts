// Pages are shared, published and created from templates on their own page, without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

const getPage = (id: string) => web.ann.call('get_page', { page_id: id })

test('by keyboard: a page is shared with a person in a role, unshared, and opened to the organization', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_page', { title: 'Offsite', body_markdown: 'words' })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByText('words').waitFor()
  await press('s')
  const dialog = page.getByRole('dialog', { name: 'Share Offsite' })
  await dialog.getByText('Owner').waitFor()
  const role = dialog.getByRole('combobox', { name: 'What people you add can do' })
  await role.focus()
  await page.keyboard.type('Can c')
  await dialog.getByRole('button', { name: 'Add people' }).focus()
  await press('Enter')
  await page.getByRole('combobox', { name: 'Add people' }).waitFor()
  await page.keyboard.type('bob')
  await page.getByRole('option', { name: /^Bob/ }).waitFor()
  await press('Enter')
  const bobsRole = dialog.getByRole('combobox', { name: 'What Bob can do' })
  await bobsRole.waitFor()
  await visitor.checkPage('page-share')
  await bobsRole.focus()
  await page.keyboard.type('Can e')
  await untilTrue(
    async () => (await getPage(id)).shares[0]?.role === 'editor',
    'the role of Bob is another one',
  )
  await dialog.getByRole('combobox', { name: 'Who can see it' }).focus()
  await page.keyboard.type('Ev')
  await untilTrue(
    async () => (await getPage(id)).visibility === 'organization',
    'not everyone in the organization sees it',
  )
  await dialog.getByRole('button', { name: 'Remove the access of Bob' }).focus()
  await press('Enter')
  await untilTrue(async () => (await getPage(id)).shares.length === 0, 'Bob still has a share')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await press('z')
  await untilTrue(
    async () => (await getPage(id)).shares.length === 1,
    'undo did not restore the share',
  )
  visitor.assertNoProblems()
})

test('a page is published at an address and unpublished, and others can see that it is public', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_page', {
    title: 'Press kit',
    body_markdown: 'for the world',
    visibility: 'organization',
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${id}`)
  await page.getByText('for the world').waitFor()
  await press('s')
  const dialog = page.getByRole('dialog', { name: 'Share Press kit' })
  await dialog.getByRole('button', { name: 'Publish', exact: true }).focus()
  await press('Enter')
  const link = dialog.getByRole('link', { name: /\/p\/press-kit/ })
  await link.waitFor()
  await visitor.checkPage('page-published')
  const { publication } = await getPage(id)
  const response = await fetch(publication.public_url.replace('localhost', '127.0.0.1'))
  assert.match(await response.text(), /for the world/)
  const bob = await reopenFor(web, web.bob, `/pages/${id}`)
  await bob.page.getByText('for the world').waitFor()
  await bob.press('s')
  const bobsDialog = bob.page.getByRole('dialog', { name: 'Share Press kit' })
  await bobsDialog.getByRole('link', { name: /\/p\/press-kit/ }).waitFor()
  assert.equal(await bobsDialog.getByRole('button', { name: 'Stop publishing' }).count(), 0)
  assert.equal(await bobsDialog.getByRole('button', { name: 'Add people' }).count(), 0)
  await dialog.getByRole('button', { name: 'Stop publishing' }).focus()
  await press('Enter')
  await link.waitFor({ state: 'detached' })
  assert.equal((await getPage(id)).publication, undefined)
  visitor.assertNoProblems()
  bob.visitor.assertNoProblems()
})

test('a page becomes a template, and a new page is created from it below another one', {
  skip,
}, async () => {
  const { id } = await web.ann.call('create_page', {
    title: 'Retro',
    body_markdown: '# {{title}}\n\nBy {{author}}\n',
  })
  const { visitor, page, press } = await openFor(web, web.ann, `/pages/${id}`)
  await page.getByText('By {{author}}').waitFor()
  await page.getByRole('button', { name: 'More' }).focus()
  await press('Enter')
  await page.getByRole('option', { name: 'Save as template' }).waitFor()
  await visitor.checkPage('page-menu')
  await page.getByRole('combobox', { name: 'More' }).focus()
  await page.keyboard.type('template')
  await press('Enter')
  await untilTrue(async () => {
    const { items } = await web.ann.call('list_pages', { kind: 'template' })
    return items.length === 1
  }, 'there is no template')
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await choose(page, 'More', 'export')
  const downloadEvent = page.waitForEvent('download')
  await choose(page, 'Export as', 'markdown')
  const download = await downloadEvent
  assert.equal(download.suggestedFilename(), 'Retro.md')
  const bytes = await (await download.createReadStream()).toArray()
  assert.match(Buffer.concat(bytes).toString(), /By \{\{author\}\}/)
  await press('Shift+c')
  const dialog = page.getByRole('dialog', { name: 'New page below Retro' })
  await dialog.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.keyboard.type('Retro of May')
  await dialog.getByRole('combobox', { name: 'Template' }).focus()
  await page.keyboard.type('Retro')
  await visitor.checkPage('page-new')
  await dialog.getByRole('combobox', { name: 'Template' }).focus()
  await press('Tab', 'Enter')
  await page.getByText('By Ann', { exact: true }).waitFor()
  const { items } = await web.ann.call('list_pages', { parent_id: id })
  assert.deepEqual(
    items.map((item: { title: string }) => item.title),
    ['Retro of May'],
  )
  visitor.assertNoProblems()
})
