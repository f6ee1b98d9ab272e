import type { TestContext } from 'node:test'
import { scratch, workspace, type Ran } from '../testing/process.ts'

export interface Commands {
  dataDir: string
  /** Runs a command to completion; adds `--data`. */
  run(args: readonly string[], stdin?: string): Promise<Ran>
  /** Runs a command that must succeed; returns its stdout. */
  done(...args: string[]): Promise<string>
  /** The same, parsing the single JSON value it prints. */
  json<T = any>(...args: string[]): Promise<T>
}

/** Test helper: runs the real command line in separate processes on its own folder. */
export function commandsOn(t: TestContext): Commands {
  const { dir, remove } = scratch()
  t.after(remove)
  const run: Commands['run'] = (args, stdin) => workspace([...args, '--data', dir], stdin)
  const done: Commands['done'] = async (...args) => {
    const { code, stdout, stderr } = await run(args)
    if (code !== 0) throw new Error(`workspace ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  return {
    dataDir: dir,
    run,
    done,
    json: async (...args) => JSON.parse(await done(...args, '--json')) as never,
  }
}

/** An organization with ann, its administrator. */
export async function withAnn(commands: Commands): Promise<void> {
  await commands.done('orgs', 'create', '--name', 'Acme', '--timezone', 'Europe/Berlin')
  await commands.done(
    'users',
    'create',
    '--email',
    'ann@acme.test',
    '--name',
    'Ann',
    '--admin',
    '--no-link',
  )
}
