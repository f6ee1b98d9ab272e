// Pages are found, created and moved in their tree, with and without a mouse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

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
  const formatBranches = (branches: Branch[]): string =>
    branches
      .map(
        ({ title, children }) =>
          title + (children.length > 0 ? `(${formatBranches(children)})` : ''),
      )
      .join(' ')
  return formatBranches(nodes)
}

const untilOutline = async (expected: string) => {
  let current = ''
  await untilTrue(
    async () => {
      current = await outline()
      return current === expected
    },
    () => `the tree is ${current}, not ${expected}`,
  )
}

const createPage = async (title: string, fields: object = {}) =>
  (await web.ann.call('create_page', { title, ...fields })).id as string

test('pages are created, navigated and moved by keyboard, and undo moves them back', {
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
  await createPage('Rota')
  await createPage('Travel')
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
  await visitor.checkPage('page-tree')
  await item('Handbook').focus()
  await press('End')
  assert.equal(await item('Travel').evaluate((node) => node === document.activeElement), true)
  await press('Alt+ArrowUp', 'Alt+Shift+ArrowRight') // the second continues from the result of the first
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
  visitor.assertNoProblems()
})

test('a page is deleted by a key, with confirmation if subpages go along, and undo restores all', {
  skip,
}, async () => {
  const rootId = await createPage('Old rules')
  const subpageId = await createPage('Dress code', { parent_id: rootId })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${rootId}`)
  const isInTree = async (text: string) => (await outline()).includes(text)
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.getByRole('main').focus()
  await press('#')
  const dialog = page.getByRole('dialog', { name: 'Delete “Old rules”?' })
  await dialog.getByText('1 page below it goes to the trash, too.').waitFor()
  await visitor.checkPage('page-delete')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await isInTree('Old rules(Dress code)'), true)
  await press('#')
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.waitForURL('**/pages')
  await untilTrue(async () => !(await isInTree('Old rules')), 'it was not deleted')
  await press('z')
  await untilTrue(() => isInTree('Old rules(Dress code)'), 'it was not brought back')
  await visitor.go(`/pages/${subpageId}`)
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await choose(page, 'More', 'delete')
  await page.waitForURL('**/pages')
  await untilTrue(
    async () => !(await isInTree('Dress code')),
    'a page without subpages was not deleted at once',
  )
  visitor.assertNoProblems()
})

test('moving a page first names people who gain or lose access, and needs confirmation', {
  skip,
}, async () => {
  const { person_id } = { person_id: web.bob.actor.id }
  const openId = await createPage('Open to Bob')
  const secretId = await createPage('Secret')
  await web.ann.call('share_page', { page_id: openId, person_id, role: 'viewer' })
  const { visitor, page, press } = await reopenFor(web, web.ann, '/pages')
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('Secret').focus()
  await press('Alt+Shift+ArrowRight')
  const dialog = page.getByRole('dialog', { name: 'Move Secret?' })
  await dialog.getByText('Will see it or pages below it: Bob').waitFor()
  await visitor.checkPage('page-move')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const parentOf = async (id: string) =>
    (await web.ann.call('get_page', { page_id: id })).parent?.id as string | undefined
  assert.equal(await parentOf(secretId), undefined)
  await item('Secret').dragTo(item('Open to Bob'))
  await dialog.getByRole('button', { name: 'Move' }).click()
  await untilTrue(async () => (await parentOf(secretId)) === openId, 'it was not moved')
  assert.equal((await web.bob.call('get_page', { page_id: secretId })).title, 'Secret')
  await page.getByRole('treeitem', { name: 'Secret', level: 2 }).waitFor()
  await web.ann.call('update_page', { page_id: secretId, title: 'Renamed elsewhere' })
  await item('Renamed elsewhere').waitFor()
  visitor.assertNoProblems()
})

test('by keyboard: the tree next to a page is navigated, typed in, filtered and reordered', {
  skip,
}, async () => {
  const atlas = await createPage('Atlas')
  const maps = await createPage('Maps', { parent_id: atlas })
  await createPage('Mountains', { parent_id: maps })
  await createPage('Meadows', { parent_id: atlas })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/pages/${maps}`)
  const tree = page.getByRole('navigation').getByRole('tree', { name: 'Pages' })
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await item('Maps').waitFor()
  assert.equal(await item('Maps').getAttribute('aria-current'), 'page')
  assert.equal(await item('Mountains').getAttribute('aria-level'), '3')
  await visitor.checkPage('page-tree-beside')
  await press('f')
  await page.keyboard.type('mead')
  await tree.getByRole('treeitem').nth(1).waitFor()
  await page.getByRole('navigation').getByText('1 page', { exact: true }).waitFor()
  assert.deepEqual(await tree.getByRole('treeitem').allTextContents(), ['Atlas', 'Meadows'])
  await press('Enter')
  await page.waitForFunction(() => document.title.startsWith('Meadows'))
  await press('f', 'Escape')
  await item('Maps').waitFor()
  await press('ArrowDown')
  const waitForFocus = async (name: string) => {
    await item(name).waitFor()
    await page.waitForFunction((title) => document.activeElement?.textContent === title, name)
  }
  await waitForFocus('Meadows')
  await press('m') // a letter leads to a page; it is no command here
  await waitForFocus('Maps')
  await page.keyboard.type('mou')
  await waitForFocus('Mountains')
  await press('ArrowLeft', 'ArrowLeft')
  assert.equal(await item('Mountains').count(), 0)
  await press('ArrowRight', 'ArrowRight')
  await waitForFocus('Mountains')
  await press('Alt+Shift+ArrowLeft')
  await untilTrue(
    async () => (await outline()).includes('Atlas(Maps Mountains Meadows)'),
    'it was not moved',
  )
  await waitForFocus('Mountains')
  await press('Control+z')
  await untilTrue(
    async () => (await outline()).includes('Atlas(Maps(Mountains) Meadows)'),
    'it was not moved back',
  )
  await item('Mountains').focus()
  await press('Enter')
  await page.waitForFunction(() => document.title.startsWith('Mountains'))
  await page.waitForFunction(() => document.activeElement?.id === 'content')
  await press('[')
  await tree.waitFor({ state: 'detached' })
  visitor.assertNoProblems()
})

/** Inserts this many pages below one, a hundred in each, directly into the store: creating them would take minutes. */
async function plantPages(parent: string, count: number): Promise<void> {
  const pagesPerParent = sql.lit(100)
  const last = sql.lit(count + 99)
  await web.app.store.writer.run(async () => {
    const leafId = sql`'pag_' || substr('00000000000000000000000000' || numbers.n, -26)`
    const parentId = sql`'pag_' || substr('00000000000000000000000000' || (numbers.n - numbers.n % ${pagesPerParent}), -26)`
    await sql`
      insert into pages (id, org_id, title, title_folded, kind, parent_id, position, visibility, owner_id, version, revision, created_at, updated_at, created_by, created_via)
      with recursive numbers (n) as (select ${pagesPerParent} union all select n + 1 from numbers where n < ${last})
      select ${leafId}, p.org_id, 'Leaf ' || numbers.n, 'leaf ' || numbers.n, 'page', case when numbers.n % ${pagesPerParent} = 0 then p.id else ${parentId} end,
        substr('0000000' || numbers.n, -7), p.visibility, p.owner_id, p.version, 1, p.created_at, p.updated_at, p.created_by, 'web'
      from numbers cross join pages as p where p.id = ${parent} order by numbers.n`.execute(
      web.app.store.write,
    )
  })
}

test('of 5,000 pages only the visible rows are rendered, anywhere in the tree', {
  skip,
}, async () => {
  const count = 5000
  const archive = await createPage('Zebra archive')
  await plantPages(archive, count)
  const { visitor, page, press } = await openFor(web, web.ann, `/pages/${archive}`)
  const tree = page.getByRole('navigation').getByRole('tree', { name: 'Pages' })
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  const requireFew = async () => {
    const drawn = await tree.getByRole('treeitem').count()
    assert.ok(drawn > 0 && drawn <= 60, `${drawn} rows are drawn`)
  }
  await item('Zebra archive').focus()
  await press('ArrowRight', 'ArrowRight')
  await item('Leaf 100').waitFor()
  await press('*') // expands all fifty siblings
  await requireFew()
  await press('End')
  await item(`Leaf ${count + 99}`).waitFor()
  await requireFew()
  assert.equal(await item(`Leaf ${count + 99}`).getAttribute('aria-posinset'), '99')
  await page.keyboard.type('leaf 2345')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Leaf 2345')
  await requireFew()
  await press('Escape') // out of the tree, to the field above it
  await page.keyboard.type('leaf 49')
  const with49 = Array.from({ length: count }, (_, n) => `${n + 100}`).filter((number) =>
    number.includes('49'),
  ).length
  await page.getByRole('navigation').getByText(`${with49} pages`, { exact: true }).waitFor()
  await requireFew()
  await press('ArrowDown', 'End')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Leaf 5049')
  await requireFew()
  await page.getByRole('searchbox', { name: 'Filter pages' }).fill('no such page')
  await page.getByText('No title has these words.').waitFor()
  await visitor.go('/pages')
  const fullTree = page.getByRole('main').getByRole('tree', { name: 'Pages' })
  await fullTree.getByRole('treeitem').first().focus()
  await press('*', 'End')
  const drawn = await fullTree.getByRole('treeitem').count()
  assert.ok(drawn > 0 && drawn <= 60, `${drawn} rows are drawn`)
  visitor.assertNoProblems()
})
