import type { TabMessage } from './tabs.ts'

type EventMessage = TabMessage & { kind: 'event' }

const maxEvents = 2000

/** The latest events of the stream without gaps or duplicates. */
export class RecentEvents {
  /** All events after this position are available. */
  #from = 0
  readonly #events = new Map<string, { message: EventMessage; position: number }>()

  /** Clears all events: from now on, those after a position follow. */
  begin(position: number): void {
    this.#from = position
    this.#events.clear()
  }

  has(id: string): boolean {
    return this.#events.has(id)
  }

  /** Adds an event; false if it is a duplicate, or before the first one. */
  add(message: EventMessage, position: number): boolean {
    if (this.has(message.id) || position <= this.#from) return false
    this.#events.set(message.id, { message, position })
    if (this.#events.size > maxEvents) this.#dropOldest()
    return true
  }

  /** The events after a position, in order; undefined if some of them were dropped. */
  after(position: number): EventMessage[] | undefined {
    if (position < this.#from) return undefined
    return [...this.#events.values()].flatMap((event) =>
      event.position > position ? event.message : [],
    )
  }

  /** Drops half of them; events of one position are kept or dropped together. */
  #dropOldest(): void {
    for (const [id, { position }] of this.#events) {
      if (this.#events.size <= maxEvents / 2 && position > this.#from) return
      this.#from = position
      this.#events.delete(id)
    }
  }
}
