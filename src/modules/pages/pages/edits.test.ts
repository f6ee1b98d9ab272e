import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const text = '# Guide\n\nIntro.\n\n## Setup\n\nRun it.\n\n### Linux\n\napt\n\n## Use\n\nRun it.\n'

async function pageOf(body = text) {
  const { id } = await workspace.ann.call('create_page', { title: 'Edited', body_markdown: body })
  return {
    id,
    body: async () =>
      (await workspace.ann.call('get_page', { page_id: id })).body_markdown as string,
  }
}

test('a section is replaced up to the next heading of its level, and nothing else changes', async () => {
  const { ann } = workspace
  const page = await pageOf()
  const edit = await ann.call('edit_page_section', {
    page_id: page.id,
    section: 'Setup',
    new_markdown: 'Do nothing.',
  })
  assert.equal(
    await page.body(),
    '# Guide\n\nIntro.\n\n## Setup\n\nDo nothing.\n\n## Use\n\nRun it.\n',
  )
  assert.deepEqual(
    [edit.matches, edit.revision, edit.dry_run, typeof edit.undo_call_id],
    [1, 2, false, 'string'],
  )
  assert.equal(
    edit.diff,
    '--- Edited\n+++ Edited\n@@ -4,12 +4,8 @@\n \n ## Setup\n \n-Run it.\n+Do nothing.\n \n-### Linux\n-\n-apt\n-\n ## Use\n \n Run it.\n',
  )
  await ann.call('edit_page_section', {
    page_id: page.id,
    section: '## Setup',
    new_markdown: '## Installation\n\nNew.\n',
  })
  assert.equal(
    await page.body(),
    '# Guide\n\nIntro.\n\n## Installation\n\nNew.\n\n## Use\n\nRun it.\n',
  )
  await ann.call('edit_page_section', { page_id: page.id, section: 'Use', new_markdown: 'Last.' })
  await ann.call('edit_page_section', {
    page_id: page.id,
    section: 'installation',
    new_markdown: '',
  })
  assert.equal(await page.body(), '# Guide\n\nIntro.\n\n## Use\n\nLast.\n')
})

test('a passage that occurs once is replaced; otherwise the candidate places are listed', async () => {
  const { ann } = workspace
  const page = await pageOf()
  const several = await ann.refused('edit_page_section', {
    page_id: page.id,
    find: 'Run it.',
    new_markdown: 'x',
  })
  assert.deepEqual(several.more.context, {
    matches: 2,
    candidates: [
      { line: 7, text: 'Run it.', section: 'Guide > Setup' },
      { line: 15, text: 'Run it.', section: 'Guide > Use' },
    ],
  })
  const nearly = await ann.refused('edit_page_section', {
    page_id: page.id,
    find: '## setup Run it.',
    new_markdown: 'x',
  })
  assert.deepEqual(
    (nearly.more.context!.candidates as { line: number }[]).map((candidate) => candidate.line),
    [5],
  )
  assert.match(
    (
      await ann.refused('edit_page_section', {
        page_id: page.id,
        find: 'nowhere',
        new_markdown: 'x',
      })
    ).message,
    /not in the text/,
  )
  await ann.call('edit_page_section', {
    page_id: page.id,
    find: '### Linux\n\napt',
    new_markdown: '### Linux\n\ndnf $1',
  })
  assert.equal(await page.body(), text.replace('apt', 'dnf $$1'))
  assert.equal(
    (await ann.refused('edit_page_section', { page_id: page.id, new_markdown: 'x' })).code,
    'invalid_argument',
  )
  assert.equal(
    (
      await ann.refused('edit_page_section', {
        page_id: page.id,
        new_markdown: 'x',
        find: 'a',
        section: 'b',
      })
    ).code,
    'invalid_argument',
  )
  const absent = await ann.refused('edit_page_section', {
    page_id: page.id,
    section: 'Set up',
    new_markdown: 'x',
  })
  assert.equal((absent.more.context!.candidates as { path: string }[])[0]!.path, 'Guide > Setup')
})

test('a dry run of an edit shows the diff and keeps the text; a stale revision is refused', async () => {
  const { ann } = workspace
  const page = await pageOf()
  const dryRun = await ann.call('edit_page_section', {
    page_id: page.id,
    section: 'Linux',
    new_markdown: 'dnf',
    dry_run: true,
  })
  assert.deepEqual([dryRun.dry_run, dryRun.undo_call_id], [true, undefined])
  assert.match(dryRun.diff, /-apt\n\+dnf/)
  assert.equal(await page.body(), text)
  assert.equal((await ann.call('list_page_versions', { page_id: page.id })).items.length, 1)
  assert.equal(
    (
      await ann.refused('edit_page_section', {
        page_id: page.id,
        section: 'Linux',
        new_markdown: 'dnf',
        expected_revision: 7,
      })
    ).code,
    'conflict',
  )
})

test('text is added at the end, at the start after front matter, or at the end of a section', async () => {
  const { ann } = workspace
  const textAfterAppend = async (body: string, args: object) => {
    const page = await pageOf(body)
    await ann.call('append_to_page', { page_id: page.id, ...args })
    return page.body()
  }
  assert.equal(await textAfterAppend('a', { body_markdown: 'b' }), 'a\n\nb')
  assert.equal(await textAfterAppend('a\n', { body_markdown: 'b\n' }), 'a\n\nb\n')
  assert.equal(await textAfterAppend('a\r\n\r\n', { body_markdown: 'b' }), 'a\r\n\r\nb')
  assert.equal(await textAfterAppend('', { body_markdown: 'b' }), 'b')
  assert.equal(
    await textAfterAppend('- a\n', { body_markdown: '- b\n' }),
    '- a\n- b\n',
    'entries of one list stay together',
  )
  assert.equal(
    await textAfterAppend('| a |\n| - |\n', { body_markdown: '| 1 |' }),
    '| a |\n| - |\n| 1 |',
  )
  assert.equal(await textAfterAppend('a', { body_markdown: 'b', position: 'start' }), 'b\n\na')
  assert.equal(
    await textAfterAppend('---\ntags: x\n---\n\na', { body_markdown: 'b', position: 'start' }),
    '---\ntags: x\n---\n\nb\n\na',
  )
  assert.equal(
    await textAfterAppend('# A\n\n- a\n\n# B\n', { body_markdown: '- b', under_heading: 'A' }),
    '# A\n\n- a\n- b\n\n# B\n',
  )
  assert.equal(
    await textAfterAppend('# A\n# B\n', { body_markdown: 'b', under_heading: 'A' }),
    '# A\n\nb\n\n# B\n',
  )
  assert.equal(
    await textAfterAppend('# A\n\na', { body_markdown: 'b', under_heading: 'a' }),
    '# A\n\na\n\nb',
  )
  const page = await pageOf()
  assert.equal(
    (
      await ann.refused('append_to_page', {
        page_id: page.id,
        body_markdown: 'x',
        under_heading: 'None',
      })
    ).more.field,
    'under_heading',
  )
  assert.equal(
    (
      await ann.refused('append_to_page', {
        page_id: page.id,
        body_markdown: 'x',
        under_heading: 'Use',
        position: 'start',
      })
    ).code,
    'invalid_argument',
  )
})

test('text is appended once per idempotency key', async () => {
  const page = await pageOf('a')
  const args = { page_id: page.id, body_markdown: 'b', idempotency_key: 'append-1' }
  await workspace.ann.call('append_to_page', args)
  await workspace.ann.call('append_to_page', args)
  assert.equal(await page.body(), 'a\n\nb')
})

test('an edit from an earlier revision is merged byte for byte with changes by others', async () => {
  const { ann } = workspace
  const page = await pageOf('# Plan\r\n\r\none\ntwo\nthree  \n')
  const { revision } = await ann.call('get_page', { page_id: page.id })
  await ann.call('update_page', {
    page_id: page.id,
    body_markdown: '# Plan\r\n\r\none, typed by a person\ntwo\nthree  \n',
  })
  await ann.call('update_page', { page_id: page.id, icon: '🌱' })
  const merged = await ann.call('update_page', {
    page_id: page.id,
    base_revision: revision,
    body_markdown: '# Plan\r\n\r\none\ntwo\nthree, by an assistant\nfour\n',
  })
  const expected = '# Plan\r\n\r\none, typed by a person\ntwo\nthree, by an assistant\nfour\n'
  assert.equal(await page.body(), expected)
  const again = await ann.call('update_page', {
    page_id: page.id,
    base_revision: revision,
    body_markdown: '# Plan\r\n\r\none\ntwo\nthree, by an assistant\nfour\n',
  })
  assert.deepEqual([await page.body(), again.revision], [expected, merged.revision])
})

test('a section edit from an earlier revision is refused only if its lines changed, with those lines', async () => {
  const { ann, bob } = workspace
  const page = await pageOf()
  await ann.call('share_page', { page_id: page.id, person_id: bob.actor.id, role: 'editor' })
  const { revision } = await ann.call('get_page', { page_id: page.id })
  await bob.call('edit_page_section', { page_id: page.id, find: 'apt', new_markdown: 'apt-get' })
  await ann.call('edit_page_section', {
    page_id: page.id,
    base_revision: revision,
    section: 'Use',
    new_markdown: 'Twice.',
  })
  assert.match(await page.body(), /apt-get\n\n## Use\n\nTwice\.\n$/)
  const refused = await ann.refused('edit_page_section', {
    page_id: page.id,
    base_revision: revision,
    find: 'apt',
    new_markdown: 'dnf',
  })
  assert.equal(refused.code, 'conflict')
  assert.deepEqual(refused.more.context, {
    current_revision: revision + 2,
    changed_by: [bob.actor.display_name, ann.actor.display_name],
    conflicts: [{ line: 11, before: 'apt', now: 'apt-get', yours: 'dnf' }],
  })
  const future = await ann.refused('update_page', {
    page_id: page.id,
    base_revision: 99,
    body_markdown: '',
  })
  assert.equal(future.more.field, 'base_revision')
  assert.match(await page.body(), /apt-get/)
})
