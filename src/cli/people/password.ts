import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * Reads a password from the first line of stdin. At a terminal it prompts without echo. Never from the command line,
 * which every process can read.
 */
export async function readPassword(): Promise<string> {
  return process.stdin.isTTY ? promptPassword() : (await readStdin()).replace(/\r?\n[\s\S]*$/, '')
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function promptPassword(): Promise<string> {
  process.stderr.write('Password: ')
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silentOutput, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
