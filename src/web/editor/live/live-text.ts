import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'

// Editor state of a text with several writers: the text of a revision, and what was typed here since. Needs no
// browser.

/** A change with a revision assigned by the authority; `edit` is the id given by the sending editor. */
export interface TakenStep {
  revision: number
  edit?: string | undefined
  changes: unknown
}

/** Unconfirmed changes: those already sent, then those typed since. */
export interface UnsentChanges {
  sent?: { edit: string; changes: unknown; continues?: boolean } | undefined
  typed?: unknown
}

/**
 * A change; `continues`: it continues the last one typed here, and stays attached to it if others write at the same
 * position.
 */
interface OwnChanges {
  changes: ChangeSet
  continues: boolean
}

/** A position in the text of a revision. */
export interface PlaceAt {
  revision: number
  at: number
}

/** Number of steps remembered for mapping positions of earlier revisions. */
const maxRecent = 200

/** Limits of one step, below the server's: inserted characters, and replaced ranges. */
const stepMost = { inserted: 80_000, replaced: 800 }

export class LiveText {
  #base: Text
  #revision: number
  #sent: (OwnChanges & { edit: string }) | undefined
  #typed: OwnChanges | undefined
  /** End of the last typed change, in the editor's text. */
  #end: number | undefined
  /** Recent steps, and the revision before the first of them. */
  readonly #recent: { revision: number; changes: ChangeSet }[] = []
  #recentSince: number

  constructor(base: string, revision: number, { sent, typed }: UnsentChanges = {}) {
    this.#base = Text.of(base.split('\n'))
    this.#revision = revision
    this.#recentSince = revision
    this.#sent = sent && {
      edit: sent.edit,
      changes: ChangeSet.fromJSON(sent.changes),
      continues: sent.continues === true,
    }
    this.#typed =
      typed === undefined ? undefined : { changes: ChangeSet.fromJSON(typed), continues: false }
  }

  /** The last known revision. */
  get revision(): number {
    return this.#revision
  }

  /** The text of that revision. */
  get base(): string {
    return this.#base.toString()
  }

  /** The current text of the editor. */
  get text(): string {
    const sent = this.#sent?.changes.apply(this.#base) ?? this.#base
    return (this.#typed?.changes.apply(sent) ?? sent).toString()
  }

  /** Length of the editor's text, in UTF-16 code units. */
  get length(): number {
    return this.#typed?.changes.newLength ?? this.#sent?.changes.newLength ?? this.#base.length
  }

  /** True if there are unconfirmed changes. */
  get isWaiting(): boolean {
    return this.#sent !== undefined || this.#typed !== undefined
  }

  /** Unconfirmed changes, for storing them. */
  get unsent(): UnsentChanges {
    return {
      sent: this.#sent && { ...this.#sent, changes: this.#sent.changes.toJSON() },
      typed: this.#typed?.changes.toJSON(),
    }
  }

  /** Applies a local edit. */
  type(changes: ChangeSet): void {
    const continues = this.#typed?.continues ?? this.#goesOn(changes)
    const all = this.#typed?.changes.compose(changes) ?? changes
    this.#typed = all.empty ? undefined : { changes: all, continues }
    this.#follow(changes)
    changes.iterChanges((...[, , , end, inserted]) => {
      if (inserted.length > 0) this.#end = end
    }, true)
  }

  /** True if a change starts where the last typed one ends, or removes part of that end. */
  #goesOn(changes: ChangeSet): boolean {
    let isThere = false
    changes.iterChangedRanges((...[, until]) => {
      isThere ||= until === this.#end
    }, true)
    return isThere
  }

  /** Maps the end of the last typed change through a change; text inserted directly after it does not belong to it. */
  #follow(changes: ChangeSet): void {
    if (this.#end !== undefined) this.#end = changes.mapPos(this.#end, -1)
  }

  /** Applies a step from the authority; returns the change for the editor's text. */
  take({ revision, edit, changes }: TakenStep): ChangeSet | undefined {
    if (revision <= this.#revision) return undefined
    const step = ChangeSet.fromJSON(changes)
    this.#base = step.apply(this.#base)
    this.#revision = revision
    this.#remember(step)
    if (edit !== undefined && edit === this.#sent?.edit) {
      this.#sent = undefined
      return undefined
    }
    return this.#over(step)
  }

  /**
   * Rebases a step and the unconfirmed changes over each other. Of insertions at the same position, the first
   * confirmed one comes first; but text that continues something typed here stays with it, so that words stay intact.
   */
  #over(step: ChangeSet): ChangeSet | undefined {
    let over = step
    if (this.#sent) {
      const { changes, continues } = this.#sent
      over = step.map(changes, !continues)
      this.#sent = { ...this.#sent, changes: changes.map(step, continues) }
    }
    if (this.#typed) {
      const { changes, continues } = this.#typed
      const typed = changes.map(over, continues)
      over = over.map(changes, !continues)
      this.#typed = typed.empty ? undefined : { changes: typed, continues }
    }
    this.#follow(over)
    return over.empty ? undefined : over
  }

  #remember(changes: ChangeSet): void {
    this.#recent.push({ revision: this.#revision, changes })
    if (this.#recent.length > maxRecent)
      this.#recentSince = this.#recent.shift()?.revision ?? this.#revision
  }

  /** Converts a position in the editor's text for others, who do not have the unconfirmed changes. */
  placeOf(position: number): PlaceAt {
    const sent = this.#typed ? this.#typed.changes.invertedDesc.mapPos(position) : position
    return {
      revision: this.#revision,
      at: this.#sent ? this.#sent.changes.invertedDesc.mapPos(sent) : sent,
    }
  }

  /**
   * Maps a position of a revision into the editor's text; undefined if the revision is unknown: not yet received, or
   * no longer remembered.
   */
  positionOf({ revision, at }: PlaceAt): number | undefined {
    if (revision < this.#recentSince || revision > this.#revision) return undefined
    const steps = this.#recent.filter((step) => step.revision > revision)
    const all = [...steps.map(({ changes }) => changes), this.#sent?.changes, this.#typed?.changes]
    let position = at
    for (const changes of all) {
      if (!changes) continue
      if (position > changes.length) return undefined // of another text
      position = changes.mapPos(position)
    }
    return position > this.length ? undefined : position
  }

  /** Returns the changes to send, the same until they are confirmed; `name` gives them a name. */
  next(
    name: () => string,
  ): { since: number; edit: string; changes: unknown; continues: boolean } | undefined {
    if (!this.#sent && this.#typed) {
      const [changes, rest] = divided(this.#typed.changes)
      this.#sent = { edit: name(), changes, continues: this.#typed.continues }
      this.#typed = rest && { changes: rest, continues: true }
    }
    return (
      this.#sent && {
        since: this.#revision,
        ...this.#sent,
        changes: this.#sent.changes.toJSON(),
      }
    )
  }

  /** Confirms the sent change, after all steps up to `revision`, which have been applied here. */
  confirm(edit: string, revision: number): void {
    if (edit === this.#sent?.edit) {
      const { changes } = this.#sent
      this.#base = changes.apply(this.#base)
      this.#sent = undefined
      this.#revision = Math.max(this.#revision, revision)
      return this.#remember(changes)
    }
    this.#revision = Math.max(this.#revision, revision)
  }
}

/** Splits a change that is too large for one step. */
export function divided(
  changes: ChangeSet,
  limits = stepMost,
): [first: ChangeSet, rest: ChangeSet | undefined] {
  const now: ChangeSpec[] = []
  const later: ChangeSpec[] = []
  let room = limits.inserted
  let shift = 0
  changes.iterChanges((...[from, to, , , inserted]) => {
    const isFull = room <= 0 || now.length >= limits.replaced
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

/** Returns the count, or one less if it would split a surrogate pair or an end of line. */
function wholeChars(text: Text, count: number): number {
  return /[\r\ud800-\udbff]/.test(text.sliceString(count - 1, count)) ? count - 1 : count
}
