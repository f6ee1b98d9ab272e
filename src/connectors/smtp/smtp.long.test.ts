import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { connect as connectTls } from 'node:tls'
import { noMail, startMail, type MailDaemon } from '../../testing/servers/daemons.ts'
import { composeMessage } from '../mail/composer.ts'
import { DeliveryFailure, sendBytes, type Relay } from './smtp.ts'

const bytes = Buffer.from(
  'From: a@x.test\r\nTo: b@x.test\r\nSubject: x\r\n\r\nHello\r\n.\r\n.hidden\r\n',
)
const never = new AbortController().signal
let server: MailDaemon | undefined
const fakes: Server[] = []

before(async () => {
  if (!noMail) server = await startMail()
})
after(async () => {
  await server?.close()
  for (const fake of fakes) fake.close()
})

/** A scripted server that closes the connection where the script does. */
async function startFakeServer(
  answer: (line: string, socket: Socket) => string | undefined,
): Promise<Relay> {
  const listening = createServer((socket) => {
    let pending = ''
    let inData = false
    socket.on('error', () => {})
    socket.write('220 fake\r\n')
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1')
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end)
        pending = pending.slice(end + 2)
        if (inData && line !== '.') continue
        inData = false
        const reply = answer(line === '.' ? 'END' : line, socket)
        if (line === 'DATA' && reply?.startsWith('354')) inData = true
        if (reply !== undefined) socket.write(`${reply}\r\n`)
      }
    })
  })
  fakes.push(listening)
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const socket = connect((listening.address() as { port: number }).port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, host: '127.0.0.1', tls: 'none', auth: undefined }
}

async function sendFailure(relay: Relay, log: string[] = []): Promise<DeliveryFailure> {
  const sent = sendBytes(
    relay,
    { from: 'a@x.test', to: ['b@x.test'], bytes, beforeData: async () => void log.push('begun') },
    never,
  )
  const error = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof DeliveryFailure, String(error))
  return error
}

test('a connection lost before the message was sent leaves no uncertainty; one lost after it does', async () => {
  const commands: string[] = []
  const early = await sendFailure(
    await startFakeServer((line, socket) =>
      line.startsWith('RCPT') ? void socket.destroy() : '250 ok',
    ),
    commands,
  )
  assert.deepEqual([early.isUncertain, early.isFinal, commands], [false, false, []])
  const late = await sendFailure(
    await startFakeServer((line, socket) => {
      if (line === 'END') return void socket.destroy()
      return line === 'DATA' ? '354 go' : '250 ok'
    }),
    commands,
  )
  assert.deepEqual([late.isUncertain, commands], [true, ['begun']])
})

test('the server’s reply after the message is trusted, whether permanent or temporary', async () => {
  const serverAnswering = (code: string) =>
    startFakeServer((line) => {
      if (line === 'END') return code
      return line === 'DATA' ? '354 go' : '250 ok'
    })
  const permanent = await sendFailure(await serverAnswering('554 spam'))
  assert.deepEqual([permanent.isFinal, permanent.isUncertain], [true, false])
  const temporary = await sendFailure(await serverAnswering('451 later'))
  assert.deepEqual([temporary.isFinal, temporary.isUncertain], [false, false])
})

test('a message larger than the server accepts is refused before any byte of it is sent', async () => {
  const commands: string[] = []
  const error = await sendFailure(
    await startFakeServer((line) =>
      line.startsWith('EHLO') ? '250-fake\r\n250 SIZE 20' : '250 ok',
    ),
    commands,
  )
  assert.deepEqual([error.isFinal, commands], [true, []])
})

test('a token authenticates to a server, and an expired one is distinguished from other failures', {
  skip: noMail,
}, async () => {
  const { smtp, control, ca, users } = server!
  const user = users[0]!.user
  const { access_token } = (await (
    await fetch(`${control}/issue?user=${encodeURIComponent(user)}`)
  ).json()) as { access_token: string }
  const relay = async (accessToken: string): Promise<Relay> => {
    const socket = connectTls({ host: '127.0.0.1', port: smtp.tlsPort, ca: readFileSync(ca) })
    await new Promise((go) => socket.once('secureConnect', go))
    return { socket, host: '127.0.0.1', tls: 'secured', auth: { user, accessToken } }
  }
  const delivery = await sendBytes(
    await relay(access_token),
    { from: user, to: [users[1]!.user], bytes },
    never,
  )
  assert.match(delivery.response, /queued/)
  await assert.rejects(
    sendBytes(await relay('ended'), { from: user, to: [user], bytes }, never),
    (error: unknown) => error instanceof DeliveryFailure && error.isSignIn && !error.isFinal,
  )
})

test('a password echoed by the server appears in no error', async () => {
  const relay = await startFakeServer((line) =>
    /^EHLO/.test(line)
      ? '250-fake\r\n250 AUTH PLAIN'
      : `454 4.7.0 Cannot take ${line} with hunter2hunter2`,
  )
  const error = await sendFailure({ ...relay, auth: { user: 'ann', pass: 'hunter2hunter2' } })
  assert.match(error.message, /Cannot take/)
  for (const secret of ['hunter2', Buffer.from('\0ann\0hunter2hunter2').toString('base64')])
    assert.ok(!inspect(error, { depth: 5 }).includes(secret), inspect(error, { depth: 5 }))
})

test('the same message always yields the same bytes', async () => {
  const letter = {
    messageId: '<m@x.test>',
    date: new Date(0),
    from: { email: 'a@x.test' },
    to: [{ name: 'Bé', email: 'b@x.test' }],
    cc: [],
    subject: `Long ${'ü'.repeat(400)}`,
    references: ['<r@x.test>'],
    inReplyTo: '<r@x.test>',
    text: `${'long '.repeat(500)}\n.\nFrom here`,
    html: '<p>x</p>',
    enclosures: [{ name: 'Ü;"\r\nX: 1.txt', mime: 'text/plain', bytes: Buffer.from('a\nb') }],
  }
  const [first, second] = [await composeMessage(letter), await composeMessage(letter)]
  assert.ok(first.equals(second))
  assert.ok(
    first
      .toString('latin1')
      .split('\r\n')
      .every((line) => line.length <= 998),
  )
  assert.doesNotMatch(first.toString('latin1'), /^X: 1/m)
})
