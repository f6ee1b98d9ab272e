import type { App } from '../../operations/app.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Caller } from '../caller.ts'
import type { RequestMessage } from '../messages.ts'
import { protocolError } from '../requests.ts'
import { watch } from './subscriptions.ts'

/** Maximum resources followed per session. */
const maxSubscriptions = 1000

/** Resources followed by a session of the older protocols. */
export class Followed {
  readonly #app: App
  readonly #tell: (uri: string) => void
  readonly #ends = new Map<string, () => void>()
  #isOver = false

  constructor(app: App, tell: (uri: string) => void) {
    this.#app = app
    this.#tell = tell
  }

  /** @throws ProtocolError */
  async add(caller: Caller, uri: string, message: RequestMessage): Promise<void> {
    if (this.#ends.size >= maxSubscriptions)
      throw protocolError(
        invalid(
          'uri',
          `a session may subscribe to ${maxSubscriptions} resources.`,
          'Unsubscribe from one first.',
        ),
      )
    const end = await watch(this.#app, caller, [uri], this.#tell, message)
    this.remove(uri)
    if (this.#isOver) end()
    else this.#ends.set(uri, end)
  }

  remove(uri: string): void {
    this.#ends.get(uri)?.()
    this.#ends.delete(uri)
  }

  endAll(): void {
    this.#isOver = true
    for (const end of this.#ends.values()) end()
    this.#ends.clear()
  }
}
