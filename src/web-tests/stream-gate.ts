// Delays the event stream of a browser, and cuts it.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { BrowserContext } from 'playwright-core'

export interface StreamGate {
  /** From now on, delays the response when the browser opens the stream. */
  hold(): void
  /** Breaks the connection of the open stream. */
  cut(): void
  release(): void
  close(): void
}

/** Controls the event stream of one browser at a time: `cut` breaks all streams of the server in this process. */
export async function gateStream(context: BrowserContext): Promise<StreamGate> {
  const sockets = new Set<Socket>()
  let gate: PromiseWithResolvers<void> | undefined
  const onRequest = (message: unknown) => {
    const { url, socket } = (message as { request: IncomingMessage }).request
    if (!/^\/web\/events(\?|$)/.test(url ?? '')) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  subscribe('http.server.request.start', onRequest)
  await context.route(/\/web\/events(\?.*)?$/, async (route) => {
    await gate?.promise
    await route.continue().catch(() => {}) // its page was closed meanwhile
  })
  return {
    hold: () => {
      gate = Promise.withResolvers<void>()
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    release: () => {
      gate?.resolve()
      gate = undefined
    },
    close: () => unsubscribe('http.server.request.start', onRequest),
  }
}
