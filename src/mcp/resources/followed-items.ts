import type { App } from '../../operations/app.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { protocolError } from '../requests.ts'
import { followDocuments } from './subscriptions.ts'

/** Maximum resources followed per session. */
const maxSubscriptions = 1000

/** Resources followed by a session of the older protocols. */
export class FollowedResources {
  readonly #app: App
  readonly #notify: (uri: string) => void
  readonly #unwatchers = new Map<string, () => void>()
  #hasEnded = false

  constructor(app: App, notify: (uri: string) => void) {
    this.#app = app
    this.#notify = notify
  }

  /** @throws ProtocolError */
  async add(caller: Caller, uri: string, message: MessageInfo): Promise<void> {
    if (this.#unwatchers.size >= maxSubscriptions)
      throw protocolError(
        invalid(
          'uri',
          `a session may subscribe to ${maxSubscriptions} resources.`,
          'Unsubscribe from one first.',
        ),
      )
    const end = await followDocuments(this.#app, caller, [uri], this.#notify, message)
    this.remove(uri)
    if (this.#hasEnded) end()
    else this.#unwatchers.set(uri, end)
  }

  remove(uri: string): void {
    this.#unwatchers.get(uri)?.()
    this.#unwatchers.delete(uri)
  }

  endAll(): void {
    this.#hasEnded = true
    for (const end of this.#unwatchers.values()) end()
    this.#unwatchers.clear()
  }
}
