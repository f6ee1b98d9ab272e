import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'

// What an editor knows of a text that others write in, too: the text of a revision, and what was typed here since. No browser
// is needed for it.

/** A change that the authority has given a revision; `edit` is what the editor that sent it calls it. */
export interface TakenStep {
  revision: number
  edit?: string | undefined
  changes: unknown
}

/** What was typed and is not confirmed: first what was sent, then what was typed since. */
export interface UnsentChanges {
  sent?: { edit: string; changes: unknown } | undefined
  typed?: unknown
}

/** Bounds of one step, below those of the server. */
const maxInserted = 80_000
const maxReplaced = 800

export class LiveText {
  #base: Text
  #revision: number
  #sent: { edit: string; changes: ChangeSet } | undefined
  #typed: ChangeSet | undefined

  constructor(base: string, revision: number, { sent, typed }: UnsentChanges = {}) {
    this.#base = Text.of(base.split('\n'))
    this.#revision = revision
    this.#sent = sent && { edit: sent.edit, changes: ChangeSet.fromJSON(sent.changes) }
    this.#typed = typed === undefined ? undefined : ChangeSet.fromJSON(typed)
  }

  /** The revision up to which everything is known. */
  get revision(): number {
    return this.#revision
  }

  /** The text of that revision. */
  get base(): string {
    return this.#base.toString()
  }

  /** The text as the editor has it. */
  get text(): string {
    const sent = this.#sent?.changes.apply(this.#base) ?? this.#base
    return (this.#typed?.apply(sent) ?? sent).toString()
  }

  /** Whether something is not confirmed. */
  get isWaiting(): boolean {
    return this.#sent !== undefined || this.#typed !== undefined
  }

  /** What is not confirmed, for keeping it. */
  get unsent(): UnsentChanges {
    return {
      sent: this.#sent && { edit: this.#sent.edit, changes: this.#sent.changes.toJSON() },
      typed: this.#typed?.toJSON(),
    }
  }

  /** Something was typed. */
  type(changes: ChangeSet): void {
    const all = this.#typed?.compose(changes) ?? changes
    this.#typed = all.empty ? undefined : all
  }

  /** Takes a step of the authority; answers by what the editor's text has to be changed. */
  take({ revision, edit, changes }: TakenStep): ChangeSet | undefined {
    if (revision <= this.#revision) return undefined
    const step = ChangeSet.fromJSON(changes)
    this.#base = step.apply(this.#base)
    this.#revision = revision
    if (edit !== undefined && edit === this.#sent?.edit) {
      this.#sent = undefined
      return undefined
    }
    return this.#over(step)
  }

  /** Maps a step over what is not confirmed, and that over the step: what was confirmed first stands first. */
  #over(step: ChangeSet): ChangeSet | undefined {
    let over = step
    if (this.#sent) {
      const { edit, changes } = this.#sent
      over = step.map(changes, true)
      this.#sent = { edit, changes: changes.map(step) }
    }
    if (this.#typed) {
      const typed = this.#typed.map(over)
      over = over.map(this.#typed, true)
      this.#typed = typed.empty ? undefined : typed
    }
    return over.empty ? undefined : over
  }

  /** What is to be sent, the same until it is confirmed; `name` gives it one. */
  next(name: () => string): { since: number; edit: string; changes: unknown } | undefined {
    if (!this.#sent && this.#typed) {
      const [first, rest] = divided(this.#typed)
      this.#sent = { edit: name(), changes: first }
      this.#typed = rest
    }
    return (
      this.#sent && {
        since: this.#revision,
        edit: this.#sent.edit,
        changes: this.#sent.changes.toJSON(),
      }
    )
  }

  /** The authority has taken what was sent, after all steps up to `revision`, which were taken here. */
  confirm(edit: string, revision: number): void {
    if (edit === this.#sent?.edit) {
      this.#base = this.#sent.changes.apply(this.#base)
      this.#sent = undefined
    }
    this.#revision = Math.max(this.#revision, revision)
  }
}

/** A change in two, where it is too large for one step. */
export function divided(changes: ChangeSet): [first: ChangeSet, rest: ChangeSet | undefined] {
  const now: ChangeSpec[] = []
  const later: ChangeSpec[] = []
  let room = maxInserted
  let shift = 0
  changes.iterChanges((...[from, to, , , inserted]) => {
    const isFull = room <= 0 || now.length >= maxReplaced
    if (isFull) {
      later.push({ from: from + shift, to: to + shift, insert: inserted })
      return
    }
    const first = inserted.length > room ? inserted.slice(0, wholeChars(inserted, room)) : inserted
    room -= inserted.length
    now.push({ from, to, insert: first })
    const rest = inserted.slice(first.length)
    shift += first.length - (to - from)
    if (rest.length > 0) later.push({ from: to + shift, insert: rest })
  }, true)
  if (later.length === 0) return [changes, undefined]
  const first = ChangeSet.of(now, changes.length)
  return [first, ChangeSet.of(later, first.newLength)]
}

/** So many characters, or one less where that parts a surrogate pair or an end of line. */
function wholeChars(text: Text, count: number): number {
  return /[\r\ud800-\udbff]/.test(text.sliceString(count - 1, count)) ? count - 1 : count
}
