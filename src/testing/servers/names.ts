import { createSocket } from 'node:dgram'
import { decode, encode } from 'dns-packet'

/** A name server on loopback: tests set the addresses of each name, separately for every query. */
export interface NameServer {
  /** `127.0.0.1:5353`, for resolvers. */
  address: string
  /** The queried names. */
  readonly asked: string[]
  close(): Promise<void>
}

/** DNS records of a name besides addresses. */
export type SaidOfName =
  | { type: 'SRV'; data: { target: string; port: number; priority?: number; weight?: number } }
  | { type: 'MX'; data: { exchange: string; preference?: number } }

/** `answer`: the addresses of a name, IPv4 and IPv6; undefined: no response. `says`: other records. */
export async function startNameServer(
  answer: (name: string) => readonly string[] | undefined,
  says: (name: string) => readonly SaidOfName[] = () => [],
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const queriedNames: string[] = []
  socket.on('message', (message, from) => {
    const { id, questions = [] } = decode(message)
    const { name, type } = questions[0]!
    if (type === 'A') queriedNames.push(name)
    const records = answer(name)
    if (!records) return
    const addresses =
      type === 'A' || type === 'AAAA'
        ? records
            .filter((item) => (type === 'AAAA') === item.includes(':'))
            .map((data) => ({ type, name, ttl: 0, data }))
        : []
    const answers = [
      ...addresses,
      ...says(name)
        .filter((say) => say.type === type)
        .map((say) => ({ ...say, name, ttl: 0 })),
    ]
    socket.send(
      encode({
        type: 'response',
        ...(id === undefined ? {} : { id }),
        flags: 384,
        questions,
        answers,
      }),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((go) => socket.bind(0, '127.0.0.1', go))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: queriedNames,
    close: () => new Promise((go) => socket.close(() => go())),
  }
}
