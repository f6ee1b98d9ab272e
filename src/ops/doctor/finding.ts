import { omitNullish } from '../../kernel/present.ts'
import { quantity } from '../../kernel/text/quantity.ts'
export interface DoctorFinding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  /** Description of the finding and its meaning. */
  says: string
  /** Remedy: a command, if one helps. */
  fix?: string
  /** The database is damaged, or its disk is failing: no server should continue to use it. */
  damaged?: true
}

const maxListed = 10

/** A list of names; if there are many, the first ones and the number of others. */
export const shortenNames = (names: readonly string[]): string =>
  names.length > maxListed
    ? `${names.slice(0, maxListed).join(', ')} and ${quantity(names.length - maxListed, 'other')}`
    : names.join(', ')

/** Findings of one check, without repeating its name. */
export class DoctorFindings {
  readonly all: DoctorFinding[] = []
  readonly #check: string

  constructor(check: string) {
    this.#check = check
  }

  ok(says: string): void {
    this.all.push({ check: this.#check, state: 'ok', says })
  }

  warn(says: string, fix?: string): void {
    this.all.push(omitNullish({ check: this.#check, state: 'warn', says, fix: fix || undefined }))
  }

  fail(says: string, fix?: string): void {
    this.all.push(omitNullish({ check: this.#check, state: 'fail', says, fix: fix || undefined }))
  }

  damaged(says: string, fix: string): void {
    this.all.push({ check: this.#check, state: 'fail', says, fix, damaged: true })
  }
}
