import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runPiece } from '../../../operations/jobs/system.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let ann: Someone
let bob: Someone
let carol: Someone
let eve: Someone

before(async () => {
  workspace = await makeWorkspace()
  ;({ ann, bob, carol, eve } = workspace)
})
after(() => workspace.close())

const names = (page: { items: { name: string }[] }) => page.items.map((item) => item.name)
const upload = (who: Someone, name: string, text: string, more = {}) =>
  who.call('upload_file', { name, content_text: text, ...more })
const searchNames = async (who: Someone, query: string) =>
  (await who.call('search_files', { query })).items.map((hit: any) => hit.file.name)

test('everyone has a drive from the start, with counted storage', async () => {
  const [drive, ...more] = (await bob.call('list_drives')).items
  assert.deepEqual(
    [more, drive.kind, drive.status, drive.used_bytes, drive.quota_bytes],
    [[], 'builtin', 'active', 0, 10_240 * 2 ** 20],
  )
  const root = await bob.call('get_file', { file_id: drive.root_folder_id })
  assert.deepEqual([root.type, root.path, root.parent_id], ['folder', '/', undefined])
  await upload(bob, 'five.txt', '12345')
  assert.equal((await bob.call('list_drives')).items[0].used_bytes, 5)
  assert.equal((await eve.refused('get_file', { file_id: drive.root_folder_id })).code, 'not_found')
})

test('a file is created from text or bytes, with a sanitized name and its type derived from the name', async () => {
  const uploaded = await upload(ann, '../../etc/.passwd\u202etxt.exe', 'x')
  assert.deepEqual([uploaded.name, uploaded.path], ['passwdtxt.exe', '/passwdtxt.exe'])
  const bytes = await ann.call('upload_file', {
    name: 'a.png',
    content_base64: Buffer.from([1, 2, 3]).toString('base64'),
  })
  assert.deepEqual(
    [bytes.type, bytes.mime_type, bytes.size_bytes, bytes.text_status],
    ['image', 'image/png', 3, 'none'],
  )
  assert.match((await ann.refused('upload_file', { name: 'x.txt' })).message, /nothing to upload/)
  assert.match(
    (await ann.refused('upload_file', { name: 'x.txt', content_text: 'a', content_base64: 'YQ==' }))
      .message,
    /cannot be combined/,
  )
  assert.equal(
    (await ann.refused('upload_file', { name: '..', content_text: 'a' })).more.field,
    'name',
  )
})

test('a taken name gets a number, a new version or a refusal, regardless of case', async () => {
  const folder = await ann.call('create_folder', { name: 'Names' })
  const put = (name: string, on_conflict?: string) =>
    ann.call('upload_file', {
      name,
      content_text: name,
      folder_id: folder.id,
      ...(on_conflict ? { on_conflict } : {}),
    })
  const first = await put('Report.txt')
  assert.equal((await put('report.txt')).name, 'report (2).txt')
  assert.equal((await put('REPORT.TXT')).name, 'REPORT (3).TXT')
  const again = await put('report.TXT', 'new_version')
  assert.deepEqual([again.id, again.name], [first.id, 'Report.txt'])
  const refused = await ann.refused('upload_file', {
    name: 'REPORT.txt',
    content_text: 'x',
    folder_id: folder.id,
    on_conflict: 'fail',
  })
  assert.deepEqual([refused.code, refused.more.context?.existing_id], ['conflict', first.id])
  assert.equal(
    (await ann.refused('update_file', { file_id: first.id, name: 'report (2).txt' })).code,
    'conflict',
  )
})

test('a folder is created with its parents, and a path cannot escape', async () => {
  const folder = await ann.call('create_folder', { name: 'March', path: 'Reports/2026' })
  assert.equal(folder.path, '/Reports/2026/March')
  assert.equal(
    (await ann.call('create_folder', { name: 'April', path: 'reports/2026' })).path,
    '/Reports/2026/April',
  )
  for (const path of ['../x', 'a/../b', './x', '.hidden'])
    assert.equal((await ann.refused('create_folder', { name: 'x', path })).more.field, 'path', path)
  assert.equal(
    (await ann.refused('create_folder', { name: 'march', parent_id: folder.parent_id })).code,
    'conflict',
  )
})

test('a private file is inaccessible to others by id, list, search, content or version', async () => {
  const folder = await ann.call('create_folder', { name: 'Private' })
  const row = await upload(ann, 'secret.txt', 'zyxcanary words', { folder_id: folder.id })
  for (const who of [bob, eve]) {
    for (const tool of [
      'get_file',
      'get_file_content',
      'list_file_versions',
      'copy_file',
      'trash_file',
      'update_file',
    ])
      assert.equal((await who.refused(tool, { file_id: row.id })).code, 'not_found', tool)
    assert.equal((await who.refused('list_files', { folder_id: folder.id })).code, 'not_found')
    assert.deepEqual(await searchNames(who, 'zyxcanary'), [])
    assert.ok(
      !JSON.stringify(await who.call('list_files', { type: ['document'], limit: 100 })).includes(
        'secret.txt',
      ),
    )
  }
  assert.deepEqual(await searchNames(ann, 'zyxcanary'), ['secret.txt'])
})

test('sharing a folder covers its current tree and ends immediately', async () => {
  const folder = await ann.call('create_folder', { name: 'Together' })
  const below = await ann.call('create_folder', { name: 'Below', parent_id: folder.id })
  const row = await upload(ann, 'plan.txt', 'xylophone plans', { folder_id: below.id })
  const share = await ann.call('share_file', {
    file_id: folder.id,
    person_id: bob.id,
    role: 'viewer',
    note: 'look',
  })
  const seen = await bob.call('get_file', { file_id: row.id })
  assert.deepEqual(
    [seen.path, seen.shares[0].inherited_from.title],
    ['/Together/Below/plan.txt', 'Together'],
  )
  assert.ok(names(await bob.call('list_files')).includes('Together'))
  assert.deepEqual(await searchNames(bob, 'xylophone'), ['plan.txt'])
  assert.equal(
    (await bob.refused('update_file', { file_id: row.id, name: 'mine.txt' })).code,
    'permission_denied',
  )
  assert.equal((await bob.call('update_file', { file_id: row.id, starred: true })).starred, true)
  assert.equal((await ann.call('get_file', { file_id: row.id })).starred, false)
  const later = await upload(ann, 'later.txt', 'xylophone later', { folder_id: folder.id })
  assert.equal((await searchNames(bob, 'xylophone')).length, 2)
  assert.match(
    JSON.stringify((await bob.call('list_notifications')).items),
    /Ann shared the folder/,
  )
  await ann.call('move_file', {
    file_id: later.id,
    folder_id: (await ann.call('list_drives')).items[0].root_folder_id,
  })
  assert.deepEqual(await searchNames(bob, 'xylophone'), ['plan.txt'])
  await ann.call('revoke_share', { share_id: share.id })
  assert.deepEqual(await searchNames(bob, 'xylophone'), [])
  assert.equal((await bob.refused('get_file_content', { file_id: row.id })).code, 'not_found')
})

test('an editor can write, and their uploads belong to the owner; only the owner can share', async () => {
  const folder = await ann.call('create_folder', { name: 'Workshop' })
  await ann.call('share_file', { file_id: folder.id, person_id: bob.id, role: 'editor' })
  const row = await upload(bob, 'by-bob.txt', 'one', { folder_id: folder.id })
  assert.equal(row.owner.title, 'Ann')
  await bob.call('update_file_content', { file_id: row.id, content_text: 'two' })
  assert.equal(
    (await bob.refused('share_file', { file_id: row.id, person_id: carol.id, role: 'viewer' }))
      .code,
    'permission_denied',
  )
  assert.equal(
    (await bob.refused('create_share_link', { file_id: row.id })).code,
    'permission_denied',
  )
  const root = (await bob.call('list_drives')).items[0].root_folder_id
  assert.equal(
    (await bob.refused('move_file', { file_id: row.id, folder_id: root })).code,
    'permission_denied',
  )
  assert.equal((await ann.call('get_file', { file_id: row.id })).path, '/Workshop/by-bob.txt')
})

test('each project has a folder of the same name for its current members', async () => {
  const project = await ann.call('create_project', {
    name: 'Rocket',
    key: 'RCK',
    member_ids: [bob.id],
  })
  const folder = (await bob.call('list_files')).items.find((item: any) => item.name === 'Rocket')
  assert.deepEqual([folder.path, folder.project.key], ['/Projects/Rocket', 'RCK'])
  const row = await upload(bob, 'engine.txt', 'quagga engines', { folder_id: folder.id })
  assert.deepEqual(await searchNames(ann, 'quagga'), ['engine.txt'])
  assert.deepEqual(await searchNames(carol, 'quagga'), [])
  await ann.call('add_project_member', { project_id: 'RCK', person_id: carol.id })
  assert.deepEqual(await searchNames(carol, 'quagga'), ['engine.txt'])
  await ann.call('remove_project_member', { project_id: 'RCK', person_id: bob.id })
  assert.equal((await bob.refused('get_file', { file_id: row.id })).code, 'not_found')
  assert.deepEqual(await searchNames(bob, 'quagga'), [])
  await ann.call('update_project', { project_id: project.id, name: 'Starship' })
  assert.equal(
    (await ann.call('get_file', { file_id: row.id })).path,
    '/Projects/Starship/engine.txt',
  )
  assert.equal((await ann.refused('trash_file', { file_id: folder.id })).code, 'permission_denied')
})

test('a move announces who gains and loses access, and does exactly that', async () => {
  await ann.call('create_project', { name: 'Moving', key: 'MOV', member_ids: [carol.id] })
  const target = (await ann.call('list_files')).items.find((item: any) => item.name === 'Moving')
  const folder = await ann.call('create_folder', { name: 'To move' })
  const row = await upload(ann, 'inside.txt', 'okapi', { folder_id: folder.id })
  await ann.call('share_file', { file_id: row.id, person_id: bob.id, role: 'viewer' })
  const dryRun = await ann.call('move_file', {
    file_id: folder.id,
    folder_id: target.id,
    dry_run: true,
  })
  assert.deepEqual(
    [dryRun.dry_run, dryRun.readers.gained.map((item: any) => item.title), dryRun.readers.lost],
    [true, ['Carol'], []],
  )
  assert.equal((await ann.call('get_file', { file_id: folder.id })).path, '/To move')
  assert.equal((await carol.refused('get_file', { file_id: row.id })).code, 'not_found')
  const moved = await ann.call('move_file', { file_id: folder.id, folder_id: target.id })
  assert.equal(moved.path, '/Projects/Moving/To move')
  assert.equal(
    (await carol.call('get_file', { file_id: row.id })).path,
    '/Projects/Moving/To move/inside.txt',
  )
  assert.deepEqual(await searchNames(carol, 'okapi'), ['inside.txt'])
  assert.deepEqual(await searchNames(bob, 'okapi'), ['inside.txt'])
  for (const into of [
    folder.id,
    (await ann.call('create_folder', { name: 'Deeper', parent_id: folder.id })).id,
  ])
    assert.equal(
      (await ann.refused('move_file', { file_id: folder.id, folder_id: into })).code,
      'invalid_argument',
    )
})

test('trashing a folder hides its tree everywhere, and restoring brings all of it back', async () => {
  const folder = await ann.call('create_folder', { name: 'Old things' })
  const row = await upload(ann, 'old.txt', 'dodo', { folder_id: folder.id })
  await ann.call('share_file', { file_id: folder.id, person_id: bob.id, role: 'viewer' })
  const deletion = await ann.call('trash_file', { file_id: folder.id })
  assert.deepEqual(deletion.also_deleted, [{ type: 'file', count: 1 }])
  for (const who of [ann, bob]) {
    assert.deepEqual(await searchNames(who, 'dodo'), [])
    assert.equal((await who.refused('get_file', { file_id: row.id })).code, 'not_found')
  }
  assert.ok(names(await ann.call('list_files', { trashed: true })).includes('Old things'))
  assert.ok(!names(await bob.call('list_files', { trashed: true })).includes('Old things'))
  assert.equal(
    (await bob.refused('restore_item', { item_id: folder.id })).code,
    'permission_denied',
  )
  assert.equal((await carol.refused('restore_item', { item_id: folder.id })).code, 'not_found')
  await ann.call('restore_item', { item_id: folder.id })
  assert.deepEqual(
    [await searchNames(ann, 'dodo'), await searchNames(bob, 'dodo')],
    [['old.txt'], ['old.txt']],
  )
})

test('undo reverts a move, a share and a version', async () => {
  const folder = await ann.call('create_folder', { name: 'Undoing' })
  const row = await upload(ann, 'undo.txt', 'first')
  const lastCallId = async () =>
    workspace.app.store.raw.read
      .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
      .pluck()
      .get(ann.id) as string
  await ann.call('move_file', { file_id: row.id, folder_id: folder.id })
  await ann.call('undo_api_call', { call_id: await lastCallId() })
  assert.equal((await ann.call('get_file', { file_id: row.id })).path, '/undo.txt')
  await ann.call('share_file', { file_id: row.id, person_id: bob.id, role: 'viewer' })
  await ann.call('undo_api_call', { call_id: await lastCallId() })
  assert.equal((await bob.refused('get_file', { file_id: row.id })).code, 'not_found')
  await ann.call('update_file_content', { file_id: row.id, content_text: 'second' })
  await ann.call('undo_api_call', { call_id: await lastCallId() })
  assert.equal((await ann.call('get_file_content', { file_id: row.id })).content.text, 'first')
})

test('a version keeps the id; restoring an earlier one creates a new one; a stale write is refused', async () => {
  const row = await upload(ann, 'doc.md', '# One')
  const second = await ann.call('update_file_content', {
    file_id: row.id,
    content_text: '# Two pangolins',
    comment: 'more',
  })
  assert.deepEqual([second.number, second.is_current, second.comment], [2, true, 'more'])
  assert.equal(
    (
      await ann.refused('update_file_content', {
        file_id: row.id,
        content_text: 'x',
        expected_version_id: row.version_id,
      })
    ).code,
    'conflict',
  )
  assert.deepEqual(await searchNames(ann, 'pangolins'), ['doc.md'])
  assert.equal(
    (await ann.call('get_file_content', { file_id: row.id, version_id: row.version_id })).content
      .text,
    '# One',
  )
  const third = await ann.call('restore_file_version', {
    file_id: row.id,
    version_id: row.version_id,
  })
  assert.equal(third.number, 3)
  const versions = (await ann.call('list_file_versions', { file_id: row.id })).items
  assert.deepEqual(
    versions.map((version: any) => [version.number, version.is_current]),
    [
      [3, true],
      [2, false],
      [1, false],
    ],
  )
  assert.equal(versions[0].sha256, versions[2].sha256)
  assert.deepEqual(await searchNames(ann, 'pangolins'), [])
})

test('content is returned as text in slices, as bytes when small, otherwise as a link', async () => {
  const row = await upload(ann, 'long.txt', '😀'.repeat(3000))
  const first = await ann.call('get_file_content', { file_id: row.id, max_chars: 1001 })
  assert.deepEqual(
    [
      first.format,
      first.content.text.length,
      first.next_offset,
      first.total_chars,
      first.content.trust,
    ],
    ['text', 1000, 1000, 6000, 'internal'],
  )
  const rest = await ann.call('get_file_content', {
    file_id: row.id,
    offset: first.next_offset,
    max_chars: 100_000,
  })
  assert.equal(first.content.text + rest.content.text, '😀'.repeat(3000))
  const bytes = await ann.call('upload_file', { name: 'b.bin', content_base64: 'AQID' })
  assert.deepEqual([(await ann.call('get_file_content', { file_id: bytes.id })).base64], ['AQID'])
  assert.match(
    (await ann.call('get_file_content', { file_id: bytes.id, format: 'link' })).download_url,
    /\/exports\//,
  )
  assert.equal(
    (await ann.refused('get_file_content', { file_id: bytes.id, format: 'text' })).code,
    'invalid_argument',
  )
})

test('filters and sort orders: by type, star, person, label, size', async () => {
  const folder = await carol.call('create_folder', { name: 'Sorted' })
  const big = await upload(carol, 'a.txt', 'x'.repeat(100), { folder_id: folder.id })
  await upload(carol, 'B.csv', 'y', { folder_id: folder.id })
  const label = await ann.call('create_label', { name: 'Urgent' })
  await carol.call('update_file', {
    file_id: big.id,
    add_label_ids: [label.id],
    starred: true,
    description: 'a walrus',
  })
  assert.deepEqual(names(await carol.call('list_files', { folder_id: folder.id })), [
    'a.txt',
    'B.csv',
  ])
  assert.deepEqual(names(await carol.call('list_files', { folder_id: folder.id, sort: 'size' })), [
    'a.txt',
    'B.csv',
  ])
  assert.deepEqual(names(await carol.call('list_files', { starred: true })), ['a.txt'])
  assert.deepEqual(
    names(await carol.call('list_files', { folder_id: folder.id, type: ['spreadsheet'] })),
    ['B.csv'],
  )
  assert.ok(
    !names(await carol.call('list_files', { modified_by: 'me', type: ['document'] })).includes(
      'B.csv',
    ),
  )
  const [hit] = (await carol.call('search_files', { query: 'walrus' })).items
  assert.deepEqual(
    [hit.file.name, hit.matched_in, hit.file.labels[0].title],
    ['a.txt', ['description'], 'Urgent'],
  )
  const uses = (await carol.call('list_labels', { item_type: 'file' })).items
  assert.deepEqual(
    uses.map((use: any) => [use.name, use.uses.file]),
    [['Urgent', 1]],
  )
  assert.deepEqual(
    (await ann.call('list_labels', { item_type: 'file' })).items.map((item: any) => item.name),
    [],
  )
})

test('a copy belongs to the copier; a task attachment can be copied into the drive', async () => {
  await ann.call('create_project', { name: 'Copies', key: 'CPY', member_ids: [bob.id] })
  const task = await ann.call('create_task', { project_id: 'CPY', title: 'Copy' })
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'att.txt',
    content_base64: Buffer.from('attached').toString('base64'),
  })
  const copy = await bob.call('copy_file', { file_id: file.id })
  assert.deepEqual(
    [
      copy.path,
      copy.owner.title,
      (await bob.call('get_file_content', { file_id: copy.id })).content.text,
    ],
    ['/att.txt', 'Bob', 'attached'],
  )
  assert.equal(
    (await ann.refused('update_file_content', { file_id: file.id, content_text: 'x' })).more.next
      ?.tool,
    'copy_file',
  )
  const privateFile = await upload(ann, 'own.txt', 'mine alone')
  await ann.call('add_task_attachment', { task_id: task.id, file_id: privateFile.id })
  assert.equal((await bob.refused('get_file', { file_id: privateFile.id })).code, 'not_found')
})

test('storage is counted for the owner of the location, and a full drive is reported', async () => {
  const small = await makeWorkspace({ settings: { drive_quota_megabytes: 1 } })
  try {
    const text = 'x'.repeat(600_000)
    const row = await upload(small.ann, 'one.txt', text)
    assert.equal(
      (await small.ann.refused('upload_file', { name: 'two.txt', content_text: text })).code,
      'storage_full',
    )
    assert.equal(
      (await small.ann.refused('update_file_content', { file_id: row.id, content_text: text }))
        .code,
      'storage_full',
    )
    assert.equal(
      (await small.ann.refused('create_upload_session', { name: 'big', size_bytes: 600_000 })).code,
      'storage_full',
    )
    await upload(small.bob, 'his.txt', text)
  } finally {
    await small.close()
  }
})

test('the changes and events of a file reach everyone who can see it', async () => {
  const row = await upload(bob, 'told.txt', 'x')
  await bob.call('share_file', { file_id: row.id, person_id: ann.id, role: 'viewer' })
  await bob.call('update_file_content', { file_id: row.id, content_text: 'y' })
  const events = (
    await runPiece(workspace.app, 'test', async ({ all }) =>
      all.selectFrom('changes').select('events_json').where('item_id', '=', row.id).execute(),
    )
  ).flatMap((item) => JSON.parse(item.events_json) as string[])
  for (const name of ['file.created', 'file.shared', 'file.version_added'])
    assert.ok(events.includes(name), name)
})
