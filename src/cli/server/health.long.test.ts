import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { scratch, serve, workspace } from '../../testing/process.ts'

async function checkHealth(
  ...args: string[]
): Promise<{ code: number; json: any; stderr: string }> {
  const { code, stdout, stderr } = await workspace(['health', '--json', ...args])
  return { code, json: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

test('it probes the address that the server listens on, whatever its public address', async (t) => {
  const { dir, remove } = scratch()
  const server = await serve(
    dir,
    '--host',
    '0.0.0.0',
    '--base-url',
    'https://work.example.org',
    '--trusted-proxies',
    '192.0.2.1',
  )
  t.after(async () => {
    await server.end('SIGKILL')
    remove()
  })
  assert.equal(server.url, 'https://work.example.org')
  const { code, json } = await checkHealth('--data', dir)
  assert.deepEqual([code, json.ok, json.status], [0, true, 200])
  assert.match(json.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { stdout } = await workspace(['health', '--data', dir])
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+ is ready/)
  server.child.kill('SIGSTOP') // it accepts connections but does not answer
  const stopped = await checkHealth('--data', dir, '--timeout', '1')
  server.child.kill('SIGCONT')
  assert.deepEqual([stopped.code, stopped.json.ok], [1, false])
  assert.match(stopped.json.says, /does not answer: nothing within 1 second/)
  assert.equal(await server.end(), 0)
  const ended = await checkHealth('--data', dir)
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /No server runs on/)
})

test('the self-signed certificate is trusted only from its own data folder', async (t) => {
  const { dir, remove } = scratch()
  const other = scratch()
  const server = await serve(dir, '--tls-self-signed', '--base-url', 'https://work.test')
  t.after(async () => {
    await server.end('SIGKILL')
    remove()
    other.remove()
  })
  const { code, json } = await checkHealth('--data', dir)
  assert.deepEqual([code, json.ok], [0, true])
  assert.match(json.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(
    (await checkHealth('--data', dir, '--url', json.url)).code,
    0,
    'its own certificate is in its data folder',
  )
  const fromOtherFolder = await checkHealth('--data', other.dir, '--url', json.url)
  assert.equal(fromOtherFolder.code, 1)
  assert.match(fromOtherFolder.json.says, /certificate/)
})

test('an unresponsive server is reported, and an invalid address is a command line error', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  const url = `http://127.0.0.1:${(portHolder.address() as AddressInfo).port}`
  portHolder.close()
  await once(portHolder, 'close')
  const { code, json } = await checkHealth('--data', dir, '--url', url)
  assert.equal(code, 1)
  assert.match(json.says, /does not answer: .*ECONNREFUSED/)
  for (const wrong of [
    ['--url', 'work.example.org'],
    ['--url', 'ftp://x'],
    ['--timeout', 'soon'],
  ])
    assert.equal((await checkHealth('--data', dir, ...wrong)).code, 2, wrong.join(' '))
})
