import { rmSync } from 'node:fs'
import { scratch, serve, workspaceJson, type Served } from '../process.ts'
import { deafHost } from './things.ts'

/** A server process with its own data directory, with ann (an administrator) and bob of Acme. */
export interface BlackboxInstance {
  dir: string
  server: Served
  /** Creates a key for a person with the command line; ann's has administrator rights. */
  newKey(email: string): Promise<string>
  /** Restarts the server, regardless of how it ended. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

/** `flags` are passed to `workspace serve`. */
export async function oneInstance(...flags: string[]): Promise<BlackboxInstance> {
  const { dir, remove } = scratch()
  const command = (...args: string[]) => workspaceJson(...args, '--data', dir)
  await command('orgs', 'create', '--name', 'Acme')
  await command('users', 'create', '--email', 'ann@acme.test', '--name', 'Ann', '--admin')
  await command('users', 'create', '--email', 'bob@acme.test', '--name', 'Bob')
  const keyFile = `${dir}.key`
  const start = () =>
    serve(dir, '--master-key-file', keyFile, '--outbound-allow', deafHost, ...flags)
  const instance: BlackboxInstance = {
    dir,
    server: await start(),
    newKey: async (email) =>
      (
        await command(
          'keys',
          'create',
          '--user',
          email,
          '--name',
          'black box',
          ...(email === 'ann@acme.test' ? ['--admin'] : []),
        )
      ).key as string,
    async restart() {
      instance.server = await start()
    },
    async remove() {
      if (instance.server.child.exitCode === null && instance.server.child.signalCode === null)
        await instance.server.end('SIGKILL')
      remove()
      rmSync(keyFile, { force: true })
    },
  }
  return instance
}
