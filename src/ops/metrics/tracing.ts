// OpenTelemetry, as configured by its standard environment variables: each call is a span, sent by OTLP over HTTP.
// Loaded only if they enable tracing. The SDK itself reads them.

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { TracedCall, Tracer } from '../../kernel/meter.ts'
import type { TraceParent } from '../../kernel/trace.ts'

/** Milliseconds allowed for sending the last spans when the server stops. */
const shutdownTimeoutMs = 3_000

export class OpenTelemetry implements Tracer {
  readonly #provider: BasicTracerProvider

  constructor(version: string) {
    const ownResource = resourceFromAttributes({
      'service.name': 'workspace',
      'service.version': version,
    })
    const resource = defaultResource()
      .merge(ownResource)
      .merge(detectResources({ detectors: [envDetector] }))
    this.#provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    })
  }

  recordCall({
    operation,
    transport,
    code,
    at,
    seconds,
    trace: parent,
    callId,
    requestId,
  }: TracedCall): void {
    const attributes = {
      'workspace.transport': transport,
      'workspace.code': code,
      'workspace.call_id': callId,
      'workspace.request_id': requestId,
    }
    const span = this.#provider
      .getTracer('workspace')
      .startSpan(operation, { kind: SpanKind.SERVER, startTime: at, attributes }, contextOf(parent))
    if (code === 'internal' || code === 'unavailable' || code === 'storage_full')
      span.setStatus({ code: SpanStatusCode.ERROR, message: code })
    span.end(at + seconds * 1000)
  }

  async end(): Promise<void> {
    await Promise.race([
      this.#provider.shutdown().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, shutdownTimeoutMs).unref()),
    ]) // errors can no longer be reported
  }
}

function contextOf(parent: TraceParent | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
}
