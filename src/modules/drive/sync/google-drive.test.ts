import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { asPerson, runTick } from '../../../operations/jobs/system.ts'
import type { Row } from '../../../records/resource.ts'
import { Queue } from '../../../jobs/queue.ts'
import { connectAccount } from '../../../testing/mail/accounts.ts'
import {
  makeWorkspace,
  minute,
  type Someone,
  type TestWorkspace,
} from '../../../testing/harness.ts'
import {
  folderMime,
  startGoogle,
  type GoogleStandIn,
} from '../../../testing/servers/google-drive.ts'
import { modules } from '../../index.ts'
import { driveModule } from '../index.ts'

const docMime = 'application/vnd.google-apps.document'
const secretFile = `/tmp/workspace-drive-${process.pid}.secret`
let google: GoogleStandIn
let workspace: TestWorkspace
let ann: Someone
let bob: Someone

before(() => writeFileSync(secretFile, 'secret-of-tests\n'))
after(() => rmSync(secretFile, { force: true }))
beforeEach(async () => {
  google = await startGoogle()
  const testModules = modules.map((module) =>
    ['email', 'calendar'].includes(module.name)
      ? { ...module, jobs: [], schedules: [], ticks: [] }
      : module,
  ) // only the sync of files is tested here
  workspace = await makeWorkspace({
    modules: testModules,
    settings: {
      google_client_id: google.clientId,
      google_client_secret_file: secretFile,
      google_endpoints: google.endpoints,
      outbound_allow: google.host,
    },
  })
  ;({ ann, bob } = workspace)
})
afterEach(async () => {
  await workspace.close()
  await google.close()
})

const rows = (sql: string, ...params: unknown[]) =>
  workspace.app.store.raw.read.prepare(sql).all(...params) as Record<string, any>[]
const emailOf = (who: Someone) => who.actor.email

function connect(who: Someone): Promise<Row<'accounts'>> {
  return connectAccount(
    workspace.app,
    who,
    { provider: 'google', has_mail: 0, has_drive: 1, status: 'syncing' },
    { refreshToken: google.join(emailOf(who)) },
  )
}

/** Runs the server's background work until nothing is left. */
async function runBackgroundWork({ wait = 6 * minute } = {}): Promise<void> {
  workspace.clock.wait(wait)
  const queue = new Queue(workspace.app, { random: () => 0 })
  for (let round = 0; round < 4; round++) {
    for (const tick of driveModule.ticks!)
      if (!tick.due || (await tick.due(workspace.app.store.read)))
        await runTick(workspace.app, tick)
    await queue.drain()
  }
}

async function driveOf(who: Someone, name = 'My Drive'): Promise<Record<string, any>> {
  const match = (await who.call('list_drives')).items.find(
    (item: Record<string, any>) => item.name === name,
  )
  assert.ok(match, `a drive ${name}`)
  return match
}

async function fileNamed(who: Someone, name: string): Promise<Record<string, any>> {
  const id = rows(
    'SELECT id FROM files WHERE name = ? AND owner_id = ? AND remote_id IS NOT NULL ORDER BY id',
    name,
    who.id,
  )[0]?.id
  assert.ok(id, `a file ${name}`)
  return who.call('get_file', { file_id: id })
}

const names = async (who: Someone, folder: string) =>
  ((await who.call('list_files', { folder_id: folder, limit: 100 })).items as Record<string, any>[])
    .map((item) => item.name)
    .sort()
const notices = (who: Someone) =>
  rows('SELECT text FROM notifications WHERE person_id = ? ORDER BY id', who.id).map(
    (row) => row.text as string,
  )
const pending = () =>
  rows('SELECT name FROM files WHERE remote_id IS NOT NULL AND synced_revision <> revision')

test('a first listing imports folders, documents and shared files silently, visible to its owner only', async () => {
  const me = emailOf(ann)
  const folder = google.put(me, { name: 'Reports', mimeType: folderMime })
  google.put(me, { name: 'notes.txt', parent: folder.id, text: 'zebra crossing' })
  google.put(me, { name: 'Plan', mimeType: docMime, text: '# Heading\n\nquokka island' })
  google.join('guest@elsewhere.test')
  const theirs = google.put('guest@elsewhere.test', { name: 'theirs.txt', text: 'from a guest' })
  google.share(theirs.id, me)
  google.put('guest@elsewhere.test', { name: 'secret.txt', text: 'not for Ann' })
  google.pageSize = 2
  await connect(ann)
  await runBackgroundWork()
  const drive = await driveOf(ann)
  assert.deepEqual(
    [drive.kind, drive.status, drive.account, drive.quota_bytes],
    ['google', 'active', me, 15 * 2 ** 30],
  )
  assert.deepEqual(await names(ann, drive.root_folder_id), ['Plan', 'Reports', 'Shared with me'])
  const notes = await fileNamed(ann, 'notes.txt')
  assert.deepEqual(
    [notes.path, notes.size_bytes, notes.created_via, notes.drive.title, notes.text_status],
    ['/Reports/notes.txt', 14, 'sync', 'My Drive', 'indexed'],
  )
  assert.equal((await fileNamed(ann, 'theirs.txt')).path, '/Shared with me/theirs.txt')
  assert.deepEqual(rows("SELECT name FROM files WHERE name = 'secret.txt'"), [])
  assert.deepEqual(
    rows("SELECT op FROM changes WHERE item_type = 'file'"),
    [],
    'existing files are not reported as changes',
  )
  const [hit] = (await ann.call('search_files', { query: 'quokka' })).items
  assert.deepEqual([hit.file.name, hit.matched_in], ['Plan', ['text']])
  assert.equal(rows('SELECT status FROM accounts')[0]!.status, 'active')
  for (const tool of [
    'get_file',
    'get_file_content',
    'list_file_versions',
    'copy_file',
    'trash_file',
  ])
    assert.equal((await bob.refused(tool, { file_id: notes.id })).code, 'not_found', tool)
  assert.deepEqual((await bob.call('search_files', { query: 'quokka' })).items, [])
  assert.equal((await bob.refused('list_files', { drive_id: drive.id })).code, 'not_found')
  assert.deepEqual(pending(), [])
})

test('the changes feed brings new files, contents, moves, renames and trash, and removes inaccessible files', async () => {
  const me = emailOf(ann)
  const folder = google.put(me, { name: 'Reports', mimeType: folderMime })
  const standInFile = google.put(me, { name: 'one.txt', text: 'first words' })
  const two = google.put(me, { name: 'two.txt', text: 'second' })
  google.join('guest@elsewhere.test')
  const theirs = google.put('guest@elsewhere.test', { name: 'theirs.txt', text: 'shared' })
  google.share(theirs.id, me)
  await connect(ann)
  await runBackgroundWork()
  const before = await fileNamed(ann, 'one.txt')
  google.edit(me, standInFile.id, { name: 'renamed.txt', parent: folder.id, text: 'narwhal words' })
  google.edit(me, two.id, { explicitlyTrashed: true })
  google.put(me, { name: 'three.txt', text: 'new here', parent: folder.id })
  google.unshare(theirs.id, me)
  await runBackgroundWork()
  const now = await ann.call('get_file', { file_id: before.id })
  assert.deepEqual(
    [now.name, now.path, now.text_status],
    ['renamed.txt', '/Reports/renamed.txt', 'indexed'],
  )
  assert.notEqual(now.version_id, before.version_id)
  assert.equal(
    (await ann.call('get_file_content', { file_id: before.id })).content.text,
    'narwhal words',
  )
  assert.deepEqual((await ann.call('search_files', { query: 'first' })).items, [])
  assert.deepEqual(await names(ann, (await fileNamed(ann, 'Reports')).id), [
    'renamed.txt',
    'three.txt',
  ])
  const trashed = (await ann.call('list_files', { trashed: true })).items
  assert.deepEqual(
    trashed.map((file: any) => file.name),
    ['two.txt'],
  )
  assert.deepEqual(rows("SELECT id FROM files WHERE name = 'theirs.txt'"), [])
  const fileChanges = rows(
    "SELECT op, via, events_json FROM changes WHERE item_type = 'file' ORDER BY op",
  )
  assert.deepEqual(
    fileChanges.map((each) => each.op),
    ['created', 'deleted', 'deleted', 'updated'],
  )
  assert.deepEqual([...new Set(fileChanges.map((each) => each.via))], ['sync'])
  google.edit(me, two.id, { explicitlyTrashed: false })
  await runBackgroundWork()
  assert.equal((await fileNamed(ann, 'two.txt')).path, '/two.txt')
  assert.deepEqual(pending(), [])
})

test('local creations and changes take effect at once and reach Google soon: folders, contents, names, places, trash and restore', async () => {
  await connect(ann)
  await runBackgroundWork()
  const { root_folder_id } = await driveOf(ann)
  google.fail({ on: /^POST/, status: 503, times: 1 })
  const folder = await ann.call('create_folder', {
    name: 'Trips',
    path: '2026',
    parent_id: root_folder_id,
  })
  const uploaded = await ann.call('upload_file', {
    name: 'list.md',
    content_text: 'pack the tent',
    folder_id: folder.id,
  })
  assert.equal(
    (await ann.call('get_file_content', { file_id: uploaded.id })).content.text,
    'pack the tent',
  )
  assert.equal(google.find('list.md').length, 0)
  await runBackgroundWork()
  await runBackgroundWork()
  const [remoteFile] = google.find('list.md')
  assert.deepEqual(
    [
      google.textOf(remoteFile!.id),
      google.files.get(remoteFile!.parent!)!.name,
      google.find('Trips').length,
      google.find('2026').length,
    ],
    ['pack the tent', 'Trips', 1, 1],
  )
  assert.deepEqual(pending(), [])
  assert.equal(
    rows('SELECT sha256 FROM files WHERE id = ?', uploaded.id)[0]!.sha256,
    '',
    'the content is at Google and no longer stored here',
  )
  assert.equal(
    (await ann.call('get_file_content', { file_id: uploaded.id, format: 'base64' })).base64,
    Buffer.from('pack the tent').toString('base64'),
  )

  await ann.call('update_file_content', {
    file_id: uploaded.id,
    content_text: 'pack the tent and the stove',
    expected_version_id: uploaded.version_id,
  })
  await ann.call('update_file', {
    file_id: uploaded.id,
    name: 'packing.md',
    description: 'For the summer',
    starred: true,
  })
  await ann.call('move_file', { file_id: uploaded.id, folder_id: root_folder_id })
  await runBackgroundWork()
  assert.deepEqual(
    [
      remoteFile!.name,
      remoteFile!.description,
      google.textOf(remoteFile!.id),
      remoteFile!.parent,
      remoteFile!.revisions.length,
    ],
    [
      'packing.md',
      'For the summer',
      'pack the tent and the stove',
      google.roots.get(emailOf(ann)),
      2,
    ],
  )
  await ann.call('trash_file', { file_id: folder.id })
  await runBackgroundWork()
  assert.deepEqual(
    [google.find('Trips')[0]!.explicitlyTrashed, google.isTrashed(google.find('Trips')[0]!)],
    [true, true],
  )
  await ann.call('restore_item', { item_id: folder.id })
  await runBackgroundWork()
  assert.equal(google.find('Trips')[0]!.explicitlyTrashed, false)
  assert.deepEqual(pending(), [])
  const before = google.requests.length
  await runBackgroundWork({ wait: minute })
  assert.equal(
    google.requests.slice(before).filter((name) => !name.startsWith('GET')).length,
    0,
    'nothing is sent twice',
  )
})

test('an upload or a folder whose response is lost is not created twice', async () => {
  await connect(ann)
  await runBackgroundWork()
  const { root_folder_id } = await driveOf(ann)
  google.fail({ on: /^PUT \/upload/, status: 0, afterwards: true })
  google.fail({ on: /^POST \/drive\/v3\/files$/, status: 0, afterwards: true })
  await ann.call('upload_file', {
    name: 'once.txt',
    content_text: 'only once',
    folder_id: root_folder_id,
  })
  await ann.call('create_folder', { name: 'Once', parent_id: root_folder_id })
  for (let i = 0; i < 4; i++) await runBackgroundWork()
  assert.deepEqual(
    [
      google.find('once.txt').length,
      google.find('Once').length,
      google.find('once.txt')[0]!.revisions.length,
    ],
    [1, 1, 1],
  )
  assert.deepEqual(pending(), [])
})

test('concurrent changes: names and locations are merged, and overwritten content is kept by Google', async () => {
  const me = emailOf(ann)
  const file = google.put(me, { name: 'both.txt', text: 'base' })
  const folder = google.put(me, { name: 'Elsewhere', mimeType: folderMime })
  await connect(ann)
  await runBackgroundWork()
  const { id, version_id } = await fileNamed(ann, 'both.txt')
  google.edit(me, file.id, { parent: folder.id, text: 'theirs' })
  await ann.call('update_file', { file_id: id, name: 'ours.txt' })
  await ann.call('update_file_content', { file_id: id, content_text: 'ours' })
  await runBackgroundWork()
  assert.deepEqual(
    [
      file.name,
      file.parent,
      file.revisions.map((revision) => [revision.bytes.toString(), revision.keepForever]),
    ],
    [
      'ours.txt',
      folder.id,
      [
        ['base', false],
        ['theirs', true],
        ['ours', false],
      ],
    ],
  )
  assert.equal((await ann.call('get_file', { file_id: id })).path, '/Elsewhere/ours.txt')
  assert.ok(
    notices(ann).some((text) => /changed in Google Drive while it was changed here/.test(text)),
  )
  google.edit(me, file.id, { text: 'theirs again' })
  const present = (await ann.call('get_file', { file_id: id })).version_id
  assert.equal(
    (
      await ann.refused('update_file_content', {
        file_id: id,
        content_text: 'blind',
        expected_version_id: present,
      })
    ).code,
    'conflict',
    'the state at Google is checked before overwriting',
  )
  assert.equal(
    (
      await ann.refused('update_file_content', {
        file_id: id,
        content_text: 'blind',
        expected_version_id: version_id,
      })
    ).code,
    'conflict',
  )
})

test('versions are those kept by Google: listed, read and restored', async () => {
  const me = emailOf(ann)
  const file = google.put(me, { name: 'story.txt', text: 'chapter one' })
  google.edit(me, file.id, { text: 'chapter two' })
  await connect(ann)
  await runBackgroundWork()
  const { id } = await fileNamed(ann, 'story.txt')
  google.edit(me, file.id, { text: 'chapter three' })
  const versions = (await ann.call('list_file_versions', { file_id: id })).items
  assert.deepEqual(
    versions.map((version: any) => [version.number, version.is_current, version.size_bytes]),
    [
      [3, true, 13],
      [2, false, 11],
      [1, false, 11],
    ],
  )
  assert.equal(
    (await ann.call('get_file_content', { file_id: id, version_id: versions[2].id })).content.text,
    'chapter one',
  )
  await ann.call('restore_file_version', { file_id: id, version_id: versions[2].id })
  assert.equal((await ann.call('get_file_content', { file_id: id })).content.text, 'chapter one')
  await runBackgroundWork()
  assert.deepEqual(
    file.revisions.map((revision) => revision.bytes.toString()),
    ['chapter one', 'chapter two', 'chapter three', 'chapter one'],
  )
  assert.deepEqual(
    (await ann.call('list_file_versions', { file_id: id })).items.map((item: any) => item.number),
    [4, 3, 2, 1],
  )
})

test("Google's own documents are read as Markdown, copied as office files, and not writable", async () => {
  const me = emailOf(ann)
  google.put(me, { name: 'Plan', mimeType: docMime, text: '# Plan\n\nwords' })
  google.put(me, {
    name: 'Sums',
    mimeType: 'application/vnd.google-apps.spreadsheet',
    text: 'a,b\n1,2',
  })
  google.put(me, { name: 'Survey', mimeType: 'application/vnd.google-apps.form', text: '' })
  google.put(me, {
    name: 'way',
    mimeType: 'application/vnd.google-apps.shortcut',
    shortcutTo: google.find('Plan')[0]!.id,
  })
  await connect(ann)
  await runBackgroundWork()
  const plan = await fileNamed(ann, 'Plan')
  const content = await ann.call('get_file_content', { file_id: plan.id })
  assert.deepEqual(
    [plan.type, content.format, content.content],
    ['document', 'markdown', { text: '# Plan\n\nwords', trust: 'external', source: 'Plan' }],
  )
  assert.equal(
    (await ann.call('get_file_content', { file_id: (await fileNamed(ann, 'Sums')).id })).content
      .text,
    'a,b\n1,2',
  )
  assert.equal(
    (await ann.call('get_file_content', { file_id: (await fileNamed(ann, 'way')).id })).content
      ?.text ?? 'bytes',
    'bytes',
  )
  const copy = await ann.call('copy_file', { file_id: plan.id })
  assert.deepEqual([copy.name, copy.drive.title, copy.type], ['Plan.docx', 'Drive', 'document'])
  assert.match(
    Buffer.from(
      (await ann.call('get_file_content', { file_id: copy.id, format: 'base64' })).base64,
      'base64',
    ).toString(),
    /wordprocessingml/,
  )
  assert.match(
    (await ann.refused('update_file_content', { file_id: plan.id, content_text: 'x' })).message,
    /is a Google document/,
  )
  assert.equal(
    (await ann.refused('copy_file', { file_id: (await fileNamed(ann, 'Survey')).id })).code,
    'conflict',
  )
  const link = await ann.call('get_file_content', { file_id: plan.id, format: 'link' })
  const fetched = await ann.call('fetch_file', { token: link.download_url.split('/').at(-1) })
  assert.deepEqual([fetched.download.name, typeof fetched.download.sha256], ['Plan.docx', 'string'])
})

test('shared drives are separate drives; actions beyond their permissions are refused at once; files move between drives', async () => {
  const me = emailOf(ann)
  google.join(me)
  const team = google.sharedDrive('Team', me)
  google.put(me, { name: 'team.txt', parent: team, text: 'of the team' })
  google.put(me, { name: 'locked.txt', parent: team, text: 'read only', readOnly: true })
  google.put(me, { name: 'mine.txt', text: 'mine' })
  await connect(ann)
  await runBackgroundWork()
  const drive = await driveOf(ann, 'Team')
  assert.deepEqual(
    [drive.kind, await names(ann, drive.root_folder_id)],
    ['google_shared', ['locked.txt', 'team.txt']],
  )
  assert.equal(
    (
      await ann.refused('update_file', {
        file_id: (await fileNamed(ann, 'locked.txt')).id,
        name: 'x',
      })
    ).code,
    'permission_denied',
  )
  const mine = await fileNamed(ann, 'mine.txt')
  await ann.call('move_file', { file_id: mine.id, folder_id: drive.root_folder_id })
  const copied = await ann.call('copy_file', {
    file_id: (await fileNamed(ann, 'team.txt')).id,
    folder_id: (await driveOf(ann)).root_folder_id,
    name: 'copy.txt',
  })
  assert.equal(
    (
      await ann.refused('move_file', {
        file_id: copied.id,
        folder_id: rows(
          "SELECT root_folder_id id FROM drives WHERE kind = 'builtin' AND owner_id = ?",
          ann.id,
        )[0]!.id,
      })
    ).code,
    'conflict',
  )
  assert.equal(
    (await ann.refused('share_file', { file_id: copied.id, person_id: bob.id, role: 'viewer' }))
      .code,
    'not_connected',
  )
  await runBackgroundWork()
  await runBackgroundWork()
  assert.deepEqual(
    [google.find('mine.txt')[0]!.driveId, google.textOf(google.find('copy.txt')[0]!.id)],
    [team, 'of the team'],
  )
  assert.equal((await ann.call('get_file', { file_id: mine.id })).drive.title, 'Team')
  google.drives.get(team)!.members.delete(me)
  await runBackgroundWork()
  assert.deepEqual((await ann.call('list_drives')).items.map((item: any) => item.name).sort(), [
    'Drive',
    'My Drive',
  ])
  assert.deepEqual(rows("SELECT name FROM files WHERE name = 'team.txt'"), [])
})

test('a change rejected by Google is reverted here, and written content is kept in the built-in drive', async () => {
  const me = emailOf(ann)
  const file = google.put(me, { name: 'hers.txt', text: 'hers' })
  await connect(ann)
  await runBackgroundWork()
  const { id } = await fileNamed(ann, 'hers.txt')
  file.readOnly = true
  await ann.call('update_file', { file_id: id, name: 'mine.txt' })
  await ann.call('update_file_content', { file_id: id, content_text: 'my words' })
  await runBackgroundWork()
  assert.deepEqual([file.name, google.textOf(file.id)], ['hers.txt', 'hers'])
  const now = await ann.call('get_file', { file_id: id })
  assert.deepEqual(
    [now.name, (await ann.call('get_file_content', { file_id: id })).content.text],
    ['hers.txt', 'hers'],
  )
  const rescued = (await ann.call('list_files')).items.find((item: any) => item.name === 'mine.txt')
  assert.equal(
    (await ann.call('get_file_content', { file_id: rescued.id })).content.text,
    'my words',
  )
  assert.ok(notices(ann).some((text) => /kept in the built-in drive/.test(text)))
  const other = google.put(me, { name: 'gone.txt', text: 'gone' })
  await runBackgroundWork()
  const vanished = await fileNamed(ann, 'gone.txt')
  google.erase(other.id)
  await ann.call('update_file_content', { file_id: vanished.id, content_text: 'not lost' })
  await runBackgroundWork()
  assert.deepEqual(rows('SELECT id FROM files WHERE id = ?', vanished.id), [])
  assert.ok((await ann.call('list_files')).items.some((item: any) => item.name === 'gone.txt'))
})

test('an expired page token causes a new listing that preserves ids and removes missing files', async () => {
  const me = emailOf(ann)
  for (let i = 0; i < 5; i++) google.put(me, { name: `file ${i}.txt`, text: `number ${i}` })
  await connect(ann)
  await runBackgroundWork()
  const ids = () => rows("SELECT id, name FROM files WHERE name LIKE 'file %' ORDER BY name")
  const before = ids()
  google.erase(google.find('file 2.txt')[0]!.id)
  google.edit(me, google.find('file 3.txt')[0]!.id, { explicitlyTrashed: true })
  google.edit(me, google.find('file 4.txt')[0]!.id, { description: 'new' })
  google.forgetChanges()
  await runBackgroundWork()
  assert.deepEqual(
    ids(),
    before.filter((item) => item.name !== 'file 2.txt'),
  )
  assert.equal((await fileNamed(ann, 'file 4.txt')).description, 'new')
  assert.deepEqual(
    (await ann.call('list_files', { trashed: true })).items.map((item: any) => item.name),
    ['file 3.txt'],
  )
})

test('an expired token is refreshed; a withdrawn consent is shown and loses nothing, and a new one continues', async () => {
  const me = emailOf(ann)
  google.put(me, { name: 'kept.txt', text: 'kept words' })
  const account = await connect(ann)
  await runBackgroundWork()
  google.expireTokens()
  google.put(me, { name: 'later.txt', text: 'later' })
  await runBackgroundWork()
  await fileNamed(ann, 'later.txt')
  google.revokeAll()
  const { root_folder_id } = await driveOf(ann)
  await ann.call('upload_file', {
    name: 'waiting.txt',
    content_text: 'I wait',
    folder_id: root_folder_id,
  })
  await runBackgroundWork()
  assert.equal((await driveOf(ann)).status, 'reauth_required')
  assert.equal(
    (await ann.call('get_file_content', { file_id: (await fileNamed(ann, 'kept.txt')).id })).content
      .text,
    'kept words',
  )
  assert.equal(
    (
      await ann.refused('get_file_content', {
        file_id: (await fileNamed(ann, 'kept.txt')).id,
        format: 'base64',
      })
    ).code,
    'not_connected',
  )
  assert.equal(pending().length, 1)
  const again = google.join(me)
  await asPerson(workspace.app, ann.id, 'sign_in', async (ctx) => {
    const row = await workspace.app.store.write
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    await ctx.secrets.put('accounts', row, 'refresh_token', again)
    await ctx.change('accounts', row, { status: 'syncing', problem: null, problem_since: null })
  })
  await runBackgroundWork()
  assert.equal(google.textOf(google.find('waiting.txt')[0]!.id), 'I wait')
  assert.equal((await driveOf(ann)).status, 'active')
})

test('without file consent, when rate-limited, or while Google is down, the account reports it and continues later', async () => {
  const me = emailOf(ann)
  google.put(me, { name: 'a.txt', text: 'a' })
  await connectAccount(
    workspace.app,
    ann,
    { provider: 'google', has_mail: 0, has_drive: 1, status: 'syncing' },
    { refreshToken: google.join(me, 'https://mail.google.com/') },
  )
  await runBackgroundWork()
  assert.match(
    rows('SELECT problem FROM accounts')[0]!.problem,
    /consent .* does not include files/,
  )
  await connect(bob)
  google.put(emailOf(bob), { name: 'b.txt', text: 'b' })
  google.fail({
    on: /^GET \/drive\/v3\/files$/,
    status: 403,
    reason: 'userRateLimitExceeded',
    retryAfter: 20,
  })
  google.fail({ on: /^GET \/drive\/v3\/files$/, status: 429, retryAfter: 20 })
  google.fail({ on: /^GET \/drive\/v3\/changes$/, status: 500 })
  for (let i = 0; i < 5; i++) await runBackgroundWork()
  await fileNamed(bob, 'b.txt')
  assert.equal(rows('SELECT status FROM accounts WHERE owner_id = ?', bob.id)[0]!.status, 'active')
})

test('removing an account removes its drives and files here but not at Google', async () => {
  const me = emailOf(ann)
  google.put(me, { name: 'mine.txt', text: 'mine' })
  const account = await connect(ann)
  await runBackgroundWork()
  const { id } = await fileNamed(ann, 'mine.txt')
  workspace.app.store.raw.write
    .prepare('UPDATE accounts SET removed_at = 1 WHERE id = ?')
    .run(account.id)
  assert.equal((await ann.refused('get_file', { file_id: id })).code, 'not_found')
  assert.deepEqual(
    (await ann.call('list_drives')).items.map((item: any) => item.kind),
    ['builtin'],
  )
  assert.deepEqual((await ann.call('search_files', { query: 'mine' })).items, [])
  await asPerson(workspace.app, ann.id, 'remove', (ctx) =>
    ctx.job('erase_account', { account_id: account.id }),
  )
  await new Queue(workspace.app, { random: () => 0 }).drain()
  assert.deepEqual(rows('SELECT id FROM files WHERE remote_id IS NOT NULL'), [])
  assert.deepEqual(rows("SELECT id FROM drives WHERE kind <> 'builtin'"), [])
  assert.equal(google.find('mine.txt').length, 1)
})

test('folder contents follow it into the trash and back, whichever is older; new content can be undone until uploaded', async () => {
  const me = emailOf(ann)
  const file = google.put(me, { name: 'older.txt', text: 'one' })
  await connect(ann)
  await runBackgroundWork()
  const { id } = await fileNamed(ann, 'older.txt')
  const folder = await ann.call('create_folder', {
    name: 'Younger',
    parent_id: (await driveOf(ann)).root_folder_id,
  })
  await ann.call('move_file', { file_id: id, folder_id: folder.id })
  await runBackgroundWork()
  await ann.call('trash_file', { file_id: folder.id })
  await runBackgroundWork()
  assert.deepEqual([google.isTrashed(file), file.explicitlyTrashed], [true, false])
  assert.equal(rows('SELECT deleted_with FROM files WHERE id = ?', id)[0]!.deleted_with, folder.id)
  await ann.call('restore_item', { item_id: folder.id })
  await runBackgroundWork()
  assert.deepEqual(
    [google.isTrashed(file), (await ann.call('get_file', { file_id: id })).path],
    [false, '/Younger/older.txt'],
  )
  google.edit(me, file.parent!, { explicitlyTrashed: true })
  await runBackgroundWork()
  assert.equal((await ann.refused('get_file', { file_id: id })).code, 'not_found')
  await ann.call('restore_item', { item_id: folder.id })
  await runBackgroundWork()
  await runBackgroundWork()
  assert.deepEqual(
    [google.isTrashed(file), (await ann.call('get_file', { file_id: id })).path],
    [false, '/Younger/older.txt'],
  )
  await ann.call('update_file_content', { file_id: id, content_text: 'two' })
  await runBackgroundWork()
  assert.equal(google.textOf(file.id), 'two')
  const { call_id } = rows(
    "SELECT id call_id FROM calls WHERE tool = 'update_file_content' ORDER BY seq DESC",
  )[0]!
  assert.deepEqual(
    (await ann.call('undo_api_call', { call_id })).refused.map((item: any) => item.reason),
    ['changed_since'],
    'it is at Google already: restore_file_version reverts it',
  )
  await ann.call('update_file_content', { file_id: id, content_text: 'three' })
  const last = rows("SELECT id FROM calls WHERE tool = 'update_file_content' ORDER BY seq DESC")[0]!
    .id
  await ann.call('undo_api_call', { call_id: last })
  await runBackgroundWork()
  assert.deepEqual(
    [file.revisions.length, (await ann.call('get_file_content', { file_id: id })).content.text],
    [2, 'two'],
  )
  assert.deepEqual(pending(), [])
})

test('two people with one shared file have a row each, and large contents are transferred in parts both ways', async () => {
  const [hers, his] = [emailOf(ann), emailOf(bob)]
  const bytes = Buffer.alloc(9 * 2 ** 20 + 17, 'abcdefg')
  const file = google.put(hers, {
    name: 'large.bin',
    mimeType: 'application/octet-stream',
    text: bytes,
  })
  google.share(file.id, his)
  await connect(ann)
  await connect(bob)
  await runBackgroundWork()
  const [one, two] = [await fileNamed(ann, 'large.bin'), await fileNamed(bob, 'large.bin')]
  assert.notEqual(one.id, two.id)
  assert.deepEqual(
    [
      (await ann.refused('get_file', { file_id: two.id })).code,
      (await bob.refused('get_file', { file_id: one.id })).code,
    ],
    ['not_found', 'not_found'],
  )
  assert.deepEqual([one.path, two.path], ['/large.bin', '/Shared with me/large.bin'])
  assert.equal(
    (await bob.refused('update_file_content', { file_id: two.id, content_text: 'x' })).code,
    'permission_denied',
  )
  const localCopy = await ann.call('copy_file', { file_id: one.id })
  await ann.call('copy_file', {
    file_id: localCopy.id,
    folder_id: (await driveOf(ann)).root_folder_id,
    name: 'again.bin',
  })
  await runBackgroundWork()
  assert.ok(google.find('again.bin')[0]!.revisions.at(-1)!.bytes.equals(bytes))
  assert.equal(google.requests.filter((line) => line.startsWith('PUT /upload')).length, 3)
})

test('10,000 files are listed in pages, each stored before the next, and an interrupted sync resumes', async () => {
  const me = emailOf(ann)
  google.join(me)
  const folders = Array.from(
    { length: 20 },
    (_, i) => google.put(me, { name: `Folder ${i}`, mimeType: folderMime }).id,
  )
  for (let i = 0; i < 10_000; i++)
    google.put(me, {
      name: `n${i}.bin`,
      mimeType: 'application/octet-stream',
      parent: folders[i % 20]!,
    })
  await connect(ann)
  const started = performance.now()
  let pages = 0
  google.fail({
    on: { test: (text: string) => text === 'GET /drive/v3/files' && ++pages === 6 } as RegExp,
    status: 503,
  })
  await runBackgroundWork()
  const pageRequests = google.requests.filter((name) => name === 'GET /drive/v3/files').length
  await runBackgroundWork()
  const seconds = (performance.now() - started) / 1000
  assert.equal(
    rows("SELECT count(*) n FROM files WHERE name LIKE 'n%.bin' AND parent_id IS NOT NULL")[0]!.n,
    10_000,
  )
  assert.ok(
    google.requests.filter((name) => name === 'GET /drive/v3/files').length <= 13,
    `${pageRequests} pages asked for`,
  )
  assert.equal(
    (await ann.call('list_files', { folder_id: (await fileNamed(ann, 'Folder 3')).id, limit: 100 }))
      .has_more,
    true,
  )
  console.log(`10,000 files in ${seconds.toFixed(1)} s`)
})
