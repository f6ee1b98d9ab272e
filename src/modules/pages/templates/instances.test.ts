import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const bodyOf = async (page: { id: string }) =>
  (await workspace.ann.call('get_page', { page_id: page.id })).body_markdown

test('a template is filled in, code included, and unfilled variables are reported', async () => {
  const { ann } = workspace
  const label = await ann.call('create_label', { name: 'meeting' })
  const template = await ann.call('create_page', {
    title: 'Notes: {{customer}}',
    kind: 'template',
    body_markdown:
      '# {{title}} on {{ date }} by {{author}}\n\n{{customer}} – {{topic}}\n\n`run {{customer}}` {{not a name}}',
    label_ids: [label.id],
  })
  const page = await ann.call('create_page_from_template', {
    page_id: template.id,
    variables: { customer: 'Acme {{topic}}' },
  })
  assert.deepEqual(
    [page.title, page.kind, page.visibility, page.unfilled, page.labels.length],
    ['Notes: Acme {{topic}}', 'page', 'private', ['topic'], 1],
  )
  assert.equal(
    await bodyOf(page),
    '# Notes: Acme {{topic}} on 2026-11-20 by Ann\n\nAcme {{topic}} – {{topic}}\n\n`run Acme {{topic}}` {{not a name}}',
  )
})

test('an unknown variable is refused by name', async () => {
  const { ann } = workspace
  const template = await ann.call('create_page', {
    title: 'T',
    kind: 'template',
    body_markdown: '{{one}} {{two}}',
  })
  const refusal = await ann.refused('create_page_from_template', {
    page_id: template.id,
    variables: { three: 'x', one: 'y' },
  })
  assert.deepEqual(
    [refusal.code, refusal.message, refusal.more.hint],
    ['invalid_argument', 'variables: this page has no three.', 'It has one, two.'],
  )
  assert.deepEqual(
    (
      await ann.call('create_page_from_template', {
        page_id: template.id,
        variables: { one: 1, two: true, date: 'today' },
      })
    ).unfilled,
    [],
  )
  assert.equal(
    (
      await ann.refused('create_page_from_template', {
        page_id: template.id,
        title: '{{one}}',
        variables: { one: ' ' },
      })
    ).code,
    'invalid_argument',
  )
})

test('any page can be copied next to its original, without its subpages and readers', async () => {
  const { ann, bob, carol } = workspace
  const root = await ann.call('create_page', { title: 'Root', visibility: 'organization' })
  const page = await ann.call('create_page', {
    title: 'Plan',
    body_markdown: 'text',
    parent_id: root.id,
    visibility: 'organization',
  })
  await ann.call('create_page', { title: 'Below', parent_id: page.id })
  const copy = await ann.call('create_page_from_template', { page_id: page.id })
  assert.deepEqual(
    [copy.title, copy.parent.id, copy.visibility, await bodyOf(copy)],
    ['Plan (copy)', root.id, 'private', 'text'],
  )
  assert.deepEqual((await ann.call('list_pages', { parent_id: copy.id })).items, [])
  const bobsPage = await bob.call('create_page', { title: 'Bobs', body_markdown: 'x' })
  await bob.call('share_page', { page_id: bobsPage.id, person_id: carol.id, role: 'viewer' })
  assert.equal(
    (await carol.call('create_page_from_template', { page_id: bobsPage.id, title: 'Mine now' }))
      .owner.id,
    carol.id,
  )
  assert.equal(
    (await ann.refused('create_page_from_template', { page_id: bobsPage.id })).code,
    'not_found',
  )
  const privatePage = await ann.call('create_page', { title: 'Private of Ann' })
  assert.equal(
    (
      await bob.refused('create_page_from_template', {
        page_id: bobsPage.id,
        parent_id: privatePage.id,
      })
    ).code,
    'not_found',
  )
})
