import type { TestContext } from 'node:test'
import { scratch, workspace, type Ran } from '../testing/process.ts'

export interface Commands {
  dataDir: string
  /** Runs a command to completion; adds `--data`. */
  run(args: readonly string[], stdin?: string): Promise<Ran>
  /** Runs a command that must succeed; returns its stdout. */
  runOk(...args: string[]): Promise<string>
  /** Runs a command that must succeed; returns the single JSON value it prints. */
  json<T = any>(...args: string[]): Promise<T>
}

/** Test helper: runs the real command line in separate processes on its own folder. */
export function commandsOn(t: TestContext): Commands {
  const { dir, remove } = scratch()
  t.after(remove)
  const run: Commands['run'] = (args, stdin) => workspace([...args, '--data', dir], stdin)
  const done: Commands['runOk'] = async (...args) => {
    const { code, stdout, stderr } = await run(args)
    if (code !== 0) throw new Error(`workspace ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  return {
    dataDir: dir,
    run,
    runOk: done,
    json: async (...args) => JSON.parse(await done(...args, '--json')) as never,
  }
}

/** Creates an organization with Ann, its administrator. */
export async function createAnn(commands: Commands): Promise<void> {
  await commands.runOk('orgs', 'create', '--name', 'Acme', '--timezone', 'Europe/Berlin')
  await commands.runOk(
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
