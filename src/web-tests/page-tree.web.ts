// Pages are found, made and moved in their tree, without a mouse and with one.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor, untilTrue } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined)
})
after(() => web?.close())

interface Branch {
  id: string
  title: string
  children: Branch[]
}

/** The tree as ann sees it: `a(b c) d`. */
async function outline(): Promise<string> {
  const { nodes } = await web.ann.call('get_page_tree', { depth: 100, scope: 'own' })
  const of = (branches: Branch[]): string =>
    branches
      .map(({ title, children }) => title + (children.length > 0 ? `(${of(children)})` : ''))
      .join(' ')
  return of(nodes)
}

const untilOutline = async (wanted: string) => {
  let last = ''
  await untilTrue(
    async () => {
      last = await outline()
      return last === wanted
    },
    () => `the tree is ${wanted}, not ${last}`,
  )
}

const create = async (title: string, more: object = {}) =>
  (await web.ann.call('create_page', { title, ...more })).id as string

test('pages are made, walked through and moved by keys, and undo moves them back', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/')
  await press('g', 'n')
  await page.getByRole('heading', { name: 'No pages yet' }).waitFor()
  await press('c')
  await page.getByRole('dialog', { name: 'New page' }).waitFor()
  await page.keyboard.type('Handbook')
  await press('Enter')
  await page.waitForURL('**/pages/pag_*')
  await create('Rota')
  await create('Travel')
  await page.goBack()
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('Travel').waitFor()
  await item('Handbook').focus()
  await press('Shift+c')
  await page.getByRole('dialog', { name: 'New page below Handbook' }).waitFor()
  await page.keyboard.type('First day')
  await press('Enter')
  await page.waitForURL('**/pages/pag_*')
  await untilOutline('Handbook(First day) Rota Travel')
  await page.goBack()
  await item('Handbook').focus()
  await press('ArrowRight')
  assert.equal(await item('First day').getAttribute('aria-level'), '2')
  await press('ArrowLeft', 'ArrowLeft')
  assert.equal(await item('Handbook').getAttribute('aria-expanded'), 'false')
  assert.equal(await item('First day').count(), 0)
  await press('ArrowRight')
  await item('First day').waitFor()
  await visitor.look('page-tree')
  await item('Handbook').focus()
  await press('End')
  assert.equal(await item('Travel').evaluate((node) => node === document.activeElement), true)
  await press('Alt+ArrowUp', 'Alt+Shift+ArrowRight') // the second goes on from where the first leads
  await untilOutline('Handbook(First day Travel) Rota')
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-level') === '2')
  await press('Alt+Shift+ArrowLeft')
  await untilOutline('Handbook(First day) Travel Rota')
  await press('z')
  await untilOutline('Handbook(First day Travel) Rota')
  await page.getByRole('treeitem', { name: 'Travel', level: 2 }).waitFor()
  await item('Travel').focus()
  await press('m')
  await page.getByRole('combobox', { name: 'Move Travel below…' }).waitFor()
  await page.keyboard.type('rot')
  await press('Enter')
  await untilOutline('Handbook(First day) Rota(Travel)')
  await item('Travel').focus()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  visitor.well()
})

test('before a page is moved, those who gain or lose access are named, and it is moved only then', {
  skip,
}, async () => {
  const { person_id } = { person_id: web.bob.actor.id }
  const open = await create('Open to Bob')
  const secret = await create('Secret')
  await web.ann.call('share_page', { page_id: open, person_id, role: 'viewer' })
  const { visitor, page, press } = await openFor(web, web.ann, '/pages')
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('Secret').focus()
  await press('Alt+Shift+ArrowRight')
  const dialog = page.getByRole('dialog', { name: 'Move Secret?' })
  await dialog.getByText('Will see it or pages below it: Bob').waitFor()
  await visitor.look('page-move')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const parentOf = async (id: string) =>
    (await web.ann.call('get_page', { page_id: id })).parent?.id as string | undefined
  assert.equal(await parentOf(secret), undefined)
  await item('Secret').dragTo(item('Open to Bob'))
  await dialog.getByRole('button', { name: 'Move' }).click()
  await untilTrue(async () => (await parentOf(secret)) === open, 'it is moved')
  assert.equal((await web.bob.call('get_page', { page_id: secret })).title, 'Secret')
  await page.getByRole('treeitem', { name: 'Secret', level: 2 }).waitFor()
  await web.ann.call('update_page', { page_id: secret, title: 'Renamed elsewhere' })
  await item('Renamed elsewhere').waitFor()
  visitor.well()
})
