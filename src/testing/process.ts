import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { resolve as absolute } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export { scratch } from './scratch.ts'

const { WORKSPACE_EXECUTABLE: executable } = process.env
delete process.env.WORKSPACE_EXECUTABLE // the program would call it a setting that it does not know

/** True if the tests start a release executable. */
export const isExecutable = Boolean(executable)

/**
 * Command and leading arguments with which tests start the program: bin/workspace of this tree, or the executable in
 * WORKSPACE_EXECUTABLE.
 */
export const [program, ...leading]: readonly [string, ...string[]] = executable
  ? [absolute(executable)]
  : [process.execPath, fileURLToPath(new URL('../../bin/workspace', import.meta.url))]

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs the command line as people do; resolves regardless of the exit code. */
export function workspace(args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...leading, ...args],
      { maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => {
        resolve({
          code: error ? Number((error as { code?: unknown }).code ?? 1) : 0,
          stdout,
          stderr,
        })
      },
    )
    child.stdin!.end(input)
  })
}

/** Runs a command that must succeed and print one JSON value. */
export async function workspaceJson<T = any>(...args: string[]): Promise<T> {
  const ran = await workspace([...args, '--json'])
  if (ran.code !== 0)
    throw new Error(`workspace ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  return JSON.parse(ran.stdout) as T
}

export interface Served {
  url: string
  /** The JSON value that it printed. */
  greeting: { url: string; setup_url?: string }
  child: ChildProcess
  /** Standard error so far. */
  output(): string
  /** Stops it with a signal and waits for its exit; returns the exit code, or null if the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `workspace serve` on a free port and waits until it listens. */
export function serve(dataDir: string, ...more: string[]): Promise<Served> {
  return started('serve', '--data', dataDir, '--port', '0', '--json', ...more)
}

/** Starts a server command, and waits until it listens. */
export async function started(...args: string[]): Promise<Served> {
  const child = spawn(program, [...leading, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { WORKSPACE_LIMITS: 'no', ...process.env },
  }) // tests ask faster than anybody may
  let errors = ''
  child.stderr!.on('data', (part: Buffer) => (errors += part.toString()))
  const exit = new Promise<number | null>((go) => child.once('exit', (code) => go(code)))
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /"url":\s*"(http[^"]+)"/.exec(line)?.[1]
    if (url) {
      child.stdout!.resume()
      return {
        url,
        greeting: JSON.parse(line) as Served['greeting'],
        child,
        output: () => errors,
        end: (signal) => {
          child.kill(signal ?? 'SIGTERM')
          return exit
        },
      }
    }
  }
  throw new Error(`workspace ${args[0]} ended with ${await exit} before it listened: ${errors}`)
}
