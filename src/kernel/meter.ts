import type { TraceParent } from './trace.ts'

/** Steps of connecting programs by OAuth, and of keeping them connected. */
export type ConnectingStep =
  | 'authorize'
  | 'consent'
  | 'code'
  | 'refresh'
  /** A refresh token that was just replaced came again, and got its successor. */
  | 'repeat'
  /** Something that was used before came again, and ended its connection. */
  | 'replay'
  | 'revoke'
  | 'register'
  | 'document'

/** Steps of signing in at identity providers, and what those send by themselves. */
export type SsoStep = 'start' | 'callback' | 'logout' | 'scim'

/** Outcome of a rerank request; all but `ok` leave the hits in their original order. */
export type RerankOutcome =
  | 'ok'
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'failed'
  | 'malformed'
  /** Not asked, since it failed just before. */
  | 'resting'

/** Counts what a server does, for those who watch it. Labels are names of ours, never what someone wrote. */
export interface Meter {
  /** A call of an operation. `code`: `ok`, or of its refusal. */
  called(operation: string, transport: string, code: string, seconds: number): void
  /** An HTTP request whose answer is ready. `surface`: what kind of address it was for. */
  requested(surface: string, method: string, status: number, seconds: number): void
  /** A step of connecting a program by OAuth, and how it ended: `ok`, or the code of the error. */
  connecting(step: ConnectingStep, outcome: string): void
  /** A step of single sign-on, and how it ended: in a word, or by the code of the error. */
  signingOn(step: SsoStep, outcome: string): void
  /** A search asked a reranker. */
  reranked(outcome: RerankOutcome): void
  /** All figures as Prometheus reads them, with the type of that text. */
  text(): Promise<{ type: string; text: string }>
}

/** One call that has ended, for a trace. */
export interface TracedCall {
  operation: string
  transport: string
  code: string
  /** When it began, in milliseconds. */
  at: number
  seconds: number
  trace: TraceParent | undefined
  callId: string
  requestId: string
}

/** Sends calls to where traces are collected. */
export interface Tracer {
  called(call: TracedCall): void
  /** Sends what is left. */
  end(): Promise<void>
}
