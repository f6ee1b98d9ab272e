// The streams: events at GET /api/events with a key and GET /web/events with a session; the call log at GET
// /web/activity/stream.

import { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { readAsUser, recordEarlyRefusal } from '../../operations/call/index.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import { invalidInput } from '../../operations/invalid-input.ts'
import type { ReadContext } from '../../operations/context.ts'
import type { PersonStream } from '../../operations/event-feed.ts'
import { respondWith, type HeaderList } from '../transport/answers.ts'
import { readQuery } from './arguments.ts'
import { authenticate } from './auth.ts'
import { EventStream, defaultTimes, type StreamTimes } from './event-stream.ts'
import { streamPage } from '../transport/methods.ts'
import { Presence } from '../presence/presence.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { HttpRefusal, methodNotAllowed } from '../transport/problem.ts'

const allow = ['GET', 'OPTIONS']
const tool = 'follow_events'
const lists: ReadonlySet<string> = new Set(['types', 'events', 'items'])
const names = z.array(z.string().min(1).max(80)).min(1).max(50)

export const eventQuery = z.strictObject({
  types: names.optional().describe('only events of these item types, such as task'),
  events: names
    .optional()
    .describe('only these events, such as task.completed; task.* for all task events'),
  items: names.optional().describe('only events of these items, by id or key'),
  project_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('only events of this project and what belongs to it'),
  since_cursor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'start after this: since_cursor of list_changes, or the id of an event. Last-Event-ID takes precedence.',
    ),
})

const callQuery = z.strictObject({
  of: z.enum(['me', 'organization']).default('me'),
  key_id: z.string().min(1).max(200).optional(),
  since: z.string().min(1).max(200).optional(),
})

const placeQuery = z.strictObject({ since: z.coerce.number().int().min(0) })

const headers: HeaderList = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['x-accel-buffering', 'no'],
]

/** The open streams of a server. */
export class EventStreams {
  readonly #app: App
  readonly #times: StreamTimes
  readonly #streams = new Set<EventStream>()
  /** Presence of people with a stream of the web app. */
  readonly presence: Presence
  #isClosed = false

  /** `times`: for tests only. */
  constructor(app: App, times: Partial<StreamTimes> = {}) {
    this.#app = app
    this.#times = { ...defaultTimes, ...times }
    this.presence = new Presence(app)
  }

  /** The page of a path; requests that do not accept a stream go to `others`, if given. */
  page(others?: WebPage): WebPage {
    const keyPage = streamPage((incoming) => this.#answerWithKey(incoming))
    return (incoming) =>
      others && !(incoming.method === 'GET' && asksForStream(incoming))
        ? others(incoming)
        : keyPage(incoming)
  }

  async #answerWithKey(incoming: Incoming): Promise<Response> {
    const route = 'GET /api/events'
    const actor = await authenticate(this.#app, incoming, 'api', { tool, weight: 1, route })
    return this.answer(incoming, actor, { transport: 'rest', route })
  }

  /** A stream of events for an authenticated caller. @throws Refusal */
  answer(
    incoming: Incoming,
    actor: Actor,
    source: Pick<CallRequest, 'transport' | 'route'>,
  ): Promise<Response> {
    const { permissionsOf, follow } = this.#app.catalogue.feed!
    return this.#open(
      incoming,
      actor,
      { ...source, tool },
      {
        requiredOperation: permissionsOf,
        read: () => readStreamQuery(incoming, eventQuery, 'since_cursor'),
        follow,
      },
      { ...this.#times, hasStreamId: source.transport === 'web' },
    )
  }

  /** A stream of the call log for a person who is signed in. @throws Refusal */
  answerCalls(incoming: Incoming, actor: Actor): Promise<Response> {
    const { permissionsOf, follow } = this.#app.catalogue.callFeed!
    const source = {
      transport: 'web',
      route: 'GET /web/activity/stream',
      tool: 'follow_api_calls',
    } as const
    return this.#open(
      incoming,
      actor,
      source,
      {
        requiredOperation: permissionsOf,
        read: () => readStreamQuery(incoming, callQuery, 'since'),
        follow,
      },
      { ...this.#times, batchMs: 200 },
    )
  }

  /** A module's stream for a signed-in person. @throws Refusal */
  answerStream(incoming: Incoming, actor: Actor, stream: PersonStream): Promise<Response> {
    const source = {
      transport: 'web',
      route: `GET ${stream.path.replace(':id', '{id}')}`,
      tool: stream.name,
    } as const
    const read = () => readStreamQuery(incoming, placeQuery, 'since')
    return this.#open(
      incoming,
      actor,
      source,
      {
        requiredOperation: stream.permissionsOf,
        read,
        follow: (ctx, { since }) => stream.follow(ctx, incoming.params.id ?? '', since),
      },
      { ...this.#times, batchMs: 40 },
    )
  }

  async #open<Q extends object, P>(
    incoming: Incoming,
    actor: Actor,
    source: Pick<CallRequest, 'transport' | 'route' | 'tool'>,
    log: LogSource<Q, P>,
    times: StreamTimes,
  ): Promise<Response> {
    if (incoming.method !== 'GET') throw methodNotAllowed(incoming.method, allow)
    if (!asksForStream(incoming))
      throw new HttpRefusal(
        406,
        'invalid_argument',
        'Only an event stream is available here.',
        'Send Accept: text/event-stream.',
      )
    const { requestId, ip, client, trace } = incoming
    const request: CallRequest = { ...source, args: undefined, requestId, ip, client, trace }
    const subscription = await this.#follow(actor, request, log)
    if (this.#isClosed)
      throw new HttpRefusal(503, 'unavailable', 'The server is shutting down.', {
        retry_after_seconds: 5,
      })
    const stream: EventStream<P> = new EventStream(
      this.#app,
      { actor, request },
      subscription,
      times,
      () => {
        this.#streams.delete(stream)
        leave?.()
      },
    )
    this.#streams.add(stream)
    const leave = times.hasStreamId ? this.presence.addStream(stream) : undefined
    return respondWith(incoming, 200, stream.body, headers)
  }

  /** Ends all streams and refuses new ones. */
  endAll(): void {
    this.#isClosed = true
    for (const stream of this.#streams) stream.end()
  }

  async #follow<Q extends object, P>(
    actor: Actor,
    request: CallRequest,
    { requiredOperation, read, follow }: LogSource<Q, P>,
  ): Promise<StreamSubscription<P>> {
    const app = this.#app
    let query: Q
    try {
      query = read()
    } catch (error) {
      throw await recordEarlyRefusal(app, actor, request, error)
    }
    return readAsUser(app, actor, { ...request, args: query }, async (ctx) => {
      const refusal = ctx.refusalFor(app.catalogue.requireEntry(requiredOperation))
      if (refusal) throw refusal
      return follow(ctx, query)
    })
  }
}

type StreamSubscription<P> = ConstructorParameters<typeof EventStream<P>>[2]

interface LogSource<Q, P> {
  /** Operation whose rights it requires. */
  requiredOperation: string
  /** @throws Refusal */
  read(): Q
  follow(ctx: ReadContext, query: Q): Promise<StreamSubscription<P>>
}

function asksForStream(incoming: Incoming): boolean {
  return /\btext\/event-stream\b/i.test(incoming.header('accept') ?? '')
}

/** `since`: query field with the start position; the browser's Last-Event-ID takes precedence. */
function readStreamQuery<B extends z.ZodRawShape>(
  incoming: Incoming,
  schema: z.ZodObject<B>,
  since: string,
): z.infer<z.ZodObject<B>> {
  const last = incoming.header('last-event-id')
  const query = readQuery(incoming, lists)
  const parsed = schema.safeParse(last ? { ...query, [since]: last.slice(0, 200) } : query)
  if (!parsed.success)
    throw invalidInput(parsed.error.issues, {
      hintForUnknown: () => `It takes ${Object.keys(schema.shape).join(', ')}.`,
    })
  return parsed.data
}
