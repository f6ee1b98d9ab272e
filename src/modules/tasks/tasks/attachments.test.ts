import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'
import { sanitizeFileName, mimeTypeOf } from '../../../kernel/text/file-names.ts'

let workspace: TestWorkspace
let task: any
before(async () => {
  workspace = await makeWorkspace()
  const { ann, bob } = workspace
  await ann.call('create_project', { name: 'Engine', key: 'ENG' })
  await ann.call('add_project_member', { project_id: 'ENG', person_id: bob.id })
  task = await ann.call('create_task', { project_id: 'ENG', title: 'Files' })
})
after(() => workspace.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const attach = (args: Record<string, unknown>) =>
  workspace.ann.call('add_task_attachment', { task_id: task.id, ...args })
const refused = (args: Record<string, unknown>) =>
  workspace.ann.refused('add_task_attachment', { task_id: task.id, ...args })

test('content becomes a file that anybody who can see the task can fetch', async () => {
  const { bob, carol, eve } = workspace
  const attachment = await attach({ name: '../secret/.report.csv', content_base64: base64('a,b') })
  assert.deepEqual(
    [attachment.name, attachment.kind, attachment.mime_type, attachment.size_bytes],
    ['report.csv', 'file', 'text/csv', 3],
  )
  assert.deepEqual(await bob.call('download_file', { file_id: attachment.file.id }), {
    download: {
      name: 'report.csv',
      mime_type: 'text/csv',
      sha256: createHash('sha256').update('a,b').digest('hex'),
      size_bytes: 3,
    },
  })
  for (const someone of [carol, eve])
    assert.equal(
      (await someone.refused('download_file', { file_id: attachment.file.id })).code,
      'not_found',
    )
  const storedFile = await workspace.app.store.read
    .selectFrom('files')
    .select('sha256')
    .where('id', '=', attachment.file.id)
    .executeTakeFirstOrThrow()
  assert.equal(storedFile.sha256, createHash('sha256').update('a,b').digest('hex'))
})

test('a visible file is attached to another task once, and is kept when detached', async () => {
  const { ann } = workspace
  const { file } = await attach({ name: 'plan.pdf', content_base64: base64('%PDF') })
  const other = await ann.call('create_task', { project_id: 'ENG', title: 'Other' })
  const add = () => ann.call('add_task_attachment', { task_id: other.id, file_id: file.id })
  const attachment = await add()
  assert.equal(attachment.name, 'plan.pdf')
  assert.equal((await add()).id, attachment.id)
  const removal = await ann.call('remove_task_attachment', {
    task_id: other.id,
    attachment_id: attachment.id,
  })
  assert.equal(removal.item.title, 'plan.pdf')
  assert.deepEqual((await ann.call('get_task', { task_id: other.id })).attachments, [])
  assert.equal((await ann.call('download_file', { file_id: file.id })).download.name, 'plan.pdf')
})

test('a link is named by the given name, or by its page', async () => {
  assert.deepEqual(pick(await attach({ url: 'https://docs.test/plan/a?x=1' })), {
    kind: 'link',
    name: 'docs.test/plan/a',
    web_url: 'https://docs.test/plan/a?x=1',
  })
  assert.equal((await attach({ url: 'https://docs.test/', name: 'Docs' })).name, 'Docs')
})

function pick({ kind, name, web_url }: any) {
  return { kind, name, web_url }
}

test('exactly one thing is attached, and it must be well-formed', async () => {
  assert.match((await refused({})).message, /nothing to attach/)
  assert.match((await refused({ name: 'alone.txt' })).message, /nothing to attach/)
  assert.match(
    (await refused({ url: 'https://x.test', name: 'x', content_base64: 'YQ==' })).message,
    /cannot be combined/,
  )
  assert.equal((await refused({ content_base64: 'YQ==' })).more.field, 'name')
  assert.equal((await refused({ name: '../..', content_base64: 'YQ==' })).more.field, 'name')
  for (const text of ['YQ', 'YQ==\n', 'Y===', 'YR==', 'a-_=', '????'])
    assert.equal(
      (await refused({ name: 'x', content_base64: text })).more.field,
      'content_base64',
      text,
    )
  for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'https://a:b@x.test/', 'x'])
    assert.equal((await refused({ url })).code, 'invalid_argument', url)
})

test('content is limited to 512 KiB', async () => {
  const encodedBytes = (size: number) => Buffer.alloc(size, 1).toString('base64')
  assert.equal(
    (await attach({ name: 'full.bin', content_base64: encodedBytes(512 * 1024) })).size_bytes,
    512 * 1024,
  )
  assert.equal(
    (await refused({ name: 'over.bin', content_base64: encodedBytes(512 * 1024 + 1) })).code,
    'too_large',
  )
})

test('strangers can neither attach nor detach, and their files cannot be reached by id', async () => {
  const { carol, eve, ann } = workspace
  const linkAttachment = await attach({ url: 'https://keep.test' })
  await carol.call('create_project', { name: 'Own', key: 'OWN' })
  const carolsTask = await carol.call('create_task', { project_id: 'OWN', title: 'Own' })
  const { file } = await attach({ name: 'canary.txt', content_base64: base64('canary') })
  for (const someone of [carol, eve]) {
    assert.equal(
      (await someone.refused('add_task_attachment', { task_id: task.id, url: 'https://x.test' }))
        .code,
      'not_found',
    )
    assert.equal(
      (
        await someone.refused('remove_task_attachment', {
          task_id: task.id,
          attachment_id: linkAttachment.id,
        })
      ).code,
      'not_found',
    )
  }
  assert.equal(
    (
      await carol.refused('remove_task_attachment', {
        task_id: carolsTask.id,
        attachment_id: linkAttachment.id,
      })
    ).code,
    'not_found',
  )
  assert.equal(
    (await carol.refused('add_task_attachment', { task_id: carolsTask.id, file_id: file.id })).code,
    'not_found',
  )
  assert.ok(
    (await ann.call('get_task', { task_id: task.id })).attachments.some(
      (attachment: any) => attachment.id === linkAttachment.id,
    ),
  )
})

test('names are stripped of folders, control and direction characters, leading dots and anything over 255 bytes', () => {
  assert.equal(sanitizeFileName('C:\\temp\\..\\a.txt'), 'a.txt')
  assert.equal(sanitizeFileName('..hidden\u0007.txt'), 'hidden.txt')
  assert.equal(sanitizeFileName('photo\u202Egpj.exe'), 'photogpj.exe')
  assert.equal(sanitizeFileName('…/ . .'), '')
  const long = sanitizeFileName(`${'ä'.repeat(200)}.pdf`)
  assert.ok(Buffer.byteLength(long) <= 255 && long.endsWith('ä.pdf'))
  assert.equal(mimeTypeOf('A.JPG'), 'image/jpeg')
  assert.equal(mimeTypeOf('x.constructor'), 'application/octet-stream')
})
