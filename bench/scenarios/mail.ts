// Measures the first sync of a mailbox, against a real mail server on this machine: `node tools/node.mjs
// bench/scenarios/mail.ts [messages]`.
// Prints one JSON list of {work, value, unit, goal}; an empty one where the machine has no mail server.
import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { messageText, startMailRig, until } from '../../src/testing/mail/setup.ts'
import { noMail } from '../../src/testing/servers/daemons.ts'

const total = Number(process.argv[2] ?? 2000)

interface Figure {
  work: string
  value: number
  unit: string
  goal: string
}

/** Writes messages into a mailbox as files before its owner first logs in. */
function fill(dir: string, user: string): void {
  const { uid, gid } = statSync(join(dir, 'home'))
  const box = join(dir, 'home', user, 'Maildir')
  for (const folder of ['', 'cur', 'new', 'tmp']) mkdirSync(join(box, folder), { recursive: true })
  for (const folder of [
    join(dir, 'home', user),
    box,
    ...['cur', 'new', 'tmp'].map((name) => join(box, name)),
  ])
    chownSync(folder, uid, gid)
  for (let i = 0; i < total; i++) {
    const root = i - (i % 4)
    const at = Math.floor(Date.now() / 1000) - (total - i) * 60
    const attached = i % 10 === 0
    const words = `Message ${i} of the benchmark, word${i % 977} and word${i % 331}.\r\n`.repeat(20)
    const body = attached
      ? `--b\r\nContent-Type: text/plain\r\n\r\n${words}\r\n--b\r\nContent-Type: application/octet-stream; name=data.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(770)}--b--\r\n`
      : words
    const text = messageText({
      id: `<b${i}@bench.test>`,
      to: user,
      subject: `${i === root ? '' : 'Re: '}Topic ${root}`,
      date: new Date(at * 1000),
      more: [
        ...(i === root ? [] : [`References: <b${root}@bench.test>`]),
        ...(attached ? ['Content-Type: multipart/mixed; boundary=b'] : []),
      ],
      body,
    })
    const file = join(box, 'cur', `${at}.M${i}.bench:2,`)
    writeFileSync(file, text)
    chownSync(file, uid, gid)
  }
}

async function measure(): Promise<Figure[]> {
  const rig = await startMailRig(['--no-smtp'])
  fill(rig.server.dir, rig.server.users[0]!.user)
  const { app } = rig.workspace
  const before = process.memoryUsage.rss()
  const account = await rig.connect(rig.workspace.ann, 'alice')
  const count = (where: string) =>
    rig.rows<{ n: number }>(
      `select count(*) as n from emails where account_id = ? and ${where}`,
      account.id,
    )[0]!.n
  let peakRss = 0
  const waits: number[] = []
  let isOver = false
  const others = (async () => {
    for (; !isOver; await pause(25)) {
      const requestedAt = performance.now()
      await app.store.writer.run(async () => {})
      waits.push(performance.now() - requestedAt)
      peakRss = Math.max(peakRss, process.memoryUsage.rss())
    }
  })()
  const startedAt = performance.now()
  const stop = rig.live()
  const first = await until(() => count('1 = 1') > 0, 120_000)
  await until(() => count('1 = 1') === total, 3600_000)
  const headers = performance.now() - startedAt
  await until(() => count("body_state = 'pending'") === 0, 3600_000)
  const all = performance.now() - startedAt
  isOver = true
  await others
  await stop()
  await rig.close()
  waits.sort((a, b) => a - b)
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
  return [
    {
      work: `first of ${total} messages listed after`,
      value: Math.round(first),
      unit: 'ms',
      goal: '1000',
    },
    { work: 'headers', value: Math.round((1000 * total) / headers), unit: 'a second', goal: '500' },
    {
      work: 'messages with bodies',
      value: Math.round((1000 * total) / all),
      unit: 'a second',
      goal: '',
    },
    {
      work: 'another write meanwhile, p50',
      value: Math.round(waits[Math.floor(waits.length * 0.5)]!),
      unit: 'ms',
      goal: '',
    },
    {
      work: 'another write meanwhile, p99',
      value: Math.round(waits[Math.floor(waits.length * 0.99)]!),
      unit: 'ms',
      goal: '100',
    },
    { work: 'memory that it took', value: megabytes(peakRss - before), unit: 'MB', goal: '400' },
  ]
}

console.log(JSON.stringify(noMail === undefined ? await measure() : []))
process.exit(0)
