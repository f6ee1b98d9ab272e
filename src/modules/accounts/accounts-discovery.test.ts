import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  guessedServers,
  knownProvider,
  plainAddress,
  readAutoconfig,
} from '../../connectors/discovery.ts'
import { createDnsRecords, createLookup } from '../../outbound/names.ts'
import { Outbound } from '../../outbound/outbound.ts'
import { cpuWatch } from '../../testing/cost.ts'
import { startNameServer, type NameServer, type SaidOfName } from '../../testing/servers/names.ts'
import { discover } from './accounts-discovery.ts'

let names: NameServer
let outbound: Outbound
let dnsRecords: Record<string, SaidOfName[]> = {}

before(async () => {
  names = await startNameServer(
    () => [],
    (name) => dnsRecords[name] ?? [],
  )
  outbound = new Outbound({
    enabled: true,
    openings: [],
    resolve: createLookup([names.address]),
    directory: createDnsRecords([names.address]),
    ownAddresses: () => [],
    logFailure: () => {},
  })
})
after(() => names.close())

const discoverServers = (address: string) =>
  discover({ outbound, signal: new AbortController().signal }, address)
const srv = (target: string, port: number, priority = 0): SaidOfName => ({
  type: 'SRV',
  data: { target, port, priority, weight: 1 },
})

test('well-known providers are recognized by domain and by MX record', async () => {
  const fastmail = await discoverServers('ann@fastmail.com')
  assert.deepEqual(
    [fastmail.found, fastmail.imap, fastmail.smtp!.port, fastmail.caldav!.url],
    [
      'provider',
      { host: 'imap.fastmail.com', port: 993, tls: 'tls' },
      465,
      'https://caldav.fastmail.com/',
    ],
  )
  assert.match(fastmail.note!, /app password/)
  dnsRecords = {
    'ann.example.org': [
      { type: 'MX', data: { exchange: 'ALT1.aspmx.l.google.com', preference: 5 } },
    ],
  }
  const ownDomain = await discoverServers('ann@ann.example.org')
  assert.deepEqual(
    [ownDomain.found, ownDomain.is_google, ownDomain.imap!.host, ownDomain.login],
    ['provider', true, 'imap.gmail.com', 'ann@ann.example.org'],
  )
  const proton = await discoverServers('ann@proton.me')
  assert.deepEqual([proton.imap, proton.smtp], [undefined, undefined])
  assert.match(proton.note!, /Bridge/)
  for (const address of [
    'a@gmail.com',
    'a@icloud.com',
    'a@yahoo.com',
    'a@gmx.de',
    'a@web.de',
    'a@posteo.de',
    'a@mailbox.org',
    'a@zoho.com',
    'a@outlook.com',
  ])
    assert.equal(knownProvider(address)!.servers.imap!.tls, 'tls', address)
  assert.equal(knownProvider('a@notgoogle.com', ['mx.notgoogle.com']), undefined)
})

test('DNS records are used, implicit TLS before STARTTLS, in order of priority', async () => {
  dnsRecords = {
    '_imaps._tcp.example.org': [
      srv('second.example.net', 993, 20),
      srv('Mail.example.net', 993, 10),
    ],
    '_imap._tcp.example.org': [srv('plain.example.net', 143)],
    '_submission._tcp.example.org': [srv('out.example.net', 587)],
    '_caldavs._tcp.example.org': [srv('dav.example.net', 8443)],
  }
  const { imap, smtp, caldav, login, found: how } = await discoverServers('ann@example.org')
  assert.deepEqual(
    { imap, smtp, caldav, login, how },
    {
      imap: { host: 'mail.example.net', port: 993, tls: 'tls' },
      smtp: { host: 'out.example.net', port: 587, tls: 'start' },
      caldav: { url: 'https://dav.example.net:8443/.well-known/caldav' },
      login: 'ann@example.org',
      how: 'domain',
    },
  )
  dnsRecords = { '_imaps._tcp.example.org': [srv('', 0)], '_imap._tcp.example.org': [srv('.', 0)] }
  assert.equal(
    (await discoverServers('ann@example.org')).imap,
    undefined,
    'a domain may say that it has none',
  )
})

test('without any records likely hosts are tried, with a note; internal names are not looked up', async () => {
  dnsRecords = {}
  const nothing = await discoverServers('ann@nowhere.example.org')
  assert.deepEqual([nothing.found, nothing.imap, nothing.smtp], ['nothing', undefined, undefined])
  assert.match(nothing.note!, /Enter its IMAP and SMTP servers/)
  assert.ok(
    names.asked.includes('imap.nowhere.example.org') &&
      names.asked.includes('autoconfig.nowhere.example.org'),
  )
  names.asked.length = 0
  assert.equal((await discoverServers('ann@server.internal')).found, 'nothing')
  assert.deepEqual(names.asked, [])
  assert.deepEqual(
    guessedServers('ann@example.org').imap.map((mailServer) => mailServer.host),
    ['imap.example.org', 'mail.example.org'],
  )
})

const file = (incoming: string, outgoing = '') =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.org">${incoming}${outgoing}</emailProvider></clientConfig>`
const server = (
  element: string,
  type: string,
  host: string,
  port: number | string,
  socket: string,
  user = '%EMAILADDRESS%',
) =>
  `<${element} type="${type}">\n <hostname>${host}</hostname><port>${port}</port><socketType>${socket}</socketType><authentication>password-cleartext</authentication><username>${user}</username></${element}>`

test('autoconfig files provide servers with TLS and the user name', () => {
  const configFile = file(
    server('incomingServer', 'pop3', 'pop.%EMAILDOMAIN%', 995, 'SSL') +
      server('incomingServer', 'imap', 'clear.example.org', 143, 'plain') +
      server('incomingServer', 'imap', 'imap.%EMAILDOMAIN%', 993, 'SSL', '%EMAILLOCALPART%'),
    server('outgoingServer', 'smtp', 'SMTP.example.org', 587, 'STARTTLS'),
  )
  assert.deepEqual(readAutoconfig(configFile, 'ann@example.org'), {
    imap: { host: 'imap.example.org', port: 993, tls: 'tls' },
    smtp: { host: 'smtp.example.org', port: 587, tls: 'start' },
    login: 'ann',
  })
  for (const wrong of [
    '',
    '<html><body>Nothing</body></html>',
    file(''),
    file(server('incomingServer', 'imap', 'a b', 993, 'SSL')),
    file(server('incomingServer', 'imap', 'x.org', 99_999, 'SSL')),
    file(server('incomingServer', 'imap', 'x.org', 'x', 'SSL')),
    file(server('incomingServer', 'imap', 'http://x.org/', 993, 'SSL')),
    file(`<!-- ${server('incomingServer', 'imap', 'x.org', 993, 'SSL')} -->`),
  ])
    assert.equal(readAutoconfig(wrong, 'ann@example.org'), undefined, wrong)
  const spent = cpuWatch()
  for (const bomb of [
    '<incomingServer '.repeat(6000),
    '<incomingServer type="imap">'.repeat(3000),
    '<!--'.repeat(20_000),
    `<incomingServer type="imap">${'<hostname>'.repeat(6000)}`,
  ])
    assert.equal(readAutoconfig(bomb, 'ann@example.org'), undefined)
  assert.ok(spent() < 2000, 'hostile files cost little')
})

test('addresses are normalized, and no lookup is made for an invalid one', () => {
  assert.equal(plainAddress('  Ann.Lee@Example.ORG '), 'ann.lee@example.org')
  for (const wrong of [
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@localhost',
    'ann@exa mple.org',
    'ann@example.org, bob@example.org',
    'Ann <ann@example.org>',
    'ann@-',
    'ann@example..org',
    `${'a'.repeat(65)}@example.org`,
  ])
    assert.equal(plainAddress(wrong), undefined, wrong)
})
