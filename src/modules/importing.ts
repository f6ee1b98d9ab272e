import { Sandbox } from '../sandbox/sandbox.ts'
import type { ImportTasks } from './importers.ts'

/** The processes in which files are read for imports, by the tasks of importers.ts: each has a minute of processor time. */
export const importers = new Sandbox<ImportTasks>('importers', import.meta.url, { processes: 2, cpuMs: 60_000, megabytes: 512 })
