import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setStatus } from '../../../identity/people.ts'
import type { Someone } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let workspace: ServedWorkspace
let ann: Someone
let bob: Someone
let carol: Someone

before(async () => {
  workspace = await serveWorkspace()
  workspace.app.baseUrl = workspace.url
  ;({ ann, bob, carol } = workspace)
})
after(() => workspace.close())

const upload = (who: Someone, name: string, more = {}) =>
  who.call('upload_file', { name, content_text: `of ${name}`, ...more })
const topLevelNames = async (who: Someone): Promise<string[]> =>
  (await who.call('list_files', { limit: 100 })).items.map((item: any) => item.name)
const lastCall = (who: Someone) =>
  workspace.app.store.raw.read
    .prepare('SELECT id FROM calls WHERE actor_id = ? AND changed = 1 ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get(who.id) as string

test('a name of 255 bytes still gets its number', async () => {
  for (const name of [
    `${'a'.repeat(251)}.txt`,
    `${'ä'.repeat(125)}.txt`,
    'x'.repeat(255),
    `${'👍'.repeat(62)}.csv`,
  ]) {
    const [one, two, three] = [
      await upload(ann, name),
      await upload(ann, name),
      await upload(ann, name),
    ]
    assert.equal(one.name, name)
    assert.match(two.name, / \(2\)(\.\w+)?$/u)
    assert.match(three.name, / \(3\)(\.\w+)?$/u)
    for (const renamed of [two, three])
      assert.ok(Buffer.byteLength(renamed.name) <= 255 && renamed.name.isWellFormed())
  }
})

test('no upload becomes a folder by its media type', async () => {
  for (const mime_type of ['inode/directory', 'application/vnd.google-apps.folder']) {
    const uploaded = await upload(ann, 'folder.txt', { mime_type })
    assert.deepEqual([uploaded.type, uploaded.mime_type], ['document', 'text/plain'])
    assert.equal(
      (await ann.call('get_file_content', { file_id: uploaded.id })).content.text,
      'of folder.txt',
    )
  }
})

test('an editor cannot move another person’s file into their own folder, even one visible to both', async () => {
  const mine = await upload(ann, 'of-ann.txt')
  await ann.call('share_file', { file_id: mine.id, person_id: bob.id, role: 'editor' })
  const trap = await bob.call('create_folder', { name: 'Trap' })
  await bob.call('share_file', { file_id: trap.id, person_id: ann.id, role: 'editor' })
  assert.equal(
    (await bob.refused('move_file', { file_id: mine.id, folder_id: trap.id })).code,
    'permission_denied',
  )
  const unchanged = await ann.call('get_file', { file_id: mine.id })
  assert.deepEqual([unchanged.owner.id, unchanged.path], [ann.id, '/of-ann.txt'])
  assert.equal(
    (await ann.call('move_file', { file_id: mine.id, folder_id: trap.id })).owner.id,
    bob.id,
    'its owner may give it away',
  )
})

test('undoing a move never puts a folder into itself', async () => {
  const [outer, inner] = [
    await ann.call('create_folder', { name: 'Outer' }),
    await ann.call('create_folder', { name: 'Inner' }),
  ]
  const root = (await ann.call('list_drives')).items[0].root_folder_id
  await ann.call('move_file', { file_id: inner.id, folder_id: outer.id })
  await ann.call('move_file', { file_id: inner.id, folder_id: root })
  const call_id = lastCall(ann)
  await ann.call('move_file', { file_id: outer.id, folder_id: inner.id })
  const undone = await ann.call('undo_api_call', { call_id })
  assert.deepEqual(
    [undone.undone, undone.refused.map((item: any) => item.reason)],
    [false, ['changed_since']],
  )
  assert.deepEqual(
    [
      (await ann.call('get_file', { file_id: outer.id })).path,
      (await topLevelNames(ann)).includes('Inner'),
    ],
    ['/Inner/Outer', true],
  )
})

test('a file restored before its folder is at the top until the folder is restored', async () => {
  const folder = await ann.call('create_folder', { name: 'Gone' })
  const row = await upload(ann, 'back.txt', { folder_id: folder.id })
  for (const id of [row.id, folder.id]) await ann.call('trash_file', { file_id: id })
  await ann.call('restore_item', { item_id: row.id })
  assert.ok((await topLevelNames(ann)).includes('back.txt'))
  await ann.call('restore_item', { item_id: folder.id })
  assert.ok(!(await topLevelNames(ann)).includes('back.txt'))
  assert.equal((await ann.call('get_file', { file_id: row.id })).path, '/Gone/back.txt')
})

test('a viewer of a file cannot pass it on, and keeps nothing of it when the share ends', async () => {
  const row = await ann.call('upload_file', { name: 'face.png', content_base64: 'iVBORw0KGgo=' })
  const share = await ann.call('share_file', { file_id: row.id, person_id: bob.id, role: 'viewer' })
  const channel = await bob.call('create_channel', {
    name: 'whispers',
    kind: 'private',
    member_ids: [carol.id],
  })
  assert.equal(
    (
      await bob.refused('send_message', {
        channel_id: channel.id,
        body_markdown: 'look',
        file_ids: [row.id],
      })
    ).code,
    'permission_denied',
  )
  const form = await bob.call('create_form', {
    title: 'Collect',
    fields: [{ label: 'File', type: 'file' }],
  })
  await bob.call('publish_form', { form_id: form.id })
  await bob.call('submit_form_response', {
    form_id: form.id,
    answers: { [form.fields[0].id]: [row.id] },
  })
  await bob.call('update_my_profile', { avatar_file_id: row.id })
  assert.equal((await carol.refused('get_file', { file_id: row.id })).code, 'not_found')
  await ann.call('revoke_share', { share_id: share.id })
  for (const who of [bob, carol])
    assert.equal((await who.refused('get_file_content', { file_id: row.id })).code, 'not_found')
  const bobsFile = await upload(bob, 'own.txt')
  await bob.call('send_message', {
    channel_id: channel.id,
    body_markdown: 'mine',
    file_ids: [bobsFile.id],
  })
  assert.equal(
    (await carol.call('get_file', { file_id: bobsFile.id })).name,
    'own.txt',
    'people can share their own files',
  )
})

test('a link ends when its creator loses access, by leaving the project or by deactivation', async () => {
  const project = await ann.call('create_project', { name: 'Linked', key: 'LKD' })
  await ann.call('add_project_member', {
    project_id: project.id,
    person_id: bob.id,
    role: 'member',
  })
  const folder = (await bob.call('list_files')).items.find((item: any) => item.name === 'Linked')
  const { link_url } = await bob.call('create_share_link', {
    file_id: folder.id,
    expires_at: '2027-01-01',
  })
  const ownLink = await ann.call('create_share_link', { file_id: folder.id })
  assert.equal((await fetch(link_url)).status, 200)
  await ann.call('remove_project_member', { project_id: project.id, person_id: bob.id })
  const late = await upload(ann, 'late.txt', { folder_id: folder.id })
  assert.deepEqual(
    [
      (await fetch(link_url)).status,
      (await fetch(`${link_url}/${late.id}`)).status,
      (await fetch(ownLink.link_url)).status,
    ],
    [404, 404, 200],
  )
  const zed = await workspace.person('Zed')
  const shared = await zed.call('create_share_link', { file_id: (await upload(zed, 'z.txt')).id })
  assert.equal((await fetch(shared.link_url)).status, 200)
  const row = await workspace.app.store.read
    .selectFrom('users')
    .selectAll()
    .where('id', '=', zed.id)
    .executeTakeFirstOrThrow()
  await setStatus(workspace.app.store, workspace.clock, row, 'deactivated')
  assert.equal((await fetch(shared.link_url)).status, 404)
})

test('stalled uploads do not take up the slots of others', async () => {
  const session = async (who: Someone) =>
    (await who.call('create_upload_session', { name: 'slow.bin', size_bytes: 5 }))
      .upload_url as string
  const slow = await Promise.all(
    Array.from({ length: 8 }, async () =>
      request(await session(ann), { method: 'PUT', headers: { 'content-length': '5' } }),
    ),
  )
  for (const clientRequest of slow) clientRequest.on('error', () => {}).write('h')
  const put = async (who: Someone) =>
    (await fetch(await session(who), { method: 'PUT', body: 'hello' })).status
  while (readdirSync(join(workspace.dataDir, 'blobs', 'incoming')).length < slow.length)
    await pause(10)
  assert.deepEqual([await put(ann), await put(bob)], [503, 201])
  for (const clientRequest of slow) clientRequest.destroy()
})
