import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prefixOf } from '../kernel/ids.ts'
import { allResources, resourceByPrefix } from '../records/resource.ts'
import { deafHost, plant, type Things } from '../testing/blackbox/things.ts'
import { violations } from '../testing/chromium.ts'
import { addresses } from '../web/pages/items/registry.ts'
import { noChromium, openWeb, type Visitor, type Web } from './setup.ts'

const skip = noChromium
/** Occurs in every text of ann's items, and nowhere else. */
const word = 'quokka'
const notFoundTitle = 'Page not found'

let web: Web
let planted: Things
let links: { type: string; path: string }[]

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { outbound_allow: deafHost, limits: false }) // planting makes more requests than people do
  planted = await plantOnFixedDay(web)
  links = await linksOf(planted)
})
after(() => web?.close())

/** Plants all items, with the clock set to the day that the planters' dates assume. */
async function plantOnFixedDay({ app, clock, url, keyFor, ann }: Web): Promise<Things> {
  const { wait, at } = clock
  clock.wait = () => {}
  clock.at = Date.UTC(2026, 10, 20, 12)
  const { key } = await keyFor(ann, { adminGrant: true })
  const things = await plant({ url, key }, word, 'QUO', app.store)
  clock.at = at
  clock.wait = wait
  return things
}

/** An address of each planted type, as returned by operations. */
async function linksOf(things: Things): Promise<typeof links> {
  const ids = new Set(
    Object.entries(things)
      .filter(([type]) => !/trashed|merged/.test(type))
      .flatMap(([, typeIds]) => typeIds),
  )
  const linksByType = new Map<string, { type: string; path: string }>()
  for (const id of ids) {
    const resource = resourceByPrefix(prefixOf(id))
    if (!resource) continue
    if (linksByType.has(resource.definition.type)) continue
    const row = await web.app.store.read
      .selectFrom(resource.table as 'tasks')
      .selectAll()
      .where('id', '=', id as never)
      .executeTakeFirst()
    if (!row || row.deleted_at) continue
    const path = resource.url(row as never, '')
    if (addresses.some((address) => matchesPattern(address.path, path)))
      linksByType.set(resource.definition.type, { type: resource.definition.type, path })
  }
  return [...linksByType.values()]
}

const matchesPattern = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path.replace(/#.*/, ''))
const pathOf = (type: string) => links.find((link) => link.type === type)!.path

async function heading(visitor: Visitor): Promise<string> {
  return (await visitor.page.locator('h1').first().textContent()) ?? ''
}

/** Types with handwritten pages: checked in all sizes and themes. */
const customTypes = [
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
]

const parts = 4 // the kinds are split over several tests, to keep each short
for (let part = 0; part < parts; part++) {
  test(`every planted item kind opens by its address with its name, without errors or axe violations (${part + 1} of ${parts})`, {
    skip,
  }, async () => {
    const visitor = await web.revisit(web.ann)
    for (const link of links.filter((_, i) => i % parts === part)) {
      await checkOpens(visitor, link)
      if (!customTypes.includes(link.type))
        // those are checked in separate tests
        assert.deepEqual(await violations(visitor.page), [], `${link.type} ${link.path}`)
    }
    visitor.assertNoProblems()
  })
}

/** Checks that the server serves the app at this address, and that the app opens the item. */
async function checkOpens(visitor: Visitor, { type, path }: (typeof links)[0]): Promise<void> {
  await visitor.assertServed(path)
  await visitor.navigate(path)
  const title = await heading(visitor)
  assert.ok(title !== '' && title !== notFoundTitle, `${type} ${path}: ${title}`)
  assert.equal(await visitor.page.getByText('This did not work').count(), 0, path)
  assert.equal(await visitor.page.getByText('Something went wrong').count(), 0, path)
}

test('every item kind made by a planter has an address', { skip }, () => {
  const kinds = new Set(links.map((link) => link.type))
  const definitions = allResources()
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
  // not planted: an organization leads to its settings, jobs and uploads end by themselves, approvals have their own
  // page
  const missing = definitions
    .map((resourceDefinition) => resourceDefinition.type)
    .filter((name) => !kinds.has(name))
  assert.deepEqual(
    missing.filter((name) => !['organization', 'job', 'upload_session', 'approval'].includes(name)),
    [],
  )
})

for (const type of customTypes) {
  test(`the custom page of ${type} renders without problems at both sizes and in both themes`, {
    skip,
  }, async () => {
    const visitor = await web.revisit(web.ann)
    await visitor.navigate(pathOf(type))
    await visitor.checkPage(`item-${type}`)
    visitor.assertNoProblems()
  })
}

test('private items do not exist for others: no name and no word of them appears', {
  skip,
}, async () => {
  const publicTypes = [
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
  const visitor = await web.revisit(web.carol)
  const privateLinks = links.filter((link) => !publicTypes.includes(link.type))
  assert.ok(privateLinks.length > 20)
  for (const { type, path } of privateLinks) {
    await visitor.navigate(path)
    // a form is visible to all, its responses are not
    assert.equal(await heading(visitor), notFoundTitle, `${type} ${path}`)
    assert.ok(!(await visitor.page.content()).includes(word), `${type} ${path}`)
  }
  visitor.assertNoProblems()
})

test('an unknown address says so', { skip }, async () => {
  const visitor = await web.revisit(web.ann)
  for (const path of [
    '/tasks/NONE-1',
    '/pages/pag_00000000000000000000000000',
    '/labels/lbl_00000000000000000000000000',
    '/links/nonsense',
  ]) {
    await visitor.navigate(path)
    assert.equal(await heading(visitor), notFoundTitle, path)
  }
  visitor.assertNoProblems()
})
