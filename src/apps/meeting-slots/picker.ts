import { describeDate } from '../shared/dates.ts'
import { type AnswerFields, textField, textsIn } from '../shared/fields.ts'
import type { Host, ToolResult } from '../shared/host.ts'
import { type CallProblem, problemOf, toolValue } from '../shared/refusals.ts'
import { type FreeSlot, slotsIn } from './slots.ts'

/** An event created from a slot. */
interface CreatedEvent {
  title: string
  url: string | undefined
  slot: FreeSlot
}

export interface PickerState {
  slots: readonly FreeSlot[]
  nextCursor: string | undefined
  isLoading: boolean
  picked: FreeSlot | undefined
  isCreating: boolean
  created: CreatedEvent | undefined
  problem: CallProblem | undefined
  announcement: string
}

/** Times for a meeting, of which the person picks one. The event goes into their calendar; no one is notified. */
export class SlotPicker {
  state: PickerState = {
    slots: [],
    nextCursor: undefined,
    isLoading: true,
    picked: undefined,
    isCreating: false,
    created: undefined,
    problem: undefined,
    announcement: '',
  }
  readonly #host: Host
  readonly #onChange: () => void
  #args: AnswerFields = {}
  /** Idempotency keys by event contents, so that repeated attempts create the same event only once. */
  readonly #idempotencyKeys = new Map<string, string>()

  constructor(host: Host, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
  }

  /** Requested time zone; undefined for the person's own. */
  get timezone(): string | undefined {
    return textField(this.#args.timezone)
  }

  /** Shows the result of the call that opened the view. */
  loadResult(args: AnswerFields, result: ToolResult): void {
    const { cursor: _, fields: __, ...search } = args
    this.#args = search
    try {
      this.#add(toolValue(result))
    } catch (error) {
      this.#set({ problem: problemOf(error) })
    }
    this.#set({ isLoading: false })
  }

  cancelled(): void {
    this.#set({ isLoading: false, problem: { message: 'The search for a time was cancelled.' } })
  }

  pick(picked: FreeSlot): void {
    this.#set({ picked, problem: undefined })
  }

  async loadMore(): Promise<void> {
    const cursor = this.state.nextCursor
    this.#set({ isLoading: true, problem: undefined })
    await this.#try(async () =>
      this.#add(await this.#call('find_meeting_time', { ...this.#args, cursor })),
    )
    this.#set({ isLoading: false })
  }

  /** Creates the event in the person's calendar, with all requested people. */
  async create(slot: FreeSlot, title: string, location: string): Promise<void> {
    if (this.state.isCreating) return
    this.#set({ isCreating: true, problem: undefined })
    await this.#try(async () => {
      const event = await this.#call('create_event', this.#eventOf(slot, title, location))
      this.#set({ created: { title, url: textField(event.url), slot } })
      const id = textField(event.id) ?? ''
      await this.#addOptional(id)
      const when = describeDate(slot.local, this.#host.context.locale)
      this.#set({ announcement: `${title} is in your calendar: ${when}.` })
      this.#host.note(
        `The person picked ${slot.startsAt} and created the event "${title}" (${id}). No one has been notified: send_event_invites sends the invitations, if the person asks for that.`,
      )
    })
    this.#set({ isCreating: false })
  }

  async openInWorkspace(url: string): Promise<void> {
    await this.#try(() => this.#host.openLink(url))
  }

  #eventOf({ startsAt, endsAt }: FreeSlot, title: string, location: string): AnswerFields {
    const event = {
      title,
      starts_at: startsAt,
      ends_at: endsAt,
      attendees: textsIn(this.#args.attendees),
      ...(this.timezone === undefined ? {} : { timezone: this.timezone }),
      ...(location === '' ? {} : { location }),
    }
    const text = JSON.stringify(event)
    const key = this.#idempotencyKeys.get(text) ?? randomKey()
    this.#idempotencyKeys.set(text, key)
    return { ...event, idempotency_key: key }
  }

  async #addOptional(event: string): Promise<void> {
    const attendees = textsIn(this.#args.optional_attendees)
    if (attendees.length === 0) return
    await this.#call('add_event_attendees', { event_id: event, attendees, optional: true })
  }

  #add(value: AnswerFields): void {
    this.#set({
      slots: [...this.state.slots, ...slotsIn(value)],
      nextCursor: textField(value.next_cursor),
    })
  }

  async #call(tool: string, args: AnswerFields): Promise<AnswerFields> {
    return toolValue(await this.#host.call(tool, args))
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#set({ problem: problemOf(error) })
    }
  }

  #set(change: Partial<PickerState>): void {
    this.state = { ...this.state, ...change }
    this.#onChange()
  }
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `slot-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
