import { readableName, type AnswerFields, textField } from '../shared/fields.ts'
import type { Host, ToolResult } from '../shared/host.ts'
import { type CallProblem, problemOf, toolValue } from '../shared/refusals.ts'
import {
  callPreview,
  itemIdsIn,
  invitationPreview,
  mailPreview,
  mailTools,
  type OutgoingPreview,
} from './messages.ts'

/** A pending or decided call, as get_approval returns it. */
export interface WaitingCall {
  id: string
  status: string
  tool: string
  /** Readable name of the tool. */
  title: string
  args: AnswerFields
  waitsFor: string
  askedAt: string
  expiresAt: string
  decidedAt: string | undefined
  reason: string | undefined
  result: unknown
  url: string
}

export interface ApprovalState {
  call: WaitingCall | undefined
  preview: OutgoingPreview | undefined
  problem: CallProblem | undefined
  /** Reason why the preview is unavailable. */
  previewProblem: CallProblem | undefined
  announcement: string
}

const maxTitles = 5

/**
 * A pending call: its outgoing content and the decision on it. It offers no way to decide, since the user of this view
 * need not be the owner.
 */
export class ApprovalModel {
  state: ApprovalState = {
    call: undefined,
    preview: undefined,
    problem: undefined,
    previewProblem: undefined,
    announcement: '',
  }
  readonly #host: Host
  readonly #onChange: () => void

  constructor(host: Host, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
  }

  get isWaiting(): boolean {
    return this.state.call?.status === 'pending'
  }

  /** Shows the result of the call that opened the view. */
  async loadResult(result: ToolResult): Promise<void> {
    const call = this.#parseCall(result)
    if (!call) return
    this.#set({ call, preview: this.#initialPreview(call) })
    await this.#loadPreview(call)
  }

  cancelled(): void {
    this.#set({ problem: { message: 'The approval was not read: the call was cancelled.' } })
  }

  /** Checks whether the call has been decided. */
  async refresh(): Promise<void> {
    const before = this.state.call
    if (!before || !this.#host.canCall) return
    try {
      const result = await this.#host.call('get_approval', { approval_id: before.id })
      const call = this.#parseCall(result)
      if (!call) return
      this.#set({ call, problem: undefined })
      if (call.status !== before.status) this.#announce(call)
    } catch (error) {
      this.#set({ problem: problemOf(error) })
    }
  }

  async open(): Promise<void> {
    try {
      await this.#host.openLink(this.state.call?.url ?? '')
    } catch (error) {
      this.#set({ problem: problemOf(error) })
    }
  }

  #announce({ title, id, status, reason }: WaitingCall): void {
    const outcome = status === 'released' ? 'approved' : status
    this.#set({ announcement: `It is ${outcome}.` })
    const why = reason === undefined ? '' : ` Reason: ${reason}`
    this.#host.note(`The call "${title}" (${id}) is ${outcome}.${why}`)
  }

  #parseCall(result: ToolResult): WaitingCall | undefined {
    try {
      return waitingCall(toolValue(result))
    } catch (error) {
      this.#set({ problem: problemOf(error) })
      return undefined
    }
  }

  /** Preview that needs no further call: from the result if the call was made, else from its arguments. */
  #initialPreview({ tool, args, result }: WaitingCall): OutgoingPreview {
    return mailTools.has(tool) && typeof result === 'object' && result !== null
      ? mailPreview(result as AnswerFields, args, {})
      : callPreview(args, new Map())
  }

  /** Requests the current outgoing content. Sends nothing: mails use a dry run, the rest is only read. */
  async #loadPreview(call: WaitingCall): Promise<void> {
    if (call.status !== 'pending' || !this.#host.canCall) return
    try {
      this.#set({ preview: await this.#fetchPreview(call) })
    } catch (error) {
      this.#set({ previewProblem: problemOf(error) })
    }
  }

  async #fetchPreview({ tool, args }: WaitingCall): Promise<OutgoingPreview> {
    if (mailTools.has(tool)) {
      const result = await this.#host.call(tool, { ...args, dry_run: true })
      return mailPreview(toolValue(result), args, result)
    }
    if (tool === 'send_event_invites') {
      const result = await this.#host.call('get_event', { event_id: args.event_id })
      return invitationPreview(toolValue(result), args)
    }
    return callPreview(args, await this.#titlesOf(itemIdsIn(args).slice(0, maxTitles)))
  }

  /** Titles of items by id; items that the connection cannot read keep their id as title. */
  async #titlesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const results = await Promise.all(ids.map((id) => this.#host.call('get_item', { item_id: id })))
    return new Map(
      results.flatMap((result, i) => {
        const title = result.isError ? undefined : textField(toolValue(result).title)
        const id = ids[i]
        return title === undefined || id === undefined ? [] : [[id, title] as const]
      }),
    )
  }

  #set(change: Partial<ApprovalState>): void {
    this.state = { ...this.state, ...change }
    this.#onChange()
  }
}

function waitingCall(value: AnswerFields): WaitingCall {
  const tool = textField(value.tool) ?? ''
  return {
    id: textField(value.id) ?? '',
    status: textField(value.status) ?? '',
    tool,
    title: readableName(tool),
    args: (value.arguments ?? {}) as AnswerFields,
    waitsFor: textField(value.waits_for) ?? 'its owner',
    askedAt: textField(value.asked_at) ?? '',
    expiresAt: textField(value.expires_at) ?? '',
    decidedAt: textField(value.decided_at),
    reason: textField(value.reason),
    result: value.result,
    url: textField(value.url) ?? '',
  }
}
