// `node background.ts <folder> <command> <arguments…>`: starts a server command, prints its output until it listens,
// and leaves it running until the next one is started: it replaces a terminal with Ctrl-C. Its process id and printed
// key are written to the folder. If it ends before it listens, this exits the same way.

import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, command, ...args] = process.argv.slice(2) as [string, string, ...string[]]
const pidFile = join(folder, 'pid')
if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
const port = args.includes('demo') ? ['--port', process.env.WORKSPACE_PORT!] : []
const child = spawn(command, [...args, ...port], {
  detached: true,
  stdio: ['ignore', 'pipe', openSync(join(folder, 'errors'), 'a')],
})
writeFileSync(pidFile, String(child.pid))
child.on('exit', (code) => {
  process.stderr.write(`It ended with ${code}.\n`)
  process.exit(code ?? 1)
})
child.stdout!.setEncoding('utf8').once('data', (text: string) => {
  const key = /svc_\w{20,}/.exec(text)?.[0]
  if (key) writeFileSync(join(folder, 'key'), key)
  process.stdout.write(text, () => process.exit(0))
})
