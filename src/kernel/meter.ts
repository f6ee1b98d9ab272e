import type { TraceParent } from './trace.ts'

/** Steps of connecting programs by OAuth and keeping them connected. */
export type ConnectingStep =
  | 'authorize'
  | 'consent'
  | 'code'
  | 'refresh'
  /** A just-replaced refresh token was used again, and got its successor. */
  | 'repeat'
  /** A previously used token was used again, which ended its connection. */
  | 'replay'
  | 'revoke'
  | 'register'
  | 'document'

/** Steps of signing in at identity providers, and their own requests. */
export type SsoStep = 'start' | 'callback' | 'logout' | 'scim'

/** Outcome of a rerank request; all but `ok` leave the hits in their original order. */
export type RerankOutcome =
  | 'ok'
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'failed'
  | 'malformed'
  /** Not called, since it failed just before. */
  | 'resting'

/** Counts the server's activity for monitoring. Labels are our own names, never user input. */
export interface Meter {
  /** A call of an operation. `code`: `ok`, or that of its refusal. */
  recordCall(operation: string, transport: string, code: string, seconds: number): void
  /** An HTTP request with a finished answer. `surface`: the kind of its address. */
  recordRequest(surface: string, method: string, status: number, seconds: number): void
  /** A step of connecting a program by OAuth and its outcome: `ok`, or the error code. */
  recordConnectingStep(step: ConnectingStep, outcome: string): void
  /** A step of single sign-on and its outcome: a word, or the error code. */
  recordSsoStep(step: SsoStep, outcome: string): void
  /** A rerank request of a search, and its outcome. */
  recordRerank(outcome: RerankOutcome): void
  /** All metrics in Prometheus format, with the content type. */
  text(): Promise<{ type: string; text: string }>
}

/** A finished call, for a trace. */
export interface TracedCall {
  operation: string
  transport: string
  code: string
  /** Start, in milliseconds. */
  at: number
  seconds: number
  trace: TraceParent | undefined
  callId: string
  requestId: string
}

/** Sends calls to a trace collector. */
export interface Tracer {
  recordCall(call: TracedCall): void
  /** Sends remaining calls. */
  end(): Promise<void>
}
