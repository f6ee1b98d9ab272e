// Support for the single executable file, which also contains the program's data files and the code of its threads.

import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAsset, getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Whether this runs as the executable, and not from sources or dist/. */
export const isExecutable = isSea()

/** An embedded file of the executable by its build path; must not be modified. */
export function heldFile(path: string): Buffer {
  return Buffer.from(getRawAsset(path))
}

/** Paths of embedded files below a folder (with trailing slash). */
export function heldIn(folder: string): string[] {
  return getAssetKeys()
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length))
    .sort()
}

/**
 * Path of the executable that survives upgrades: install.sh links <prefix>/bin/workspace to
 * <prefix>/lib/workspace/<version>/workspace.
 */
export function lastingPath(): string {
  const link = join(dirname(process.execPath), '../../../bin/workspace')
  try {
    return realpathSync(link) === process.execPath ? link : process.execPath
  } catch {
    return process.execPath // there is no such link: it was put there by hand
  }
}

/** Starts a thread from a file in the folder of `beside`, the caller's `import.meta.url`. */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  return startThreadAt(threadAt(name, beside), options)
}

/** Identifies the code of a thread for `startThreadAt`, also in another process of the same program. */
export function threadAt(name: string, beside: string): string {
  return isExecutable
    ? name
    : new URL(`./${name}.${beside.endsWith('.ts') ? 'ts' : 'mjs'}`, beside).href
}

export function startThreadAt(at: string, options: WorkerOptions): Worker {
  return isExecutable
    ? new Worker(getAsset(`threads/${at}.js`, 'utf8'), { ...options, eval: true })
    : new Worker(new URL(at), options)
}

/** The processes that the server starts from its own program: their files in the sources. */
const childSources = {
  host: './sandbox/host.ts',
  encoder: './search/encoder/host.ts',
} as const

/** The command that starts such a process with these options; tools/starting/main.cjs reads the argument `--child`. */
export function childCommand(
  name: keyof typeof childSources,
  options: string,
): [string, ...string[]] {
  if (isExecutable) return [process.execPath, '--child', name, options]
  const file = import.meta.url.endsWith('.ts') ? childSources[name] : `./${name}.mjs`
  const path = fileURLToPath(new URL(file, import.meta.url))
  return [process.execPath, '--max-semi-space-size=2', path, options]
}
