import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDriveChanges, DriveFailure, drivesOf, filesOf, type DriveServer } from './drive.ts'

test('a page that names itself as the next one ends the list instead of looping forever', async () => {
  let requestCount = 0
  const loopingServer: DriveServer = {
    root: 'https://drive.example/',
    token: async () => 'token',
    request: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          id: 'top',
          name: 'My Drive',
          files: [],
          changes: [],
          drives: [],
          nextPageToken: 'same',
        }),
      ),
      isTruncated: requestCount++ > 10,
    }),
  }
  for (const list of [
    () => filesOf(loopingServer, undefined, 'same'),
    () => listDriveChanges(loopingServer, undefined, 'same'),
    () => drivesOf(loopingServer),
  ])
    await assert.rejects(
      list(),
      (error: unknown) => error instanceof DriveFailure && error.reason === 'no_end',
    )
})
