// Tests the stand-in against Google's own library: each must understand the other.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Readable } from 'node:stream'
import { drive, type drive_v3 } from '@googleapis/drive'
import { OAuth2Client } from 'google-auth-library'
import { folderMime, startGoogle, type GoogleStandIn } from './google-drive.ts'

let google: GoogleStandIn
let api: drive_v3.Drive
let auth: OAuth2Client
let rootUrl: string
const me = 'ann@drive.test'

before(async () => {
  google = await startGoogle()
  rootUrl = `http://${google.host}/`
  const { token, revoke } = JSON.parse(google.endpoints) as { token: string; revoke: string }
  auth = new OAuth2Client({
    clientId: google.clientId,
    clientSecret: google.clientSecret,
    forceRefreshOnFailure: true,
    endpoints: { oauth2TokenUrl: token, oauth2RevokeUrl: revoke },
  })
  auth.setCredentials({ refresh_token: google.join(me) })
  api = drive({ version: 'v3', auth, rootUrl })
})
after(() => google.close())

async function status(work: Promise<unknown>): Promise<[number, string]> {
  try {
    await work
  } catch (error) {
    const { response } = error as {
      response?: { status: number; data: { error: { errors: { reason: string }[] } } }
    }
    return [response!.status, response!.data.error.errors[0]!.reason]
  }
  throw new Error('it was expected to be refused')
}

test('files are created, uploaded in one or several parts, listed in pages with the requested fields, changed and erased', async () => {
  const folder = (await api.files.create({ requestBody: { name: 'Folder', mimeType: folderMime } }))
    .data
  assert.deepEqual(Object.keys(folder).sort(), ['id', 'kind', 'mimeType', 'name'])
  const [id] = (await api.files.generateIds({ count: 1 })).data.ids!
  const upload = {
    requestBody: { id: id!, name: 'a.txt', parents: [folder.id!] },
    media: { mimeType: 'text/plain', body: Readable.from(['some ', 'text']) },
  }
  const created = (await api.files.create({ ...upload, fields: '*' }, { rootUrl })).data
  assert.deepEqual(
    [created.id, created.size, created.mimeType, created.capabilities?.canEdit],
    [id, '9', 'text/plain', true],
  )
  assert.deepEqual(await status(api.files.create({ requestBody: { id: id!, name: 'twice' } })), [
    409,
    'fileIdInUse',
  ])
  assert.deepEqual(
    await status(api.files.create({ requestBody: { id: '1ofmyown', name: 'no' } })),
    [400, 'invalid'],
  )
  const part = await api.files.get(
    { fileId: id!, alt: 'media' },
    { responseType: 'text', headers: { range: 'bytes=5-8' } },
  )
  assert.deepEqual([part.status, part.data], [206, 'text'])
  await api.files.update(
    { fileId: id!, media: { mimeType: 'text/plain', body: 'other' } },
    { rootUrl },
  )
  assert.equal((await api.revisions.list({ fileId: id! })).data.revisions!.length, 2)
  for (let i = 0; i < 5; i++) await api.files.create({ requestBody: { name: `more ${i}` } })
  const page = (
    await api.files.list({ pageSize: 4, fields: 'nextPageToken,files(id,capabilities(canTrash))' })
  ).data
  const next = (await api.files.list({ pageSize: 4, pageToken: page.nextPageToken! })).data
  assert.deepEqual(
    [page.files!.length, next.files!.length, Object.keys(page.files![0]!.capabilities!)],
    [4, 3, ['canTrash']],
  )
  const copy = (await api.files.copy({ fileId: id!, requestBody: { name: 'b.txt' } })).data
  await api.files.update({ fileId: folder.id!, requestBody: { trashed: true } })
  assert.equal(
    (await api.files.get({ fileId: id!, fields: 'trashed,explicitlyTrashed' })).data.trashed,
    true,
  )
  await api.files.delete({ fileId: copy.id! })
  assert.deepEqual(await status(api.files.get({ fileId: copy.id! })), [404, 'notFound'])
  assert.ok(
    Number((await api.about.get({ fields: 'storageQuota' })).data.storageQuota!.usage) >= 14,
  )
  assert.deepEqual(await status(api.about.get({})), [400, 'required'])
})

test('documents are exported and have no bytes; permissions grant access; shared drives must be requested', async () => {
  const plan = google.put(me, {
    name: 'Plan',
    mimeType: 'application/vnd.google-apps.document',
    text: '# Plan',
  })
  assert.equal(
    (
      await api.files.export(
        { fileId: plan.id, mimeType: 'text/markdown' },
        { responseType: 'text' },
      )
    ).data,
    '# Plan',
  )
  assert.deepEqual(await status(api.files.get({ fileId: plan.id, alt: 'media' })), [
    403,
    'fileNotDownloadable',
  ])
  assert.deepEqual(await status(api.files.export({ fileId: plan.id, mimeType: 'video/mp4' })), [
    400,
    'badRequest',
  ])
  const other = drive({
    version: 'v3',
    rootUrl,
    headers: { authorization: `Bearer ${google.access(google.join('bob@drive.test'))}` },
  })
  assert.deepEqual(await status(other.files.get({ fileId: plan.id })), [404, 'notFound'])
  await api.permissions.create({
    fileId: plan.id,
    requestBody: { type: 'user', role: 'reader', emailAddress: 'bob@drive.test' },
  })
  assert.equal((await other.files.get({ fileId: plan.id })).data.name, 'Plan')
  assert.deepEqual(
    await status(other.files.update({ fileId: plan.id, requestBody: { name: 'x' } })),
    [403, 'insufficientFilePermissions'],
  )
  const team = google.sharedDrive('Team', me)
  const inTeam = google.put(me, { name: 'team.txt', parent: team, text: 'x' })
  assert.deepEqual(
    (await api.drives.list({})).data.drives!.map((item) => item.name),
    ['Team'],
  )
  assert.deepEqual(await status(api.files.get({ fileId: inTeam.id })), [404, 'notFound'])
  assert.equal(
    (await api.files.get({ fileId: inTeam.id, supportsAllDrives: true })).data.name,
    'team.txt',
  )
  assert.deepEqual(await status(api.files.list({ corpora: 'drive', driveId: team })), [
    403,
    'teamDrivesParameterRequired',
  ])
})

test('changes since a token are listed once each; an expired token gives 410; injected failures occur as often as configured', async () => {
  const { startPageToken } = (await api.changes.getStartPageToken({})).data
  const file = google.put(me, { name: 'c.txt', text: 'c' })
  google.edit(me, file.id, { name: 'd.txt' })
  const received = (await api.changes.list({ pageToken: startPageToken!, fields: '*' })).data
  assert.deepEqual(
    received.changes!.map((change) => [change.fileId, change.file?.name]),
    [[file.id, 'd.txt']],
  )
  google.erase(file.id)
  assert.deepEqual(
    (
      await api.changes.list({ pageToken: received.newStartPageToken!, fields: '*' })
    ).data.changes!.map((change) => [change.fileId, change.removed]),
    [[file.id, true]],
  )
  google.forgetChanges()
  assert.deepEqual(await status(api.changes.list({ pageToken: startPageToken! })), [
    410,
    'pageTokenExpired',
  ])
  google.fail({ on: /about/, status: 403, reason: 'rateLimitExceeded', times: 2 }) // the library tries once more with another token
  assert.deepEqual(await status(api.about.get({ fields: 'user' }, { retry: false })), [
    403,
    'rateLimitExceeded',
  ])
  assert.equal((await api.about.get({ fields: 'user' })).data.user!.emailAddress, me)
  google.expireTokens()
  assert.equal(
    (await api.about.get({ fields: 'user' })).data.user!.emailAddress,
    me,
    'the library refreshes the token',
  )
  google.revokeAll()
  await assert.rejects(api.about.get({ fields: 'user' }), /invalid_grant/)
})
