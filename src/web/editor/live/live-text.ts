import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'

// Editor state of a text with several writers: the text of a revision, and what was typed here since. Needs no
// browser.

/** A change with a revision assigned by the authority; `edit` is the id given by the sending editor. */
export interface ServerStep {
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
export interface RevisionPosition {
  revision: number
  at: number
}

/** Number of steps remembered for mapping positions of earlier revisions. */
const maxRecent = 200

/** Limits of one step, below the server's: inserted characters, and replaced ranges. */
const stepLimits = { inserted: 80_000, replaced: 800 }

export class LiveText {
  #base: Text
  #revision: number
  #sent: (OwnChanges & { edit: string }) | undefined
  #typed: OwnChanges | undefined
  /** End of the last typed change, in the editor's text. */
  #typedEnd: number | undefined
  /** Recent steps, and the revision before the first of them. */
  readonly #recentSteps: { revision: number; changes: ChangeSet }[] = []
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
    const continues = this.#typed?.continues ?? this.#continuesTyped(changes)
    const composed = this.#typed?.changes.compose(changes) ?? changes
    this.#typed = composed.empty ? undefined : { changes: composed, continues }
    this.#mapTypedEnd(changes)
    changes.iterChanges((...[, , , end, inserted]) => {
      if (inserted.length > 0) this.#typedEnd = end
    }, true)
  }

  /** True if a change starts where the last typed one ends, or removes part of that end. */
  #continuesTyped(changes: ChangeSet): boolean {
    let touchesEnd = false
    changes.iterChangedRanges((...[, to]) => {
      touchesEnd ||= to === this.#typedEnd
    }, true)
    return touchesEnd
  }

  /** Maps the end of the last typed change through a change; text inserted directly after it does not belong to it. */
  #mapTypedEnd(changes: ChangeSet): void {
    if (this.#typedEnd !== undefined) this.#typedEnd = changes.mapPos(this.#typedEnd, -1)
  }

  /** Applies a step from the authority; returns the change for the editor's text. */
  receive({ revision, edit, changes }: ServerStep): ChangeSet | undefined {
    if (revision <= this.#revision) return undefined
    const step = ChangeSet.fromJSON(changes)
    this.#base = step.apply(this.#base)
    this.#revision = revision
    this.#rememberStep(step)
    if (edit !== undefined && edit === this.#sent?.edit) {
      this.#sent = undefined
      return undefined
    }
    return this.#rebase(step)
  }

  /**
   * Rebases a step and the unconfirmed changes over each other. Of insertions at the same position, the first
   * confirmed one comes first; but text that continues something typed here stays with it, so that words stay intact.
   */
  #rebase(step: ChangeSet): ChangeSet | undefined {
    let rebased = step
    if (this.#sent) {
      const { changes, continues } = this.#sent
      rebased = step.map(changes, !continues)
      this.#sent = { ...this.#sent, changes: changes.map(step, continues) }
    }
    if (this.#typed) {
      const { changes, continues } = this.#typed
      const typed = changes.map(rebased, continues)
      rebased = rebased.map(changes, !continues)
      this.#typed = typed.empty ? undefined : { changes: typed, continues }
    }
    this.#mapTypedEnd(rebased)
    return rebased.empty ? undefined : rebased
  }

  #rememberStep(changes: ChangeSet): void {
    this.#recentSteps.push({ revision: this.#revision, changes })
    if (this.#recentSteps.length > maxRecent)
      this.#recentSince = this.#recentSteps.shift()?.revision ?? this.#revision
  }

  /** Converts a position in the editor's text for others, who do not have the unconfirmed changes. */
  revisionPositionOf(position: number): RevisionPosition {
    const sentPosition = this.#typed ? this.#typed.changes.invertedDesc.mapPos(position) : position
    return {
      revision: this.#revision,
      at: this.#sent ? this.#sent.changes.invertedDesc.mapPos(sentPosition) : sentPosition,
    }
  }

  /**
   * Maps a position of a revision into the editor's text; undefined if the revision is unknown: not yet received, or
   * no longer remembered.
   */
  editorPositionOf({ revision, at }: RevisionPosition): number | undefined {
    if (revision < this.#recentSince || revision > this.#revision) return undefined
    const steps = this.#recentSteps.filter((step) => step.revision > revision)
    const allChanges = [
      ...steps.map(({ changes }) => changes),
      this.#sent?.changes,
      this.#typed?.changes,
    ]
    let position = at
    for (const changes of allChanges) {
      if (!changes) continue
      if (position > changes.length) return undefined // it belongs to another text
      position = changes.mapPos(position)
    }
    return position > this.length ? undefined : position
  }

  /** Returns the changes to send, the same until they are confirmed; `createId` returns their id. */
  nextStep(
    createId: () => string,
  ): { since: number; edit: string; changes: unknown; continues: boolean } | undefined {
    if (!this.#sent && this.#typed) {
      const [changes, rest] = splitChanges(this.#typed.changes)
      this.#sent = { edit: createId(), changes, continues: this.#typed.continues }
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
      return this.#rememberStep(changes)
    }
    this.#revision = Math.max(this.#revision, revision)
  }
}

/** Splits a change that is too large for one step. */
export function splitChanges(
  changes: ChangeSet,
  limits = stepLimits,
): [first: ChangeSet, rest: ChangeSet | undefined] {
  const firstSpecs: ChangeSpec[] = []
  const laterSpecs: ChangeSpec[] = []
  let remainingChars = limits.inserted
  let shift = 0
  changes.iterChanges((...[from, to, , , inserted]) => {
    const isFull = remainingChars <= 0 || firstSpecs.length >= limits.replaced
    if (isFull) {
      laterSpecs.push({ from: from + shift, to: to + shift, insert: inserted })
      return
    }
    const firstPart =
      inserted.length > remainingChars
        ? inserted.slice(0, safeCutLength(inserted, remainingChars))
        : inserted
    remainingChars -= inserted.length
    firstSpecs.push({ from, to, insert: firstPart })
    const restPart = inserted.slice(firstPart.length)
    shift += firstPart.length - (to - from)
    if (restPart.length > 0) laterSpecs.push({ from: to + shift, insert: restPart })
  }, true)
  if (laterSpecs.length === 0) return [changes, undefined]
  const first = ChangeSet.of(firstSpecs, changes.length)
  return [first, ChangeSet.of(laterSpecs, first.newLength)]
}

/** Returns the count, or one less if it would split a surrogate pair or an end of line. */
function safeCutLength(text: Text, count: number): number {
  return /[\r\ud800-\udbff]/.test(text.sliceString(count - 1, count)) ? count - 1 : count
}
