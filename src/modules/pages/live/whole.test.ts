import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { applyTextChanges, changesBetween } from '../../../kernel/text/text-changes.ts'
import { ChangeSet } from '@codemirror/state'
import { Browser, givePasswords } from '../../../testing/browser.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let served: ServedWorkspace
let ann: Browser
let bob: Browser

before(async () => {
  served = await serveWorkspace({ settings: { rate_address: 0 } })
  await givePasswords(served, served.ann, served.bob)
  ann = await new Browser(served).signIn('ann@acme.test')
  bob = await new Browser(served).signIn('bob@acme.test')
})
after(() => served.close())

const filler = 'A line that makes the text long.\n'.repeat(45_000) // 1.5 MB

async function longPage(start = `one\ntwo\nthree\n${filler}end\n`) {
  const { id } = await served.ann.call('create_page', { title: 'Long', body_markdown: start })
  const versions = async () => (await served.ann.call('list_page_versions', { page_id: id })).items
  const now = async () => (await ann.get(`/web/pages/${id}/live`)).json
  return { id: id as string, start, revision: (await now()).revision as number, versions, now }
}

type LongPage = Awaited<ReturnType<typeof longPage>>

const save = (
  ...[who, { id, start, revision }, text, more]: [Browser, LongPage, string, object?]
) =>
  who.post(`/web/pages/${id}/text`, {
    base_revision: revision,
    edit: randomUUID(),
    changes: changesBetween(start, text).toJSON(),
    ...more,
  })

test('a text longer than a request is saved as a diff, as one version', async () => {
  const page = await longPage()
  const text = page.start.replace('two', 'zwei 😀 ü').replace('end', `${'new '.repeat(200_000)}end`)
  const response = await save(ann, page, text)
  assert.equal(response.status, 200, response.text)
  assert.equal(response.json.others, undefined)
  const { revision, body_markdown, is_live } = await page.now()
  assert.deepEqual(
    [revision, body_markdown === text, is_live],
    [response.json.revision, true, false],
  )
  const versions = await page.versions()
  assert.deepEqual(
    versions.map((version: any) => [version.number, version.author.title]),
    [
      [2, 'Ann'],
      [1, 'Ann'],
    ],
  )
})

test('changes by others elsewhere in the text are merged and returned', async () => {
  const page = await longPage()
  await served.ann.call('share_page', {
    page_id: page.id,
    person_id: served.bob.id,
    role: 'editor',
  })
  const theirs = page.start.replace('two', 'TWO')
  assert.equal((await save(bob, page, theirs)).status, 200)
  const mine = page.start.replace('end', 'the end')
  const merged = await save(ann, page, mine)
  assert.equal(merged.status, 200, merged.text)
  const { body_markdown } = await page.now()
  assert.equal(body_markdown === theirs.replace('end', 'the end'), true)
  assert.equal(
    applyTextChanges(mine, ChangeSet.fromJSON(merged.json.others)) === body_markdown,
    true,
  )
})

test('conflicting changes to the same lines are refused and shown, and nothing is saved', async () => {
  const page = await longPage()
  await served.ann.call('edit_page_section', { page_id: page.id, find: 'two', new_markdown: 'TWO' })
  const refused = await save(ann, page, page.start.replace('two', 'zwei').replace('end', 'END'))
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.json.context?.conflicts ?? refused.json.conflicts, [
    { line: 2, before: 'two', now: 'TWO', yours: 'zwei' },
  ])
  assert.equal((await page.now()).body_markdown === page.start.replace('two', 'TWO'), true)
})

test('resending a save does not apply it again, even after further changes by others', async () => {
  const page = await longPage()
  const edit = randomUUID()
  const mine = page.start.replace('two\n', 'two\nadded\n')
  const first = await save(ann, page, mine, { edit })
  assert.deepEqual((await save(ann, page, mine, { edit })).json, first.json)
  await served.ann.call('edit_page_section', {
    page_id: page.id,
    find: 'added\n',
    new_markdown: '',
  })
  const again = await save(ann, page, mine, { edit })
  assert.equal(again.status, 200, again.text)
  const { body_markdown, revision } = await page.now()
  assert.equal(body_markdown === page.start, true, 'the removed line is not added again')
  assert.equal(again.json.revision, revision)
  assert.equal(applyTextChanges(mine, ChangeSet.fromJSON(again.json.others)) === page.start, true)
  assert.equal((await page.versions()).length, 3)
})

test('only editors can save, and only valid page text', async () => {
  const page = await longPage()
  const status = async (...sent: Parameters<typeof save>) => (await save(...sent)).status
  const text = `${page.start}more`
  assert.equal(await status(bob, page, text), 404)
  await served.ann.call('share_page', {
    page_id: page.id,
    person_id: served.bob.id,
    role: 'viewer',
  })
  assert.equal(await status(bob, page, text), 403)
  assert.equal(await status(new Browser(served), page, text), 401)
  assert.equal(await status(ann, page, text, { changes: [5] }), 400)
  assert.equal(await status(ann, page, text, { base_revision: page.revision + 9 }), 400)
  const { key } = await served.keyFor(served.ann)
  assert.match((await save(ann, page, `${page.start}${key}`)).text, /working API key/)
  assert.equal(await status(ann, page, page.start + 'x'.repeat(2 ** 20)), 413)
  const manyLinesPage = await longPage('x\n'.repeat(70_000))
  const lines = await save(ann, manyLinesPage, `${manyLinesPage.start}${'x\n'.repeat(40_000)}`)
  assert.deepEqual([lines.status, lines.json.code], [413, 'too_large'], lines.text)
  assert.equal((await page.now()).body_markdown === page.start, true)
})
