import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prefixOf } from '../kernel/ids.ts'
import { allResources, resourceByPrefix } from '../records/resource.ts'
import { deafHost, plant, type Things } from '../testing/blackbox/things.ts'
import { violations } from '../testing/chromium.ts'
import { addresses } from '../web/pages/items/registry.ts'
import { noChromium, openWeb, type Visitor, type Web } from './setup.ts'

const skip = noChromium
/** In every text of what ann makes, and nowhere else. */
const word = 'quokka'
const nothing = 'Page not found'

let web: Web
let planted: Things
let links: { type: string; path: string }[]

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { outbound_allow: deafHost, limits: false }) // planting makes more requests than people do
  planted = await plantThen(web)
  links = await linksOf(planted)
})
after(() => web?.close())

/** Everything that there is, planted on the day that the planters' dates are made for. */
async function plantThen({ app, clock, url, keyFor, ann }: Web): Promise<Things> {
  const { wait, at } = clock
  clock.wait = () => {}
  clock.at = Date.UTC(2026, 10, 20, 12)
  const { key } = await keyFor(ann, { adminGrant: true })
  const things = await plant({ url, key }, word, 'QUO', app.store)
  clock.at = at
  clock.wait = wait
  return things
}

/** An address of each kind that was planted, as operations answer it. */
async function linksOf(things: Things): Promise<typeof links> {
  const ids = new Set(
    Object.entries(things)
      .filter(([type]) => !/trashed|merged/.test(type))
      .flatMap(([, some]) => some),
  )
  const found = new Map<string, { type: string; path: string }>()
  for (const id of ids) {
    const resource = resourceByPrefix(prefixOf(id))
    if (!resource) continue
    if (found.has(resource.definition.type)) continue
    const row = await web.app.store.read
      .selectFrom(resource.table as 'tasks')
      .selectAll()
      .where('id', '=', id as never)
      .executeTakeFirst()
    if (!row || row.deleted_at) continue
    const path = resource.url(row as never, '')
    if (addresses.some((address) => isLike(address.path, path)))
      found.set(resource.definition.type, { type: resource.definition.type, path })
  }
  return [...found.values()]
}

const isLike = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path.replace(/#.*/, ''))
const pathOf = (type: string) => links.find((link) => link.type === type)!.path

async function heading(visitor: Visitor): Promise<string> {
  return (await visitor.page.locator('h1').first().textContent()) ?? ''
}

const parts = 4 // of the kinds, which take long together
for (let part = 0; part < parts; part++) {
  test(
    `every kind of item that was planted opens by its address: with its name, without an error, and axe finds nothing (${part + 1} of ${parts})`,
    { skip },
    () => opensWell(links.filter((_, i) => i % parts === part)),
  )
}

async function opensWell(some: typeof links): Promise<void> {
  const visitor = await web.visit(web.ann)
  for (const { type, path } of some) {
    await visitor.go(path)
    const title = await heading(visitor)
    assert.ok(title !== '' && title !== nothing, `${type} ${path}: ${title}`)
    assert.equal(await visitor.page.getByText('This did not work').count(), 0, path)
    assert.equal(await visitor.page.getByText('Something went wrong').count(), 0, path)
    assert.deepEqual(await violations(visitor.page), [], `${type} ${path}`)
  }
  visitor.well()
}

test('every kind of item that a planter makes has an address', { skip }, () => {
  const kinds = new Set(links.map((link) => link.type))
  const own = allResources()
    .map((resource) => resource.definition)
    .filter(
      (resourceDefinition) =>
        !resourceDefinition.partOf &&
        ![
          'email_account',
          'api_call',
          'api_key',
          'email_rule',
          'email_template',
          'webhook',
          'inbox',
        ].includes(resourceDefinition.type),
    )
  // what no planter makes: an organization leads to its settings, jobs and uploads end by themselves, approvals wait on their own page
  const left = own
    .map((resourceDefinition) => resourceDefinition.type)
    .filter((name) => !kinds.has(name))
  assert.deepEqual(
    left.filter((name) => !['organization', 'job', 'upload_session', 'approval'].includes(name)),
    [],
  )
})

for (const type of [
  'task',
  'project',
  'page',
  'thread',
  'event',
  'file',
  'message',
  'meeting',
  'incident',
  'service',
  'contact',
  'goal',
  'form',
  'entity',
  'sprint',
  'automation_run',
]) {
  test(`the page of ${type}, made by hand, is well at both sizes and in both themes`, {
    skip,
  }, async () => {
    const visitor = await web.visit(web.ann)
    await visitor.go(pathOf(type))
    await visitor.look(`item-${type}`)
    visitor.well()
  })
}

test('what is someone’s own is nothing for others: no name and no word of it', {
  skip,
}, async () => {
  const open = [
    'person',
    'team',
    'label',
    'time_off',
    'on_call_schedule',
    'service',
    'runbook',
    'status_update',
    'company',
    'contact',
    'deal',
    'interaction',
    'form',
    'entity',
    'relation',
    'fact',
    'observation',
    'on_call_override',
  ]
  const visitor = await web.visit(web.carol)
  const hidden = links.filter((link) => !open.includes(link.type))
  assert.ok(hidden.length > 20)
  for (const { type, path } of hidden) {
    await visitor.go(path)
    // a form is everybody's, its responses are not
    assert.equal(await heading(visitor), nothing, `${type} ${path}`)
    assert.ok(!(await visitor.page.content()).includes(word), `${type} ${path}`)
  }
  visitor.well()
})

test('an address that nothing has says so', { skip }, async () => {
  const visitor = await web.visit(web.ann)
  for (const path of [
    '/tasks/NONE-1',
    '/pages/pag_00000000000000000000000000',
    '/labels/lbl_00000000000000000000000000',
    '/links/nonsense',
  ]) {
    await visitor.go(path)
    assert.equal(await heading(visitor), nothing, path)
  }
  visitor.well()
})

test('the palette finds places and items by typing alone, tells what it found, and opens it', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const made = await web.ann.call('create_task', {
    project_id: 'QUO',
    title: 'Repair the valve of the greenhouse',
  })
  await visitor.go('/')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search and go to' })
  await field.fill('valve greenhouse')
  await page.getByRole('option', { name: /Repair the valve/ }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /result/ })
    .waitFor({ state: 'attached' })
  assert.deepEqual(await violations(page), [])
  await page.screenshot({ path: 'test-results/web/palette.png' })
  for (
    let i = 0;
    i < 10 &&
    !(await page.getByRole('option', { name: /Repair the valve/, selected: true }).count());
    i++
  )
    await field.press('ArrowDown')
  await field.press('Enter')
  await page.waitForURL(`**/tasks/${made.key}`)
  await page.getByRole('heading', { level: 1, name: made.title }).waitFor()
  await page.keyboard.press('/')
  await field.fill('valve')
  await page.getByRole('option', { name: /Search everything for/ }).click()
  await page.waitForURL('**/search?q=valve')
  await page.getByRole('link', { name: /Repair the valve/ }).waitFor()
  visitor.well()
})

test('the search says what it found and why, narrows by what stands in the address, and is honest about nothing', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  await web.ann.call('create_page', {
    title: 'Marmalade',
    body_markdown: 'How marmalade is made in winter.',
  })
  await web.ann.call('create_task', { project_id: 'QUO', title: 'Buy marmalade' })
  await visitor.go('/search?q=marmalade')
  await page.getByRole('link', { name: /Buy marmalade/ }).waitFor()
  await page.getByRole('link', { name: 'Marmalade', exact: true }).waitFor()
  assert.match(
    (await page.locator('li', { hasText: 'How marmalade' }).textContent())!,
    /words.*has marmalade/,
  )
  await visitor.look('search')
  await page
    .getByRole('group', { name: 'Kinds' })
    .getByText(/^Pages \d+$/)
    .click()
  await page.waitForURL('**/search?*kinds=page*')
  await page.getByRole('link', { name: /Buy marmalade/ }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: 'Marmalade', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: /Buy marmalade/ }).count(), 0)
  await visitor.go('/search?q=%22xylophonebridge%22&kinds=meeting')
  await page.getByText('Nothing found for').waitFor()
  await page.getByText('Searched: Meetings.').waitFor()
  await visitor.look('search-nothing')
  visitor.well()
})

test('what others write is text: no script, no picture from elsewhere, no link that runs', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const body_markdown =
    '# One\n\n<script>window.broken = 1</script><img src=x onerror="window.broken = 2">\n\n![far](https://elsewhere.test/pixel.png) [run](javascript:window.broken=3) [out](https://elsewhere.test/page) [in](/tasks/QUO-1) [[Untrusted]] `[[code]]`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```\ncode\n```\n'
  const made = await web.ann.call('create_page', { title: 'Untrusted', body_markdown })
  await visitor.go(`/pages/${made.id}`)
  await page.getByRole('heading', { name: 'One', level: 2 }).waitFor()
  assert.equal(await page.evaluate(() => (globalThis as { broken?: number }).broken), undefined)
  assert.equal(await page.locator('.markdown img, .markdown script').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'run' }).count(), 0)
  assert.match(
    (await page.getByRole('link', { name: 'out' }).getAttribute('rel'))!,
    /noopener noreferrer/,
  )
  assert.deepEqual(await violations(page), [])
  assert.equal(
    await page.getByRole('link', { name: 'Untrusted', exact: true }).getAttribute('href'),
    '/search?q=Untrusted&kinds=page',
  )
  assert.equal(await page.getByRole('link', { name: 'code' }).count(), 0)
  await page.getByRole('link', { name: 'in', exact: true }).click()
  await page.waitForURL('**/tasks/QUO-1')
  visitor.well()
})

test('a file is shown where that is safe, and saved otherwise; its address works when it is loaded anew', {
  skip,
}, async () => {
  const visitor = await web.visit(web.ann)
  const { page } = visitor
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const picture = await web.ann.call('upload_file', { name: 'pixel.png', content_base64: pixel })
  const active = await web.ann.call('upload_file', {
    name: 'active.html',
    content_text: '<script>window.broken = 1</script>',
  })
  await visitor.go(`/files/${picture.id}`)
  await page.locator('img[alt="pixel.png"]').evaluate((node: HTMLImageElement) => node.decode())
  assert.equal(
    await page
      .locator('img[alt="pixel.png"]')
      .evaluate((node: HTMLImageElement) => node.naturalWidth),
    1,
  )
  await page.reload()
  await page.locator('img[alt="pixel.png"]').waitFor()
  await visitor.go(`/files/${active.id}`)
  assert.equal(await page.evaluate(() => (globalThis as { broken?: number }).broken), undefined)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'active.html')
  visitor.well()
})
