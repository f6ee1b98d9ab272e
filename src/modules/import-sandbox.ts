import { Refusal } from '../kernel/refusal.ts'
import { Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import type { ImportTasks } from './importers.ts'

const sandbox = new Sandbox<ImportTasks>('importers', import.meta.url, {
  processes: 2,
  cpuMs: 60_000,
  megabytes: 512,
})

/**
 * Processes that read files for imports, with the tasks of importers.ts: each has a minute of processor time.
 * A file that takes longer or fails is a Refusal.
 */
export const importers: Pick<Sandbox<ImportTasks>, 'run' | 'batches'> = {
  run: (...args) => sandbox.run(...args).catch((error) => Promise.reject(asRefusal(error))),
  batches: (...args) =>
    withRefusals(sandbox.batches(...args) as AsyncGenerator<unknown, unknown>) as never,
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
  const code = error.reason === 'failed' ? 'invalid_argument' : 'too_large'
  return new Refusal(code, `The file cannot be imported. ${error.message}`, {
    field: 'content',
    hint: 'Import it in parts.',
  })
}
