// `node background.ts <folder> <command> <arguments…>`: starts a command that serves, prints what it says once it listens, and leaves it
// running. Its process id and the key that it printed are put into the folder. Where it ends before it listens, this ends likewise.

import { spawn } from 'node:child_process'
import { appendFileSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, command, ...args] = process.argv.slice(2) as [string, string, ...string[]]
const port = args.includes('demo') ? ['--port', process.env.WORKSPACE_PORT!] : []
const child = spawn(command, [...args, ...port], { detached: true, stdio: ['ignore', 'pipe', openSync(join(folder, 'errors'), 'a')] })
appendFileSync(join(folder, 'pids'), `${child.pid}\n`)
child.on('exit', code => {
  process.stderr.write(`It ended with ${code}.\n`)
  process.exit(code ?? 1)
})
child.stdout.setEncoding('utf8').once('data', (said: string) => {
  const key = /svc_\w{20,}/.exec(said)?.[0]
  if (key) writeFileSync(join(folder, 'key'), key)
  process.stdout.write(said, () => process.exit(0))
})
