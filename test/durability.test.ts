import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { scratch, serve, workspaceJson } from '../src/testing/process.ts'

// An answer must be sent after its write is on disk. That cannot be observed from outside without cutting the power,
// but it shows in the order of system calls: the log of the database is written and flushed before the answer is
// written to the socket.

/** Relevant steps of a trace, in order. */
type Step = 'written' | 'flushed' | 'answered'

/**
 * The steps in a trace of strace -f -y. A call interrupted by another thread starts on one line and is `resumed` on a
 * later one; a flush counts at its end, an answer at its start.
 */
function stepsOf(trace: string): Step[] {
  const pendingCalls = new Map<string, string>()
  return trace.split('\n').flatMap((line): Step[] => {
    const [, pid, call] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || call === undefined) return []
    if (
      /^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP)/.test(call) &&
      /HTTP\/1\.1 201/.test(call)
    )
      return ['answered']
    if (call.endsWith('<unfinished ...>')) {
      pendingCalls.set(pid, call)
      return []
    }
    const whole = /^<\.\.\. \w+ resumed>/.test(call)
      ? `${pendingCalls.get(pid) ?? ''}${call}`
      : call
    if (!/workspace\.db-wal>/.test(whole)) return []
    if (/^(pwrite64|write)\(/.test(whole)) return ['written']
    return /^(fdatasync|fsync)\(/.test(whole) && / = 0$/.test(call) ? ['flushed'] : []
  })
}

/** The first answer sent before its writes were flushed, or without any write; undefined if there is none. */
function tooEarly(steps: readonly Step[]): number | undefined {
  let open = false
  let isFlushed = false
  let answers = 0
  for (const step of steps) {
    if (step === 'written') open = true
    else if (step === 'flushed') [isFlushed, open] = [isFlushed || open, false]
    else {
      answers++
      if (open || !isFlushed) return answers
      isFlushed = false
    }
  }
  return undefined
}

test('a response before the flush, or without one, is detected', () => {
  assert.equal(
    tooEarly(['written', 'flushed', 'answered', 'written', 'flushed', 'answered']),
    undefined,
  )
  assert.equal(tooEarly(['written', 'flushed', 'answered', 'written', 'answered', 'flushed']), 2)
  assert.equal(tooEarly(['written', 'answered']), 1)
  assert.equal(tooEarly(['written', 'flushed', 'answered', 'answered']), 2)
  const split =
    '12 fdatasync(21</x/workspace.db-wal> <unfinished ...>\n13 futex(0x1) = 0\n12 <... fdatasync resumed>) = 0\n12 writev(30<socket:[1]>, [{iov_base="HTTP/1.1 201 Created"...}]) = 9'
  assert.deepEqual(stepsOf(`12 pwrite64(21</x/workspace.db-wal>, "x", 1, 0) = 1\n${split}`), [
    'written',
    'flushed',
    'answered',
  ])
})

test('every response to a write is sent after the write is flushed', async (t) => {
  if (spawnSync('strace', ['-V']).status !== 0) return t.skip('strace is not installed')
  const { dir, remove } = scratch()
  t.after(remove)
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
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@acme.test',
    '--name',
    'k',
    '--data',
    dir,
  )
  const server = await serve(dir)
  t.after(() => void (server.child.exitCode ?? server.child.kill('SIGKILL')))
  const out = join(dir, 'trace')
  const tracer = spawn(
    'strace',
    [
      '-f',
      '-y',
      '-qq',
      '-s',
      '60',
      '-o',
      out,
      '-e',
      'trace=write,writev,pwrite64,sendto,sendmsg,fdatasync,fsync',
      '-p',
      String(server.child.pid),
    ],
    { stdio: 'ignore' },
  )
  for (
    let i = 0;
    /TracerPid:\s*0$/m.test(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'));
    i++
  ) {
    if (i > 200) return t.skip('strace may not attach to processes here')
    await pause(20)
  }
  await pause(200)
  const label = (name: string) =>
    fetch(`${server.url}/api/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  for (let i = 0; i < 25; i++) assert.equal((await label(`label ${i}`)).status, 201) // one after the other: in a batch one flush is for many
  tracer.kill('SIGTERM')
  await new Promise((done) => tracer.once('exit', done))
  assert.equal(await server.end(), 0)
  const steps = stepsOf(readFileSync(out, 'utf8'))
  assert.equal(steps.filter((step) => step === 'answered').length, 25)
  assert.equal(tooEarly(steps), undefined)
})
