import { dirname } from 'node:path'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ConnectingStep, Meter, RerankOutcome, SsoStep } from '../../kernel/meter.ts'
import { walSize } from '../../db/checkpoint.ts'
import type { Store } from '../../db/open.ts'
import { freeSpace } from '../../db/space.ts'

/** The sources of the metrics, read at each request. */
export interface MetricSources {
  version: string
  store: Pick<Store, 'path' | 'writer'>
  /** Unfinished and dead jobs by kind and state. */
  jobs: () => Promise<readonly { kind: string; state: string; count: number }[]>
  /** Number of open streams. */
  streams: () => number
  /** Number of open connections; undefined while the server does not listen. */
  connections: () => number | undefined
  /** Bytes of answers not yet received by callers. */
  unsent: () => number | undefined
  /** Expiry of the certificate in milliseconds, if the server itself uses TLS. */
  certificateUntil: () => number | undefined
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/**
 * Far more than the number of operations; names beyond it are counted together, in case names ever come from
 * elsewhere.
 */
const maxOperations = 1_000

/** The metrics of one server in Prometheus format. */
export class Prometheus implements Meter {
  readonly #registry = new Registry()
  readonly #calls: Counter
  readonly #callSeconds: Histogram
  readonly #requests: Counter
  readonly #requestSeconds: Histogram
  readonly #oauthSteps: Counter
  readonly #ssoSteps: Counter
  readonly #reranked: Counter
  readonly #operations = new Set<string>()

  constructor(sources: MetricSources) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#calls = new Counter({
      registers,
      name: 'workspace_calls_total',
      help: 'Calls of operations, by how they ended: ok, or the code of the refusal.',
      labelNames: ['operation', 'transport', 'code'],
    })
    this.#callSeconds = new Histogram({
      registers,
      name: 'workspace_call_seconds',
      help: 'Duration of calls, in seconds.',
      labelNames: ['operation'],
      buckets: durationBuckets,
    })
    this.#requests = new Counter({
      registers,
      name: 'workspace_http_requests_total',
      help: 'HTTP requests that were answered.',
      labelNames: ['surface', 'method', 'status'],
    })
    this.#requestSeconds = new Histogram({
      registers,
      name: 'workspace_http_request_seconds',
      help: 'Time until the answer to an HTTP request was ready, in seconds.',
      labelNames: ['surface'],
      buckets: durationBuckets,
    })
    this.#oauthSteps = new Counter({
      registers,
      name: 'workspace_oauth_total',
      help: 'Steps of connecting programs by OAuth, by how they ended: ok, or the code of the error.',
      labelNames: ['step', 'outcome'],
    })
    this.#ssoSteps = new Counter({
      registers,
      name: 'workspace_sso_total',
      help: 'Steps of single sign-on and requests of SCIM, by how they ended.',
      labelNames: ['step', 'outcome'],
    })
    this.#reranked = new Counter({
      registers,
      name: 'workspace_rerank_total',
      help: 'Searches that asked the reranker, by how that ended: ok, or why hits kept their order.',
      labelNames: ['outcome'],
    })
    this.#addGauges(sources)
  }

  recordCall(operation: string, transport: string, code: string, duration: number): void {
    const name = this.#nameOf(operation)
    this.#calls.inc({ operation: name, transport, code })
    this.#callSeconds.observe({ operation: name }, duration)
  }

  recordRequest(surface: string, method: string, status: number, duration: number): void {
    this.#requests.inc({ surface, method, status: String(status) })
    this.#requestSeconds.observe({ surface }, duration)
  }

  recordConnectingStep(step: ConnectingStep, outcome: string): void {
    this.#oauthSteps.inc({ step, outcome })
  }

  recordSsoStep(step: SsoStep, outcome: string): void {
    this.#ssoSteps.inc({ step, outcome })
  }

  recordRerank(outcome: RerankOutcome): void {
    this.#reranked.inc({ outcome })
  }

  async text(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() }
  }

  #nameOf(operation: string): string {
    if (this.#operations.has(operation)) return operation
    if (this.#operations.size >= maxOperations) return 'other'
    this.#operations.add(operation)
    return operation
  }

  #addGauges({
    version,
    store,
    jobs,
    streams,
    connections,
    unsent,
    certificateUntil,
  }: MetricSources): void {
    const { path, writer } = store
    this.#addGauge(
      'workspace_info',
      'Which program this is; always 1.',
      (gauge) => gauge.set({ version }, 1),
      ['version'],
    )
    this.#addExternalCounter(
      'workspace_commits_total',
      'Transactions of the writer that were committed.',
      () => writer.counts.batches,
    )
    this.#addExternalCounter(
      'workspace_committed_jobs_total',
      'Callers whose work was in these transactions; by the number of transactions, the size of a batch.',
      () => writer.counts.jobs,
    )
    this.#addGauge('workspace_wal_bytes', 'Size of the log beside the database.', (gauge) =>
      gauge.set(walSize(path)),
    )
    this.#addGauge('workspace_disk_free_bytes', 'Free space where the database is.', (gauge) =>
      gauge.set(freeSpace(dirname(path))),
    )
    this.#addGauge(
      'workspace_jobs',
      'Work in the background that is waiting, running, or dead.',
      async (gauge) => {
        gauge.reset()
        for (const { kind, state, count } of await jobs()) gauge.set({ kind, state }, count)
      },
      ['kind', 'state'],
    )
    this.#addGauge('workspace_streams', 'Streams that are open.', (gauge) => gauge.set(streams()))
    this.#addGauge('workspace_connections', 'Connections that are open.', (gauge) =>
      gauge.set(connections() ?? 0),
    )
    this.#addGauge(
      'workspace_unsent_bytes',
      'Bytes of answers that wait for callers to take them.',
      (gauge) => gauge.set(unsent() ?? 0),
    )
    this.#addGauge(
      'workspace_tls_certificate_end_seconds',
      'When the certificate ends, in seconds since 1970; 0 where the server speaks no TLS.',
      (gauge) => gauge.set((certificateUntil() ?? 0) / 1000),
    )
  }

  #addGauge(
    name: string,
    help: string,
    read: (gauge: Gauge) => void | Promise<void>,
    labelNames: string[] = [],
  ): void {
    new Gauge({
      registers: [this.#registry],
      name,
      help,
      labelNames,
      collect() {
        return read(this)
      },
    })
  }

  /** A counter whose value is stored elsewhere. */
  #addExternalCounter(name: string, help: string, read: () => number): void {
    new Counter({
      registers: [this.#registry],
      name,
      help,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
}
