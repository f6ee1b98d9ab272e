import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { cpuWatch } from '../../testing/cost.ts'
import { ImapSession, MailFailure, maxFolders } from './imap.ts'

/** A scripted server; `answer` writes the lines before the tagged OK. */
async function startSession(
  t: TestContext,
  answer: (command: string, socket: Socket) => void | Promise<void>,
  moreCapabilities = '',
): Promise<ImapSession> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(
      `* OK [CAPABILITY IMAP4rev1 ENABLE CONDSTORE QRESYNC UIDPLUS MOVE${moreCapabilities}] Hello\r\n`,
    )
    let pending = ''
    socket.on('data', async (chunk) => {
      pending += chunk.toString('latin1')
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const [, tag, command = ''] = /^(\S+) ?(.*)$/.exec(pending.slice(0, end))!
        pending = pending.slice(end + 2)
        if (/^ENABLE/i.test(command)) socket.write('* ENABLED CONDSTORE QRESYNC\r\n')
        if (/^SELECT/i.test(command))
          socket.write(
            '* 3 EXISTS\r\n* OK [UIDVALIDITY 7] .\r\n* OK [UIDNEXT 4] .\r\n* OK [HIGHESTMODSEQ 9] .\r\n* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] .\r\n',
          )
        await answer(command, socket)
        socket.write(`${tag} OK Done.\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const imapSession = await ImapSession.connect({
    socket,
    hasGreeted: false,
    user: 'ann',
    password: 'secret',
  })
  t.after(() => {
    imapSession.close()
    socket.destroy()
    server.close()
  })
  await imapSession.open('INBOX')
  return imapSession
}

const sendText = (socket: Socket, text: string) =>
  new Promise((resolve) => (socket.destroyed ? resolve(false) : socket.write(text, resolve)))

test('unsolicited responses are not taken for requested ones, and duplicates are merged', async (t) => {
  const imapSession = await startSession(t, (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    socket.write(
      '* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 5)\r\n* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n',
    )
  })
  const headers = await imapSession.bareHeaders([1])
  assert.deepEqual(
    headers.map(({ uid, size, flags }) => ({ uid, size, flags })),
    [{ uid: 1, size: 5, flags: ['\\Seen'] }],
  )
})

test('a password echoed by the server appears in no error', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] Hello\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk
        .toString('latin1')
        .split('\r\n')
        .filter((part) => part !== ''))
        socket.write(
          `${line.split(' ')[0]} NO [UNAVAILABLE] Cannot take ${line} of ann with hunter2hunter2\r\n`,
        )
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const error = await ImapSession.connect({
    socket,
    hasGreeted: false,
    user: 'ann',
    password: 'hunter2hunter2',
  }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof MailFailure)
  assert.match(error.message, /Cannot take/)
  for (const secret of ['hunter2', Buffer.from('\0ann\0hunter2hunter2').toString('base64')])
    assert.ok(!inspect(error, { depth: 5 }).includes(secret), inspect(error, { depth: 5 }))
})

test('a server that sends more than announced does not fill memory', async (t) => {
  const literal = 'x'.repeat(8 * 2 ** 20)
  let written = 0
  const imapSession = await startSession(t, async (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    for (let uid = 1; uid <= 40 && !socket.destroyed; uid++) {
      await sendText(
        socket,
        `* ${uid} FETCH (UID ${uid} BODY[] {${literal.length}}\r\n${literal})\r\n`,
      )
      written += literal.length
    }
  })
  const uids = Array.from({ length: 40 }, (_, i) => i + 1)
  await assert.rejects(
    imapSession.sources(uids),
    (error: unknown) => error instanceof MailFailure && error.trouble === 'unreadable',
  )
  t.diagnostic(`${written} bytes were sent`)
})

test('a server that repeatedly reports everything as vanished does not block', async (t) => {
  let lines = 0
  const imapSession = await startSession(t, async (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    for (; lines < 200 && !socket.destroyed; lines++)
      await sendText(socket, '* VANISHED (EARLIER) 1:16777216,17000000:4294967295,4:2\r\n')
  })
  const spent = cpuWatch()
  const { vanished } = await imapSession.changesSince('1')
  const took = spent()
  assert.ok(took < 5_000, `${took} ms`)
  assert.deepEqual(
    vanished.intersect([1, 16777216, 16777217, 16999999, 17000000]),
    [1, 16777216, 17000000],
  )
})

const unreadable = (error: unknown) => error instanceof MailFailure && error.trouble !== 'refused'

/** The longest time between two ticks of a 10 ms timer of this process while a server is read. */
async function maxPauseDuring(work: Promise<unknown>): Promise<number> {
  let worst = 0
  let before = performance.now()
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - before)
    before = performance.now()
  }, 10)
  await work.finally(() => clearInterval(timer))
  return worst
}

const hostileAnswers: [string, (uid: number) => string][] = [
  [
    'a literal larger than any message',
    () => '* 1 FETCH (UID 1 BODY[HEADER.FIELDS (TO)] {99999999999}\r\nx',
  ],
  [
    'a literal without a number that a program can hold',
    () => `* 1 FETCH (UID 1 BODY[] {${'9'.repeat(400)}}\r\nx`,
  ],
  ['a line without an end', () => `* 1 FETCH (UID 1 ENVELOPE ("${'x'.repeat(17 * 2 ** 20)}`],
]

for (const [name, answer] of hostileAnswers) {
  test(`${name} ends in a mail failure`, async (t) => {
    const imapSession = await startSession(t, async (command, socket) => {
      if (/^UID FETCH/i.test(command)) await sendText(socket, answer(1))
    })
    const failing = assert.rejects(imapSession.headers([1]), unreadable)
    const worst = await maxPauseDuring(failing)
    t.diagnostic(`longest pause ${Math.round(worst)} ms`)
  })
}

test('a structure nested 10,000 deep does not block', async (t) => {
  const imapSession = await startSession(t, async (command, socket) => {
    if (/^UID FETCH/i.test(command))
      await sendText(
        socket,
        `* 1 FETCH (UID 1 BODYSTRUCTURE ${'('.repeat(10_000)}"TEXT" "PLAIN"${')'.repeat(10_000)})\r\n`,
      )
  })
  const headers = await imapSession.headers([1])
  assert.equal(headers.length, 1)
  assert.ok(headers.every((header) => header.uid === 1 && header.parts.length <= 200))
  assert.deepEqual(
    (await imapSession.bareHeaders([1])).map((header) => header.uid),
    [1],
  )
})

test('a garbage ENVELOPE and false sizes still yield a header with the rest', async (t) => {
  const falseSizes = ['RFC822.SIZE 99999999999999999999', 'RFC822.SIZE -5', 'RFC822.SIZE NIL']
  const garbage = [
    'NIL',
    '()',
    '(NIL NIL NIL)',
    '("\u0007" "x" ((("a" NIL NIL NIL))) "no list" NIL NIL NIL NIL NIL NIL)',
    '("Date" {3}\r\na\0b NIL NIL NIL (("x" NIL "MISSING_MAILBOX" "MISSING_DOMAIN")) NIL NIL NIL NIL)',
  ]
  const imapSession = await startSession(t, async (command, socket) => {
    if (!/^UID FETCH/i.test(command)) return
    for (const [i, envelope] of garbage.entries())
      await sendText(
        socket,
        `* ${i + 1} FETCH (UID ${i + 1} FLAGS () ${falseSizes[i % 3]} ENVELOPE ${envelope})\r\n`,
      )
  })
  const headers = await imapSession.headers(garbage.map((_, i) => i + 1))
  assert.deepEqual(
    headers.map((header) => header.uid),
    [1, 2, 3, 4, 5],
  )
  for (const { size, subject, to } of headers) {
    assert.ok(Number.isSafeInteger(size) && size >= 0, String(size))
    assert.doesNotMatch(subject, /\p{Cc}/u)
    assert.doesNotMatch(JSON.stringify(to), /MISSING/)
  }
})

test('of 10,000 folders only the first are kept and asked for their status', async (t) => {
  const total = 10_000
  let statuses = 0
  const imapSession = await startSession(t, async (command, socket) => {
    if (/^STATUS/i.test(command)) statuses++
    if (!/^LIST .*\*/i.test(command)) return
    const rows = Array.from(
      { length: total - 1 },
      (_, i) => `* LIST () "/" "f${String(i).padStart(6, '0')}"\r\n`,
    )
    await sendText(socket, `${rows.join('')}* LIST () "/" INBOX\r\n`)
  })
  const { folders, paths } = await imapSession.folders()
  assert.equal(paths.size, total)
  assert.equal(folders.length, maxFolders)
  assert.deepEqual([folders[0]!.path, folders.at(-1)!.path], ['INBOX', 'f001998'])
  assert.equal(statuses, maxFolders)
})

for (const [name, status, more] of [
  ['no status', 0, ' LIST-STATUS'],
  ['one status', 1, ' LIST-STATUS'],
  ['no status and no LIST-STATUS', 0, ''],
] as const) {
  test(`of 100,000 folders with ${name} only the first are kept and asked for their status`, async (t) => {
    const total = 100_000
    let statuses = 0
    const imapSession = await startSession(
      t,
      async (command, socket) => {
        if (/^STATUS/i.test(command)) statuses++
        if (!/^LIST .*\*/i.test(command)) return
        const rows = Array.from(
          { length: total - 1 },
          (_, i) => `* LIST () "/" "f${String(i).padStart(6, '0')}"\r\n`,
        )
        await sendText(
          socket,
          `${rows.join('')}* LIST () "/" INBOX\r\n${status ? '* STATUS INBOX (MESSAGES 0 UIDNEXT 1 UIDVALIDITY 7 UNSEEN 0)\r\n' : ''}`,
        )
      },
      more,
    )
    const spent = cpuWatch()
    const listing = imapSession.folders()
    const worst = await maxPauseDuring(listing)
    const { folders, paths } = await listing
    t.diagnostic(
      `${Math.round(spent())} ms of processor time, longest pause ${Math.round(worst)} ms, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
    )
    assert.deepEqual(
      [paths.size, folders.length, folders[0]!.path, folders.at(-1)!.path],
      [total, maxFolders, 'INBOX', 'f001998'],
    )
    assert.equal(statuses, maxFolders - status)
  })
}

for (const [name, row] of [
  ['without an end', (i: number) => `f${i}`],
  ['with names of 64 KB', (i: number) => `${'x'.repeat(65_536)}${i}`],
] as const) {
  test(`a folder list ${name} ends in a mail failure`, async (t) => {
    let rows = 0
    const imapSession = await startSession(t, async (command, socket) => {
      if (!/^LIST .*\*/i.test(command)) return
      while (!socket.destroyed && rows < 2_000_000)
        await sendText(
          socket,
          Array.from({ length: 100 }, () => `* LIST () "/" "${row(rows++)}"\r\n`).join(''),
        )
    })
    await assert.rejects(imapSession.folders(), unreadable)
    t.diagnostic(
      `${rows} folders were sent, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
    )
  })
}

test('control characters in folder names are not shown and inject no command', async (t) => {
  const commands: string[] = []
  const imapSession = await startSession(t, async (command, socket) => {
    commands.push(command)
    if (!/^LIST .*\*/i.test(command)) return
    const literal = 'a\r\nx9 DELETE INBOX\u001b[31m'
    await sendText(
      socket,
      `* LIST () "/" INBOX\r\n* LIST () "/" "&AAcADQAK-"\r\n* LIST () "/" {${literal.length}}\r\n${literal}\r\n`,
    )
  })
  const { folders } = await imapSession.folders()
  assert.equal(folders.length, 3)
  for (const { name } of folders) {
    assert.doesNotMatch(name, /\p{Cc}/u)
    assert.notEqual(name, '')
  }
  for (const { path } of folders) await imapSession.open(path)
  assert.equal(commands.filter((command) => /^SELECT/i.test(command)).length, 4)
  assert.deepEqual(
    commands.filter((command) => /^\S*\s?DELETE/i.test(command)),
    [],
  )
})
