import type { App } from '../../operations/app.ts'
import type { RunningServer } from '../../http/server.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { Certificate } from '../../tls/certificate.ts'
import { version } from '../version.ts'

/** Components with metrics besides the app itself; they are added while the server starts. */
export interface ServerParts {
  server?: RunningServer
  queue?: Queue
  certificate?: Certificate | undefined
}

/** Starts metrics if the settings enable them, and tracing if the environment does. */
export async function startMetering(app: App, parts: ServerParts): Promise<void> {
  if (wantsTraces(process.env))
    app.tracer = new (await import('../../ops/metrics/tracing.ts')).OpenTelemetry(version)
  if (app.settings.metrics === 'off') return
  const { Prometheus } = await import('../../ops/metrics/prometheus.ts')
  app.meter = new Prometheus({
    version,
    store: app.store,
    jobs: async () => (await parts.queue?.depth()) ?? [],
    streams: () => app.live.streams,
    connections: () => parts.server?.connections,
    unsent: () => parts.server?.unsentBytes,
    certificateUntil: () => parts.certificate?.expiresAt,
  })
}

/** Whether the standard OpenTelemetry variables name a destination for traces. */
function wantsTraces(env: NodeJS.ProcessEnv): boolean {
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  return (
    !isOff && Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT)
  )
}
