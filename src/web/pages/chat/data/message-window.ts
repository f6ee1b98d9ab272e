import { readScreen, screenCall, table, storeRows } from '../../../store/index.ts'
import { call } from '../../../api/client.ts'
import { isInChannel, isUnsent, type Message } from './rows.ts'

/** A contiguous range of a channel's loaded messages. */
export interface WindowState {
  isLoaded: boolean
  error: Error | undefined
  /** First and last seq of the range; `to` is Infinity if it reaches the end of the channel. */
  from: number
  to: number
  hasOlder: boolean
  isReading: boolean
}

const pageSize = 50
/** Maximum messages kept on the page; others are loaded again when scrolled to. */
const maxMessages = 250
/** Maximum pages read to catch up after a lost connection; others are loaded while scrolling. */
const maxCatchUpPages = 4

const initialState: WindowState = {
  isLoaded: false,
  error: undefined,
  from: Number.POSITIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  hasOlder: false,
  isReading: false,
}

/** Loads the messages of a channel around a position, and further pages in both directions. Rows are in the store. */
export class MessageWindow {
  readonly channelId: string
  readonly #listeners = new Set<() => void>()
  #state = initialState
  #isClosed = false

  constructor(channelId: string) {
    this.channelId = channelId
  }

  readonly state = (): WindowState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
  }

  /** Shows the latest messages. */
  async openLatest(): Promise<void> {
    await this.#read(async () => {
      const page = await call('list_messages', { channel_id: this.channelId, limit: pageSize })
      this.#take(page.items)
      this.#set({
        isLoaded: true,
        from: page.has_more ? lowestSeq(page.items) : 0,
        to: Number.POSITIVE_INFINITY,
        hasOlder: page.has_more,
      })
    })
  }

  /** Shows the context of a message in the channel; for a reply, the context of its parent. */
  async openAt(messageId: string): Promise<void> {
    await this.#read(async () => {
      const thread = await call('get_message_thread', { message_id: messageId, limit: 1 })
      const channel_id = this.channelId
      const [older, newer] = await readScreen('chat', [
        screenCall('list_messages', {
          channel_id,
          before_message_id: thread.root.id,
          limit: pageSize,
        }),
        screenCall('list_messages', {
          channel_id,
          after_message_id: thread.root.id,
          limit: pageSize,
        }),
      ])
      if (older.error) throw older.error
      if (newer.error) throw newer.error
      const items = [...older.value.items, thread.root, ...newer.value.items]
      this.#take(items)
      this.#set({
        isLoaded: true,
        from: older.value.has_more ? lowestSeq(items) : 0,
        to: newer.value.has_more ? highestSeq(items) : Number.POSITIVE_INFINITY,
        hasOlder: older.value.has_more,
      })
    })
  }

  /** Loads the page before the first message. */
  async loadOlder(): Promise<void> {
    const first = this.visibleMessages()[0]
    if (!this.#state.hasOlder || this.#state.isReading || !first) return
    await this.#read(async () => {
      const page = await call('list_messages', {
        channel_id: this.channelId,
        before_message_id: first.id,
        limit: pageSize,
      })
      this.#take(page.items)
      this.#set({
        from: page.has_more ? lowestSeq(page.items) : 0,
        hasOlder: page.has_more,
      })
      const messages = this.visibleMessages()
      const last = messages[maxMessages - 1]
      if (messages.length > maxMessages && last && !isUnsent(last)) this.#set({ to: last.seq })
    })
  }

  /** Loads the page after the last message. */
  async loadNewer(): Promise<void> {
    const last = this.visibleMessages().at(-1)
    if (this.hasEnd || this.#state.isReading || !last) return
    await this.#read(async () => {
      await this.#readAfter(last)
      const first = this.visibleMessages().at(-maxMessages)
      if (first && this.visibleMessages().length > maxMessages)
        this.#set({ from: first.seq, hasOlder: true })
    })
  }

  /** Reads messages that arrived while no events were received. */
  async catchUp(): Promise<void> {
    if (!this.#state.isLoaded) return
    const confirmed = this.visibleMessages().filter((message) => !isUnsent(message))
    if (!this.hasEnd || this.#state.isReading) return
    let last = confirmed.at(-1)
    if (!last) return this.openLatest()
    await this.#read(async () => {
      for (let pages = 0; pages < maxCatchUpPages && last; pages++)
        last = await this.#readAfter(last)
    })
  }

  /** True if the range reaches the end of the channel. */
  get hasEnd(): boolean {
    return this.#state.to === Number.POSITIVE_INFINITY
  }

  /** The messages of the range, in order. */
  visibleMessages(): Message[] {
    return [...table('message').all()]
      .filter((message) => this.isIn(message))
      .sort((a, b) => a.seq - b.seq)
  }

  /** True if a message is within the range. */
  isIn(message: Message): boolean {
    const { from, to } = this.#state
    return (
      message.channel.id === this.channelId &&
      message.seq >= from &&
      message.seq <= to &&
      isInChannel(message)
    )
  }

  /** Reads a page after a message; returns its last message, or undefined at the end of the channel. */
  async #readAfter(last: Message): Promise<Message | undefined> {
    const page = await call('list_messages', {
      channel_id: this.channelId,
      after_message_id: last.id,
      limit: pageSize,
    })
    this.#take(page.items)
    this.#set({ to: page.has_more ? highestSeq(page.items) : Number.POSITIVE_INFINITY })
    return page.has_more ? page.items.at(-1) : undefined
  }

  async #read(work: () => Promise<void>): Promise<void> {
    this.#set({ isReading: true, error: undefined })
    try {
      await work()
    } catch (error) {
      this.#set({ error: error instanceof Error ? error : new Error(String(error)) })
    } finally {
      this.#set({ isReading: false })
    }
  }

  #take(items: readonly Message[]): void {
    if (!this.#isClosed) storeRows('message', items)
  }

  #set(change: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}

function lowestSeq(items: readonly Message[]): number {
  return Math.min(...items.map((item) => item.seq))
}

function highestSeq(items: readonly Message[]): number {
  return Math.max(...items.map((item) => item.seq))
}
