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
    throw asRefusal(error)
  }
}

/**
 * What a task of importers.ts yields, batch by batch.
 * @throws Refusal as readImport()
 */
export function importBatches<K extends keyof ImportTasks & string>(task: K, input: Parameters<ImportTasks[K]>[0], bounds: Bounds = {}): ReturnType<typeof importers.batches<K>> {
  return withRefusals(importers.batches(task, input, bounds)) as never
}

async function* withRefusals<B, R>(batches: AsyncGenerator<B, R>): AsyncGenerator<B, R> {
  try {
    return yield* batches
  } catch (error) {
    throw asRefusal(error)
  }
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof SandboxFailure)) return error
  return new Refusal(error.reason === 'failed' ? 'invalid_argument' : 'too_large', `The file cannot be imported. ${error.message}`, { field: 'content', hint: 'Import it in parts.' })
}
