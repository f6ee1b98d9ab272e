// `workspace demo --serve --busy`: assistants that work in the background, each with its own key and connection.

import { setTimeout as wait } from 'node:timers/promises'
import { seededDice } from '../dice.ts'
import type { Who } from '../sample-shapes.ts'
import { newAssistant, type Act, type Assistant, type Call } from './assistant.ts'
import { followChannel, reportStatus } from './chat.ts'
import { askToPublish, keepPage } from './pages.ts'
import { commentTask, estimateTask, moveTask, workDelegated } from './tasks.ts'

export interface BusyAssistant {
  name: string
  person: Who
  /** Whether its outbound messages wait for the owner's approval. */
  holdOutbound: boolean
  /** Acts to choose from by the dice; one listed twice is chosen twice as often. */
  acts: readonly Act[]
}

export const busyAssistants: readonly BusyAssistant[] = [
  {
    name: 'Sprint helper',
    person: 'mia',
    holdOutbound: true,
    acts: [
      moveTask('WEB'),
      moveTask('WEB'),
      commentTask('WEB'),
      reportStatus('WEB', '#website'),
      askToPublish('Handbook', '#website'),
    ],
  },
  {
    name: 'Trial notes',
    person: 'tom',
    holdOutbound: true,
    acts: [
      moveTask('APP'),
      commentTask('APP'),
      estimateTask('APP'),
      keepPage('Notes for the trial', 'APP'),
      followChannel('#website'),
      followChannel('#booking-app'),
    ],
  },
]

/** Actions after which the assistants stop: about an hour at the usual pace. */
const maxActs = 600
/** Consecutive failures before an assistant gives up. */
const maxFailures = 20

export interface BusyRun {
  /** Assistants at work, each with its connection. */
  staff: readonly { assistant: BusyAssistant; call: Call }[]
  seed: number
  /** Milliseconds between actions, varied randomly by half. */
  paceMs: number
  signal: AbortSignal
  /** Reports an action or its failure. */
  tell: (name: string, what: string) => void
}

/**
 * Lets the assistants act in random order until they have done enough or the signal aborts. The same seed gives the
 * same actions, unless others intervene.
 * @returns the number of actions
 */
export async function keepBusy({
  staff: hired,
  seed,
  paceMs,
  signal,
  tell,
}: BusyRun): Promise<number> {
  const dice = seededDice(seed)
  let staff = hired.map(({ assistant, call }) => ({
    of: assistant,
    self: newAssistant(call, dice),
    failures: 0,
  }))
  let acts = 0
  while (acts < maxActs) {
    const pause = paceMs / 2 + (paceMs * dice(1000)) / 1000
    if (!(await waited(pause, signal))) return acts
    const turn = staff[dice(Math.max(1, staff.length))]
    if (!turn) break
    try {
      const done = await actOnce(turn.self, turn.of.acts)
      turn.failures = 0
      if (done !== undefined) tell(turn.of.name, done)
    } catch (error) {
      if (signal.aborted) return acts
      tell(turn.of.name, `was refused: ${(error as Error).message}`)
      if (++turn.failures >= maxFailures) staff = staff.filter((other) => other !== turn)
    }
    acts++
  }
  return acts
}

/** Performs the act that it was given; else, starting at a random point, the first of its acts that has work to do. */
async function actOnce(self: Assistant, acts: readonly Act[]): Promise<string | undefined> {
  const first = self.dice(acts.length)
  for (const act of [workDelegated, ...acts.slice(first), ...acts.slice(0, first)]) {
    const done = await act(self)
    if (done !== undefined) return done
  }
  return undefined
}

/** Waits; false if the signal aborts. */
function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal }).catch(() => false)
}
