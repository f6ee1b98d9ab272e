import { Refusal } from '../core/refusal.ts'
import { Sandbox, SandboxFailure, type Bounds } from '../sandbox/sandbox.ts'
import type { ImportTasks } from './importers.ts'

/** Reads files for imports, in processes of their own. */
const importers = new Sandbox<ImportTasks>('importers', import.meta.url, { processes: 2, cpuMs: 20_000, megabytes: 512 })

/**
 * Runs a task of importers.ts on what somebody sent.
 * @throws Refusal as the task throws it, and too_large where it takes too much time or memory
 */
export async function readImport<K extends keyof ImportTasks & string>(task: K, input: Parameters<ImportTasks[K]>[0], bounds: Bounds = {}): Promise<Awaited<ReturnType<ImportTasks[K]>>> {
  try {
    return await importers.run(task, input, bounds)
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    throw new Refusal(error.reason === 'failed' ? 'invalid_argument' : 'too_large', `The file cannot be imported. ${error.message}`, { field: 'content', hint: 'Import it in parts.' })
  }
}
