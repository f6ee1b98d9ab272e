export interface Sizes {
  /** Repetitions of a figure measured against the floor; the median counts. */
  rounds: number
  /** Requests per repetition. */
  requests: number
  /** Tasks in the instance measured against the floor. */
  tasks: number
  /** Tasks of the office with data in every module; other sizes follow from it. */
  office: number
  /** Milliseconds for which each operation of a module is called. */
  caseMs: number
  /** Seconds of the mixed load and of the idle time after it. */
  mixed: number
  idle: number
  growth: readonly number[]
  messages: number
  pages: number
  mails: number
  entities: number
  texts: number
}

export const full: Sizes = {
  rounds: 3,
  requests: 1500,
  tasks: 10_000,
  office: 10_000,
  caseMs: 1000,
  mixed: 60,
  idle: 30,
  growth: [1_000, 10_000, 100_000, 1_000_000],
  messages: 100_000,
  pages: 10_000,
  mails: 10_000,
  entities: 100_000,
  texts: 20_000,
}

export const small: Sizes = {
  rounds: 1,
  requests: 200,
  tasks: 500,
  office: 60,
  caseMs: 150,
  mixed: 6,
  idle: 3,
  growth: [100, 1_000, 10_000],
  messages: 2_000,
  pages: 300,
  mails: 200,
  entities: 2_000,
  texts: 1_000,
}
