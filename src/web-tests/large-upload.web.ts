// A large file arrives complete although its connection breaks five times. WORKSPACE_TEST_UPLOAD_MB sets its size; 1024
// takes minutes.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test, type TestContext } from 'node:test'
import { testLimitMs, waitLimitMs } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { openFor } from './steps.ts'

const skip = noChromium
const megabyte = 2 ** 20
const size = Number(process.env.WORKSPACE_TEST_UPLOAD_MB ?? 64)
const breakCount = 5
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

/** Random bytes, in chunks of one megabyte. */
function* megabytes() {
  for (let n = 0; n < size; n++) yield randomBytes(megabyte)
}

/**
 * Cuts connections to the server, which runs in this process, while a part of a file is being sent: simulated offline
 * mode would let data in transit arrive.
 */
function connectionCutter(t: TestContext) {
  let cutOffset = Number.POSITIVE_INFINITY
  let onCut: (() => void) | undefined
  const onRequest = (message: unknown) => {
    const { method, headers, socket } = (message as { request: IncomingMessage }).request
    if (method !== 'PATCH' || Number(headers['upload-offset']) < cutOffset) return
    cutOffset = 0 // no part gets through until mend() is called
    socket.destroy()
    onCut?.()
  }
  subscribe('http.server.request.start', onRequest)
  t.after(() => unsubscribe('http.server.request.start', onRequest))
  return {
    /** Cuts the next part that starts at or after this offset; resolves once it is cut. */
    cutFrom(offset: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      cutOffset = offset
      onCut = resolve
      return promise
    },
    mend(): void {
      cutOffset = Number.POSITIVE_INFINITY
    },
  }
}

test('a large file whose connection breaks five times during upload arrives whole', {
  skip,
  timeout: testLimitMs + size * 2000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'upload-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'film.bin')
  await pipeline(Readable.from(megabytes()), createWriteStream(path))
  const connection = connectionCutter(t)
  let nextCut = connection.cutFrom(0)
  const { visitor, page } = await openFor(web, web.ann, '/files')
  await page.getByRole('button', { name: 'Upload' }).waitFor()
  let failedParts = 0
  page.on('requestfailed', (request) => {
    if (request.method() === 'PATCH') failedParts++
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload' }).press('Enter')
  await (await chooser).setFiles(path)
  const waitingText = page
    .getByRole('list', { name: 'Uploads' })
    .getByText('Waiting for the connection')
  for (let n = 1; n <= breakCount; n++) {
    await nextCut
    await visitor.context.setOffline(true)
    await waitingText.waitFor()
    if (n < breakCount) nextCut = connection.cutFrom(((size * megabyte) / (breakCount + 1)) * n)
    else connection.mend()
    await visitor.context.setOffline(false)
    await waitingText.waitFor({ state: 'detached' })
  }
  const link = page.getByRole('link', { name: 'film.bin' })
  await link.waitFor({ timeout: waitLimitMs + size * 1000 })
  assert.ok(failedParts >= breakCount, `${failedParts} parts broke off`)
  const id = (await link.getAttribute('href'))?.split('/').at(-1)
  const { download_url: address } = await web.ann.call('get_file_content', { file_id: id })
  const { body } = await fetch(address)
  assert.ok(body)
  assert.equal(await hashOf(body), await hashOf(createReadStream(path)))
  visitor.assertNoProblems()
})
