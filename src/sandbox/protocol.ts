// Definitions shared by both sides of a reader process.

/** Options with which a process is started. */
export interface HostOptions {
  /** The URL of the thread's file, or its name in the executable. */
  thread: string
  megabytes: number
  maxRequestBytes: number
}

/** A request to a reader process; `input.bytes` is sent separately. */
export interface ReaderRequest {
  task: string
  input: Record<string, unknown>
  megabytes: number
  cpuMs: number
}

/** A reply of a reader process. Batches come before the last reply; each is consumed before the next is produced. */
export type Reply =
  | { kind: 'batch'; value: unknown }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: string; message: string; more: Record<string, unknown> }
  | { kind: 'failed'; message: string }

/** Exit codes of a reader process that exceeds a limit. */
export const exitCodes = { memory: 70, time: 71, failed: 72 } as const
