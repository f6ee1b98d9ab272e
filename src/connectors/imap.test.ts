import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { cpuWatch } from '../testing/cost.ts'
import { ImapSession, MailFailure } from './imap.ts'

/** A server that says what a test has it say; `answer` writes what comes before the tagged OK. */
async function session(t: TestContext, answer: (command: string, socket: Socket) => void | Promise<void>): Promise<ImapSession> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC UIDPLUS MOVE] Hello\r\n')
    let held = ''
    socket.on('data', async chunk => {
      held += chunk.toString('latin1')
      for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
        const [, tag, command = ''] = /^(\S+) ?(.*)$/.exec(held.slice(0, end))!
        held = held.slice(end + 2)
        if (/^ENABLE/i.test(command)) socket.write('* ENABLED CONDSTORE QRESYNC\r\n')
        if (/^SELECT/i.test(command)) socket.write('* 3 EXISTS\r\n* OK [UIDVALIDITY 7] .\r\n* OK [UIDNEXT 4] .\r\n* OK [HIGHESTMODSEQ 9] .\r\n* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] .\r\n')
        await answer(command, socket)
        socket.write(`${tag} OK Done.\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const made = await ImapSession.begin({ socket, hasGreeted: false, user: 'ann', password: 'secret' })
  t.after(() => {
    made.close()
    socket.destroy()
    server.close()
  })
  await made.open('INBOX')
  return made
}

const sent = (socket: Socket, text: string) => new Promise(go => (socket.destroyed ? go(false) : socket.write(text, go)))

test('what a server tells by the way is nothing that was asked for, and what it tells twice is one', { timeout: 30_000 }, async t => {
  const one = await session(t, (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    socket.write('* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 5)\r\n* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n')
  })
  const found = await one.bareHeaders([1])
  assert.deepEqual(found.map(({ uid, size, flags }) => ({ uid, size, flags })), [{ uid: 1, size: 5, flags: ['\\Seen'] }])
})

test('what a server repeats of a password is in no error', { timeout: 30_000 }, async t => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] Hello\r\n')
    socket.on('data', chunk => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(one => one !== '')) socket.write(`${line.split(' ')[0]} NO [UNAVAILABLE] Cannot take ${line} of ann with hunter2hunter2\r\n`)
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const error = await ImapSession.begin({ socket, hasGreeted: false, user: 'ann', password: 'hunter2hunter2' }).then(() => undefined, (thrown: unknown) => thrown)
  assert.ok(error instanceof MailFailure)
  assert.match(error.message, /Cannot take/)
  for (const secret of ['hunter2', Buffer.from('\0ann\0hunter2hunter2').toString('base64')]) assert.ok(!inspect(error, { depth: 5 }).includes(secret), inspect(error, { depth: 5 }))
})

test('a server that sends more than it said fills no memory', { timeout: 60_000 }, async t => {
  const literal = 'x'.repeat(8 * 2 ** 20)
  let written = 0
  const one = await session(t, async (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    for (let uid = 1; uid <= 40 && !socket.destroyed; uid++) {
      await sent(socket, `* ${uid} FETCH (UID ${uid} BODY[] {${literal.length}}\r\n${literal})\r\n`)
      written += literal.length
    }
  })
  const uids = Array.from({ length: 40 }, (_, i) => i + 1)
  await assert.rejects(one.sources(uids), (error: unknown) => error instanceof MailFailure && error.trouble === 'unreadable')
  t.diagnostic(`${written} bytes were sent`)
})

test('a server that says again and again that everything vanished stops nothing', { timeout: 60_000 }, async t => {
  let lines = 0
  const one = await session(t, async (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    for (; lines < 200 && !socket.destroyed; lines++) await sent(socket, '* VANISHED (EARLIER) 1:16777216,17000000:4294967295,4:2\r\n')
  })
  const spent = cpuWatch()
  const { vanished } = await one.changesSince('1')
  const took = spent()
  assert.ok(took < 5_000, `${took} ms`)
  assert.deepEqual(vanished.among([1, 16777216, 16777217, 16999999, 17000000]), [1, 16777216, 17000000])
})
