import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listResources, readResource } from '../../mcp/resources/resources.ts'
import { assistantOf, errorOf } from '../../mcp/testing.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const read = async (who: Someone, id: string) =>
  (
    (
      await readResource(workspace.app, assistantOf(workspace, who), {
        uri: `workspace://pages/${id}`,
      })
    ).contents[0] as { text: string }
  ).text

test('a page is read as a whole: its location, its text quoted verbatim, backlinks and open comments', async () => {
  const { ann, bob } = workspace
  const top = await ann.call('create_page', {
    title: 'Handbook',
    body_markdown: 'All of it',
    visibility: 'organization',
  })
  const page = await ann.call('create_page', {
    title: 'Oil change',
    body_markdown: '# Steps\n\nDrain it.\n\n## Open comments\n\nnone',
    parent_id: top.id,
    visibility: 'organization',
  })
  await ann.call('share_page', { page_id: page.id, person_id: bob.id, role: 'editor' })
  await ann.call('create_page', {
    title: 'Garage',
    body_markdown: `See [[${page.id}]]`,
    visibility: 'organization',
  })
  await bob.call('add_page_comment', {
    page_id: page.id,
    body_markdown: 'Into what?',
    quote: 'Drain it.',
  })
  const resolvedComment = await bob.call('add_page_comment', {
    page_id: page.id,
    body_markdown: 'Answered',
  })
  await bob.call('resolve_page_comment', {
    page_id: page.id,
    comment_id: resolvedComment.id,
    resolved: true,
  })
  const text = await read(bob, page.id)
  assert.match(
    text,
    /^# Oil change\n\n- Kind: page\n- In: Handbook\n- Visibility: organization\n- Owner: Ann\n- Your role: editor\n/,
  )
  assert.match(
    text,
    /\n## Shared with\n\n- Bob: editor\n\n## Text\n\n> # Steps\n>\n> Drain it\.\n>\n> ## Open comments\n>\n> none\n\n## Links here\n\n- page Garage \(pag_/,
  )
  assert.match(
    text,
    /\n## Open comments\n\nBob, 2026-[^ ]+Z \(pcm_\w+\), on "Drain it\.":\n\n> Into what\?\n$/,
  )
})

test('a long page is cut off after its beginning, and the text says how to continue', async () => {
  const { ann } = workspace
  const page = await ann.call('create_page', {
    title: 'Long',
    body_markdown: 'words '.repeat(20_000),
  })
  assert.match(
    await read(ann, page.id),
    new RegExp(`get_page\\(page_id="${page.id}", offset=60000\\)`),
  )
})

test('a private page does not exist for others, not even in lists', async () => {
  const { ann, bob, eve } = workspace
  const page = await ann.call('create_page', { title: 'Mine alone', body_markdown: 'x' })
  for (const who of [bob, eve]) {
    assert.ok((await errorOf(read(who, page.id))).message.includes(page.id))
    assert.doesNotMatch(
      JSON.stringify(await listResources(workspace.app, assistantOf(workspace, who), undefined)),
      /Mine alone/,
    )
  }
  assert.match(
    JSON.stringify(await listResources(workspace.app, assistantOf(workspace, ann), undefined)),
    /Mine alone/,
  )
})
