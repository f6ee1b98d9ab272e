import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  url: string
  close(): void
}

/**
 * A local proxy that adds a key to each request, because the suite cannot send one. Names, order and number of the
 * other headers, and all bytes, pass unchanged in both directions without buffering.
 */
export async function startProxy(key: string, port: () => number): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, outgoing) =>
    forward(incoming, outgoing, { agent, port: port(), key }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agent, port, key }: { agent: Agent; port: number; key: string },
): void {
  const { method, url: path, rawHeaders } = incoming
  const headers = [...rawHeaders, 'Authorization', `Bearer ${key}`]
  const onward = request(
    { host: '127.0.0.1', port, agent, method, path, headers, setHost: false } as object,
    (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    },
  )
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy()) // who goes away must be seen to go away
  incoming.pipe(onward)
}
