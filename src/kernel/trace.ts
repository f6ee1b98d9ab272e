/** The caller's position in a trace, in W3C Trace Context format. */
export interface TraceParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

/** Parses a `traceparent`; undefined if it is invalid. */
export function traceIn(traceparent: unknown): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, traceId, spanId, flags] =
    /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/.exec(traceparent) ?? []
  if (traceId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId!)) return undefined
  return { traceId, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}
