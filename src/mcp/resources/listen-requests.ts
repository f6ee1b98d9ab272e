// subscriptions/listen of the current protocol. The SDK's router does not know who listens: each listener would be notified of
// every change. So each stream gets its own feed with only the changes its caller may see.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  InMemoryServerEventBus,
  ProtocolError,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type RequestId,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import type { Caller } from '../caller.ts'
import { isEventStream, OpenStream } from '../sessions/open-stream.ts'
import { identity, type TestExtensions } from '../server.ts'
import { followDocuments } from './subscriptions.ts'

/** Notifications for one stream. */
class Feed {
  #listener: ((event: ServerEvent) => void) | undefined
  #endWatch: (() => void) | undefined

  async begin(app: App, caller: Caller, uris: readonly string[]): Promise<void> {
    if (uris.length > 0)
      this.#endWatch = await followDocuments(app, caller, uris, (uri) =>
        this.#listener?.({ kind: 'resource_updated', uri }),
      )
  }

  subscribe(listener: (event: ServerEvent) => void): void {
    this.#listener = listener
  }

  end(): void {
    this.#endWatch?.()
    this.#endWatch = undefined
    this.#listener = undefined
  }
}

const currentFeed = new AsyncLocalStorage<Feed>()

/** The SDK's router subscribes each stream here while its request is being answered. */
export class FeedBus implements ServerEventBus {
  /** Broadcasts to all listeners: used only by tests of the protocol. */
  readonly #broadcast = new InMemoryServerEventBus()

  publish(event: ServerEvent): void {
    this.#broadcast.publish(event)
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const feed = currentFeed.getStore()
    feed?.subscribe(listener)
    const unsubscribe = this.#broadcast.subscribe(listener)
    return () => {
      unsubscribe()
      feed?.end()
    }
  }
}

export interface ListenRequest {
  id: RequestId
  /** Resources to follow. */
  uris: readonly string[]
}

/** Parses a listen request as far as possible; the SDK validates the rest. */
export function listenRequest(body: unknown): ListenRequest | undefined {
  const { id, method, params } = (body ?? {}) as {
    id?: RequestId
    method?: unknown
    params?: { notifications?: { resourceSubscriptions?: unknown } }
  }
  if (method !== 'subscriptions/listen' || id === undefined) return undefined
  const uris = params?.notifications?.resourceSubscriptions
  return { id, uris: Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [] }
}

/**
 * Opens the message's stream through `open`, for as long as the key is valid.
 * A resource invisible to the caller is answered with a protocol error.
 * @throws Refusal rate_limited
 */
export async function listen(
  app: App,
  caller: Caller,
  { id, uris }: ListenRequest,
  extras: TestExtensions | undefined,
  open: () => Promise<Response>,
): Promise<Response> {
  const feed = new Feed()
  let stream: OpenStream | undefined
  let hasEnded = false
  const end = () => {
    hasEnded = true
    stream?.end()
  }
  const release = app.live.registerStream(caller.actor, end)
  const cleanUp = () => {
    release()
    feed.end()
  }
  try {
    await feed.begin(
      app,
      caller,
      uris.filter((uri) => !extras?.isFollowable?.(uri)),
    )
    const response = await currentFeed.run(feed, open)
    if (!isEventStream(response)) {
      cleanUp()
      return response
    }
    stream = new OpenStream(response, { lastMessage: closingEvent(id), onClosed: cleanUp })
    if (hasEnded) end()
    return stream.response
  } catch (error) {
    cleanUp()
    if (!(error instanceof ProtocolError)) throw error
    const { code, message, data } = error
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } })
  }
}

/** Final message that tells a client that the stream was ended on purpose. */
function closingEvent(id: RequestId): string {
  const result = {
    resultType: 'complete',
    _meta: { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: identity },
  }
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
}
