import type { TabMessage } from './tabs.ts'

type EventMessage = TabMessage & { kind: 'event' }

const maxEvents = 2000

/** The latest events of the stream without gaps or duplicates. */
export class RecentEvents {
  /** All events after this position are available. */
  #startPosition = 0
  readonly #events = new Map<string, { message: EventMessage; position: number }>()

  /** Clears all events; the next ones are those after a position. */
  reset(position: number): void {
    this.#startPosition = position
    this.#events.clear()
  }

  has(id: string): boolean {
    return this.#events.has(id)
  }

  /** Adds an event; false if it is a duplicate, or before the first one. */
  add(message: EventMessage, position: number): boolean {
    if (this.has(message.id) || position <= this.#startPosition) return false
    this.#events.set(message.id, { message, position })
    if (this.#events.size > maxEvents) this.#dropOldest()
    return true
  }

  /** The events after a position, in order; undefined if some of them were dropped. */
  eventsAfter(position: number): EventMessage[] | undefined {
    if (position < this.#startPosition) return undefined
    return [...this.#events.values()].flatMap((event) =>
      event.position > position ? event.message : [],
    )
  }

  /** Drops half of them; events of one position are kept or dropped together. */
  #dropOldest(): void {
    for (const [id, { position }] of this.#events) {
      if (this.#events.size <= maxEvents / 2 && position > this.#startPosition) return
      this.#startPosition = position
      this.#events.delete(id)
    }
  }
}
