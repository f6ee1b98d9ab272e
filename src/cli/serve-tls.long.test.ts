import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, setDefaultCACertificates } from 'node:tls'
import { makeCertificate, type MadeCertificate } from '../testing/certificates.ts'
import { scratch, serve, workspace, workspaceJson, type Served } from '../testing/process.ts'
import { untilTrue } from '../testing/limits.ts'

const dayLength = 24 * 60 * 60 * 1000

function setUp(t: TestContext): {
  dir: string
  start: (...more: string[]) => Promise<Served>
  makeTestCertificate: (options?: Parameters<typeof makeCertificate>[0]) => MadeCertificate
} {
  const { dir, remove } = scratch()
  const running: Served[] = []
  const certificates: MadeCertificate[] = []
  t.after(async () => {
    for (const served of running)
      if (served.child.exitCode === null && served.child.signalCode === null)
        await served.end('SIGKILL')
    for (const certificate of certificates) certificate.remove()
    remove()
  })
  return {
    dir,
    async start(...more) {
      const server = await serve(dir, ...more)
      running.push(server)
      return server
    },
    makeTestCertificate(options) {
      const certificate = makeCertificate(options)
      certificates.push(certificate)
      return certificate
    },
  }
}

async function fingerprintAt(url: string, trusted: string[]): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: 'localhost', ca: trusted })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

test('SIGHUP loads a new certificate without dropping connections; an invalid one is not loaded', async (t) => {
  const { dir, start, makeTestCertificate } = setUp(t)
  const [first, second] = [makeTestCertificate(), makeTestCertificate()]
  const files = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') }
  const install = (madeCertificate: MadeCertificate) => {
    copyFileSync(madeCertificate.files.cert, files.cert)
    copyFileSync(madeCertificate.files.key, files.key)
  }
  install(first)
  const server = await start('--tls-cert', files.cert, '--tls-key', files.key)
  assert.match(server.url, /^https:/)
  const session = connectHttp2(server.url, { ca: first.cert })
  t.after(() => session.destroy())
  await once(session, 'connect')
  install(second)
  server.child.kill('SIGHUP')
  await until(
    async () => (await fingerprintAt(server.url, [first.cert, second.cert])) === second.fingerprint,
  )
  writeFileSync(files.key, readFileSync(first.files.key))
  server.child.kill('SIGHUP')
  await until(async () =>
    /the previous one stays in use.*is not the key of|is not the key of.*the previous one stays in use/.test(
      server.output(),
    ),
  )
  assert.equal(await fingerprintAt(server.url, [second.cert]), second.fingerprint)
  const stream = session.request({ ':path': '/healthz' }).resume()
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  assert.equal(headers[':status'], 200, 'the earlier connection stays open')
  assert.equal(await server.end(), 0)
})

test('SIGHUP without a certificate has no effect', async (t) => {
  const { start } = setUp(t)
  const server = await start()
  server.child.kill('SIGHUP')
  await pause(200)
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  assert.equal(await server.end(), 0)
})

const until = (condition: () => Promise<boolean>) =>
  untilTrue(condition, () => condition.toString())

test('a self-signed certificate serves a network and survives a restart', async (t) => {
  const { dir, start } = setUp(t)
  const server = await start('--host', '0.0.0.0', '--tls-self-signed')
  const { tls_fingerprint, tls_cert } = server.greeting as {
    tls_fingerprint?: string
    tls_cert?: string
  }
  const pem = readFileSync(tls_cert!, 'utf8')
  assert.equal(statSync(join(dir, 'tls', 'key.pem')).mode & 0o777, 0o600)
  assert.equal(await fingerprintAt(server.url, [pem]), tls_fingerprint)
  setDefaultCACertificates([pem])
  const { port } = new URL(server.url)
  for (const host of ['localhost', '127.0.0.1'])
    assert.equal((await fetch(`https://${host}:${port}/healthz`)).status, 200, host)
  const { ok, findings } = await workspaceJson<{ ok: boolean; findings: { says: string }[] }>(
    'doctor',
    '--only',
    'server',
    '--data',
    dir,
  )
  assert.ok(ok, findings[0]!.says)
  assert.equal(await server.end(), 0)
  const again = await start('--host', '0.0.0.0', '--tls-self-signed')
  assert.equal((again.greeting as { tls_fingerprint?: string }).tls_fingerprint, tls_fingerprint)
})

test('invalid certificates are refused with the reason before anything is served', async (t) => {
  const { dir, makeTestCertificate } = setUp(t)
  const [first, second] = [makeTestCertificate(), makeTestCertificate()]
  const junk = join(dir, 'junk.pem')
  writeFileSync(junk, 'nothing')
  const { cert, key } = first.files
  const encryptedKeys = (['pkcs8', 'sec1'] as const).map((type) => {
    const file = join(dir, `${type}.pem`)
    writeFileSync(
      file,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
        type,
        format: 'pem',
        cipher: 'aes-256-cbc',
        passphrase: 'secret',
      }),
    )
    return file
  })
  const invalidStarts: [string[], RegExp][] = [
    [['--tls-cert', cert], /belong together/],
    [['--tls-cert', join(dir, 'absent'), '--tls-key', key], /cannot be read.*ENOENT/],
    [['--tls-cert', junk, '--tls-key', key], /junk\.pem contains no PEM certificate/],
    [['--tls-cert', cert, '--tls-key', junk], /junk\.pem contains no PEM private key/],
    ...encryptedKeys.map((file): [string[], RegExp] => [
      ['--tls-cert', cert, '--tls-key', file],
      /has a passphrase/,
    ]),
    [['--tls-cert', cert, '--tls-key', second.files.key], /is not the key of/],
    [
      ['--tls-cert', cert, '--tls-key', key, '--base-url', 'http://work.test'],
      /must begin with https/,
    ],
    [['--tls-cert', cert, '--tls-key', key, '--tls-self-signed'], /Use only one of them/],
    [['--http-redirect-port', '8080'], /speaks TLS itself/],
    [['--base-url', 'http://work.test'], /unencrypted/],
    [['--trusted-proxies', '10.0.0.0/8'], /--base-url must be/],
    [['--trusted-proxies', 'proxy.lan'], /must be a list such as/],
    [['--metrics', 'token'], /WORKSPACE_METRICS_TOKEN/],
    [['--metrics', 'loopback', '--base-url', 'https://work.test'], /cannot distinguish/],
    [
      [
        '--metrics',
        'loopback',
        '--base-url',
        'https://work.test',
        '--trusted-proxies',
        '127.0.0.0/8',
      ],
      /allows no one/,
    ],
  ]
  const all = await Promise.all(
    invalidStarts.map(([more], i) =>
      workspace(['serve', '--data', join(dir, `data${i}`), '--port', '0', ...more]),
    ),
  )
  for (const [i, { code, stderr }] of all.entries()) {
    assert.equal(code, 78, invalidStarts[i]![0].join(' '))
    assert.match(stderr, invalidStarts[i]![1])
  }
})

test('an expired certificate, or one for another host, is used with a warning', async (t) => {
  const { start, makeTestCertificate } = setUp(t)
  const expired = makeTestCertificate({
    from: Date.now() - 3 * dayLength,
    until: Date.now() - dayLength,
  })
  const server = await start(
    '--tls-cert',
    expired.files.cert,
    '--tls-key',
    expired.files.key,
    '--base-url',
    'https://work.test',
  )
  assert.match(server.output(), /certificate expired on/)
  assert.match(server.output(), /is not for work\.test/)
})

test('user and key commands work with a TLS server', async (t) => {
  const { dir, start, makeTestCertificate } = setUp(t)
  const certificate = makeTestCertificate()
  setDefaultCACertificates([certificate.cert])
  const server = await start(
    '--tls-cert',
    certificate.files.cert,
    '--tls-key',
    certificate.files.key,
  )
  await workspaceJson('orgs', 'create', '--name', 'Acme', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key, mcp_url } = await workspaceJson<{ key: string; mcp_url: string }>(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'laptop',
    '--data',
    dir,
  )
  assert.equal(mcp_url, `${server.url}/mcp`)
  assert.equal(
    (await fetch(`${server.url}/api/labels`, { headers: { authorization: `Bearer ${key}` } }))
      .status,
    200,
  )
})
