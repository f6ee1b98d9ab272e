import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { Refusal } from '../kernel/refusal.ts'
import { startNameServer } from '../testing/servers/names.ts'
import { startReceiver } from '../testing/servers/receiver.ts'
import { isPublic } from './addresses.ts'
import { parseAllowedDestinations } from './allow.ts'
import { Unreachable } from './guard.ts'
import { createLookup } from './names.ts'
import { Outbound, type OutboundOptions } from './outbound.ts'
import { nonPublicHosts } from './testing.ts'

const logged: Record<string, unknown>[] = []

function createOutbound(
  more: Partial<Omit<OutboundOptions, 'openings'>> & { allow?: string } = {},
): Outbound {
  const { allow = '', ...rest } = more
  return new Outbound({
    enabled: true,
    openings: parseAllowedDestinations(allow)!,
    resolve: async () => [],
    ownAddresses: () => [],
    logFailure: (message, options) => logged.push({ message, ...options }),
    ...rest,
  })
}

/** A listener that must never be reached; checked when closed at the end. */
async function canary(
  port = 0,
  host = '127.0.0.1',
): Promise<{ server: Server; port: number; contacts: number }> {
  const listener = {
    server: createServer((socket) => {
      listener.contacts++
      socket.destroy()
    }),
    port: 0,
    contacts: 0,
  }
  await new Promise<void>((resolve) => listener.server.listen(port, host, resolve))
  listener.port = (listener.server.address() as AddressInfo).port
  return listener
}

const refusal = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code
const unreachable = (reason: string) => (error: unknown) =>
  error instanceof Unreachable && error.reason === reason

test(`no connection is made to any of ${nonPublicHosts.length} spellings of non-public hosts, and a canary on loopback is not contacted`, async (t) => {
  const canaryServer = await canary()
  t.after(() => canaryServer.server.close())
  const outbound = createOutbound({ resolve: async () => ['93.184.216.34'] }) // these are blocked whatever the name servers answer
  for (const host of nonPublicHosts) {
    for (const port of ['', `:${canaryServer.port}`, ':8443']) {
      await assert.rejects(
        outbound.checkUrl(`http://${host}${port}/`, 'url'),
        refusal('blocked_address'),
        `${host}${port}`,
      )
      await assert.rejects(
        outbound.request(`https://${host}${port}/`, {}),
        unreachable('blocked'),
        `${host}${port}`,
      )
    }
    await assert.rejects(
      outbound.checkHost(host, 993, 'host', 'mail'),
      refusal('blocked_address'),
      host,
    )
    await assert.rejects(outbound.connect(host, 993, { tls: true }), unreachable('blocked'), host)
  }
  assert.equal(canaryServer.contacts, 0)
})

test('public addresses are distinguished from all others', () => {
  for (const name of [
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])
    assert.ok(isPublic(name), name)
  for (const name of [
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '2001:db8::1',
    '3fff::1',
    '2001::1',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '5f00::1',
    '100::1',
    '4000::1',
    'fe80::1%eth0',
    '8.8.8',
    'example.org',
    '',
  ])
    assert.ok(!isPublic(name), name)
})

const schemes = [
  'file:///etc/passwd',
  'ftp://example.org/',
  'gopher://example.org/',
  'dict://example.org:11211/',
  'ldap://example.org/',
  'ldaps://example.org/',
  'tftp://example.org/',
  'sftp://example.org/',
  'ssh://example.org/',
  'telnet://example.org/',
  'ws://example.org/',
  'wss://example.org/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'blob:https://example.org/1',
  'jar:http://example.org!/',
  'unix:/var/run/docker.sock',
]

test(`${schemes.length} other schemes and malformed addresses are refused`, async () => {
  const house = createOutbound({ resolve: async () => ['93.184.216.34'] })
  for (const url of [
    ...schemes,
    'http://',
    'http://user:secret@example.org/',
    'https://token@example.org/',
    '//example.org',
    'example.org',
    'http://[::1',
    'http://exa mple.org/',
    '',
  ]) {
    await assert.rejects(house.checkUrl(url, 'url'), refusal('invalid_argument'), url)
    await assert.rejects(house.request(url, {}), unreachable('blocked'), url)
  }
})

test('only the ports of a purpose are allowed, plus those opened by the operator', async () => {
  const house = createOutbound({
    resolve: async () => ['93.184.216.34'],
    allow: 'hooks.example.org:9000',
  })
  for (const port of [22, 25, 6379, 8080, 9001])
    await assert.rejects(
      house.checkUrl(`http://hooks.example.org:${port}/`, 'url'),
      refusal('blocked_address'),
      String(port),
    )
  for (const url of [
    'http://hooks.example.org/',
    'https://hooks.example.org/',
    'https://hooks.example.org:8443/',
  ])
    await house.checkUrl(url, 'url')
  await house.checkHost('mail.example.org', 587, 'host', 'mail')
  await assert.rejects(
    house.checkHost('mail.example.org', 443, 'host', 'mail'),
    refusal('blocked_address'),
  )
  assert.deepEqual(parseAllowedDestinations('a.b:1, [::1]:2,10.0.0.1:65535'), [
    { host: 'a.b', port: 1 },
    { host: '::1', port: 2 },
    { host: '10.0.0.1', port: 65_535 },
  ])
  for (const wrong of [
    'a.b',
    'a.b:0',
    'a.b:65536',
    'a.b:x',
    'http://a.b:80',
    'a.b:80/x',
    '::1:80:',
  ])
    assert.equal(parseAllowedDestinations(wrong), undefined, wrong)
})

test('refused, closed, unknown and blocked targets give the same message, and the log has the reason', async () => {
  const closedServer = await canary()
  closedServer.server.close()
  const house = createOutbound({ allow: `127.0.0.1:${closedServer.port}` })
  const messages = []
  logged.length = 0
  for (const url of [
    `http://127.0.0.1:${closedServer.port}/`,
    'http://127.0.0.1/',
    'http://nowhere.example.org/',
  ]) {
    const error = (await house.request(url, {}).catch((failure: unknown) => failure)) as Unreachable
    messages.push(error.message.replace(new URL(url).hostname, 'HOST'))
  }
  assert.deepEqual(messages, Array(3).fill('HOST could not be reached.'))
  assert.deepEqual(
    logged.map((item) => item.reason),
    ['refused', 'blocked', 'name'],
  )
  const texts = []
  for (const url of ['http://10.0.0.1/', 'http://nowhere.example.org/', 'http://example.org:22/']) {
    const error = (await house.checkUrl(url, 'url').catch((failure: unknown) => failure)) as Refusal
    texts.push(error.message.replace(/: \S+ port \d+,/, ''))
  }
  assert.equal(new Set(texts).size, 1)
})

test('a response is read up to its limit, redirects are not followed, and no proxy of the environment is used', async (t) => {
  const redirectTarget = await canary()
  const receiver = await startReceiver(({ path }) =>
    path === '/long'
      ? { body: 'x'.repeat(200_000) }
      : {
          status: 302,
          headers: { location: `http://127.0.0.1:${redirectTarget.port}/` },
          body: 'moved',
        },
  )
  Object.assign(process.env, {
    HTTP_PROXY: `http://127.0.0.1:${redirectTarget.port}`,
    http_proxy: `http://127.0.0.1:${redirectTarget.port}`,
    NODE_USE_ENV_PROXY: '1',
  })
  t.after(async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']) delete process.env[name]
    redirectTarget.server.close()
    await receiver.close()
  })
  const house = createOutbound({ allow: receiver.opening })
  const moved = await house.request(`${receiver.url}/a?b=c`, {
    method: 'POST',
    body: 'hello',
    headers: { 'x-one': '1' },
  })
  assert.deepEqual([moved.status, moved.body.toString(), moved.isTruncated], [302, 'moved', false])
  const [firstRequest] = receiver.received
  assert.deepEqual(
    [
      firstRequest!.method,
      firstRequest!.path,
      firstRequest!.body,
      firstRequest!.headers['x-one'],
      firstRequest!.headers.host,
    ],
    ['POST', '/a?b=c', 'hello', '1', receiver.opening],
  )
  const long = await house.request(`${receiver.url}/long`, {})
  assert.deepEqual([long.body.length, long.isTruncated], [65_536, true])
  assert.equal(redirectTarget.contacts, 0)
})

test('the total time is limited: a request to an endpoint that hangs or sends its response slowly is aborted in time', async (t) => {
  const openSockets: Socket[] = []
  const writeRepeatedly = (socket: Socket, text: string) =>
    void setInterval(() => socket.writable && socket.write(text), 20).unref()
  const misbehaviors = [
    () => {},
    (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      writeRepeatedly(socket, 'X-A: b\r\n')
    },
    (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      writeRepeatedly(socket, 'x')
    },
  ]
  const listenWith = (talk: (socket: Socket) => void) =>
    new Promise<Server>((go) => {
      const server = createServer((socket) => {
        openSockets.push(socket.on('error', () => {}))
        talk(socket)
      }).listen(0, '127.0.0.1', () => go(server))
    })
  const servers = await Promise.all(misbehaviors.map(listenWith))
  t.after(() => {
    openSockets.forEach((socket) => socket.destroy())
    servers.forEach((server) => server.close())
  })
  for (const server of servers) {
    const { port } = server.address() as AddressInfo
    await assert.rejects(
      createOutbound({ allow: `127.0.0.1:${port}` }).request(
        `http://127.0.0.1:${port}/`,
        {},
        { timeoutMs: 250 },
      ),
      unreachable('timeout'),
    )
  }
})

test('at most two connections are open per target, and twenty in total', async (t) => {
  const slow = await Promise.all(
    Array.from({ length: 12 }, () => startReceiver(() => ({ after: 60 }))),
  )
  t.after(() => Promise.all(slow.map((receiver) => receiver.close())))
  const house = createOutbound({ allow: slow.map((receiver) => receiver.opening).join(',') })
  const answers = await Promise.all(
    slow.flatMap(({ url }) => Array.from({ length: 4 }, () => house.request(url, {}))),
  )
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
  assert.deepEqual(
    slow.map((receiver) => [receiver.most, receiver.received.length]),
    Array(12).fill([2, 4]),
  )
  const starts = slow
    .flatMap((receiver) => receiver.received.map((got) => got.at))
    .sort((a, b) => a - b)
  const maxConcurrent = Math.max(
    ...starts.map((at) => starts.filter((other) => other <= at && at - other < 55).length),
  )
  assert.ok(maxConcurrent <= 20, `${maxConcurrent} at once`)
})

/** A name that resolves differently from one query to the next, through a real name server. */
async function startRebinding(
  t: TestContext,
  addresses: (n: number) => readonly string[],
): Promise<{ house: Outbound; queries: string[] }> {
  let n = 0
  const names = await startNameServer(() => addresses(Math.floor(n++ / 2))) // each lookup queries A and AAAA
  t.after(() => names.close())
  return { house: createOutbound({ resolve: createLookup([names.address]) }), queries: names.asked }
}

test('a name rebound to loopback after its check is blocked at the next connect, and a canary there is not contacted', async (t) => {
  const bird = await canary(8443).catch(() => undefined)
  t.after(() => bird?.server.close())
  const { house, queries } = await startRebinding(t, (n) =>
    n === 0 ? ['93.184.216.34'] : ['127.0.0.1'],
  )
  await house.checkUrl('http://moving.example.org:8443/', 'url')
  for (let i = 0; i < 20; i++)
    await assert.rejects(
      house.request('http://moving.example.org:8443/', {}),
      unreachable('blocked'),
    )
  assert.equal(queries.length, 21, 'each connect queries the name server again, once')
  assert.equal(bird?.contacts ?? 0, 0)
})

test('if a name has several addresses, each must be public, in any kind and order', async (t) => {
  for (const addresses of [
    ['93.184.216.34', '127.0.0.1'],
    ['127.0.0.1', '93.184.216.34'],
    ['93.184.216.34', '::1'],
    ['93.184.216.34', '64:ff9b::7f00:1'],
    ['2606:4700::1', 'fd00::1'],
  ]) {
    const { house } = await startRebinding(t, () => addresses)
    await assert.rejects(
      house.checkUrl('http://two.example.org/', 'url'),
      refusal('blocked_address'),
      addresses.join(),
    )
    await assert.rejects(
      house.request('http://two.example.org/', {}),
      unreachable('blocked'),
      addresses.join(),
    )
  }
})

test('unresponsive name servers do not stall a request', async () => {
  const silent = await startNameServer(() => undefined)
  const startedAt = performance.now()
  await assert.rejects(
    createOutbound({ resolve: createLookup([silent.address]) }).request(
      'http://silent.example.org/',
      {},
      { timeoutMs: 300 },
    ),
    Unreachable,
  )
  assert.ok(
    performance.now() - startedAt < 4000,
    'the resolver alone would try for more than four seconds',
  )
  await silent.close()
})

test('our own port is blocked, by name and by every address of this machine, even if the operator opened the host', async (t) => {
  const bird = await canary(0, '0.0.0.0')
  t.after(() => bird.server.close())
  const ownTargets = () => [
    { host: 'work.example.org', port: 443 },
    { host: '0.0.0.0', port: bird.port },
  ]
  const house = createOutbound({
    ownAddresses: ownTargets,
    resolve: async () => ['93.184.216.34'],
    allow: `127.0.0.1:${bird.port},0.0.0.0:${bird.port},[::1]:${bird.port},work.example.org:443`,
  })
  for (const url of [
    'https://work.example.org/',
    `http://127.0.0.1:${bird.port}/`,
    `http://0.0.0.0:${bird.port}/`,
    `http://127.9.9.9:${bird.port}/`,
  ])
    await assert.rejects(house.request(url, {}), unreachable('blocked'), url)
  assert.equal(bird.contacts, 0)
})

test('no connection is made when outbound is switched off', async (t) => {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const house = createOutbound({ enabled: false, allow: receiver.opening })
  await assert.rejects(house.request(receiver.url, {}), unreachable('off'))
  await assert.rejects(
    house.checkUrl(receiver.url, 'url'),
    (error: Refusal) =>
      error.code === 'blocked_address' &&
      /outgoing connections are switched off/.test(error.message),
  )
  assert.equal(receiver.received.length, 0)
})

const folder = mkdtempSync(join(tmpdir(), 'outbound-tls-'))
after(() => rmSync(folder, { recursive: true }))

function certificate(name: string, subject: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=test',
      '-addext',
      `subjectAltName=${subject}`,
    ],
    { stdio: 'pipe' },
  )
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('TLS is verified against the requested name, regardless of the environment', {
  skip: !hasOpenssl && 'openssl is not installed, which creates the certificates',
}, async (t) => {
  const validCertificate = certificate('right', 'DNS:localhost,IP:127.0.0.1')
  const otherNameCertificate = certificate('wrong', 'DNS:other.example.org')
  const ca = validCertificate.cert.toString() + otherNameCertificate.cert.toString()
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const respond = (socket: Socket) =>
    void socket
      .on('error', () => {})
      .once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const servers = await Promise.all(
    [validCertificate, otherNameCertificate].map(
      (pair) =>
        new Promise<Server>((go) => {
          const server = createTlsServer(pair, respond).listen(0, '127.0.0.1', () => go(server))
        }),
    ),
  )
  t.after(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    servers.forEach((server) => server.close())
  })
  const [good, bad] = servers.map((server) => (server.address() as AddressInfo).port)
  const house = createOutbound({
    ca,
    allow: `localhost:${good},127.0.0.1:${good},127.0.0.1:${bad}`,
  })
  assert.equal((await house.request(`https://localhost:${good}/`, {})).status, 204)
  assert.equal((await house.request(`https://127.0.0.1:${good}/`, {})).status, 204)
  await assert.rejects(house.request(`https://127.0.0.1:${bad}/`, {}), unreachable('tls'))
  await assert.rejects(
    createOutbound({ allow: `127.0.0.1:${good}` }).request(`https://127.0.0.1:${good}/`, {}),
    unreachable('tls'),
    'the certificate authority is not trusted',
  )
  const socket = await house.connect('127.0.0.1', good!, { tls: true })
  socket.destroy()
  const plain = await house.connect('127.0.0.1', good!, { tls: false })
  assert.ok((await house.startTls('127.0.0.1', good!, plain)).authorized)
  plain.destroy()
})
