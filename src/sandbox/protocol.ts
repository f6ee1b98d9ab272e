// Definitions shared by both sides of a reader process.

/** Options with which a process is started. */
export interface HostOptions {
  /** The URL of the thread's file, or its name in the executable. */
  thread: string
  megabytes: number
  maxQuestionBytes: number
}

/** A request to a reader process, with `input.bytes` sent separately. */
export interface ReaderRequest {
  task: string
  input: Record<string, unknown>
  megabytes: number
  cpuMs: number
}

/** Its answer. Batches precede it, and each is consumed before the next one is produced. */
export type Reply =
  | { kind: 'batch'; value: unknown }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: string; message: string; more: Record<string, unknown> }
  | { kind: 'failed'; message: string }

/** Exit codes of a reader process that exceeds a limit. */
export const exits = { memory: 70, time: 71, failed: 72 } as const
