// `workspace demo --serve --busy`: assistants that work in the background, each with its own key and connection.

import { setTimeout as wait } from 'node:timers/promises'
import { seededDice } from '../dice.ts'
import type { SamplePerson } from '../sample-shapes.ts'
import { newAssistant, type Action, type Assistant, type Call } from './assistant.ts'
import { followChannel, reportStatus } from './chat.ts'
import { askToPublish, updateStatusSection } from './pages.ts'
import { commentTask, estimateTask, moveTask, workDelegated } from './tasks.ts'

export interface BusyAssistant {
  name: string
  person: SamplePerson
  /** Whether its outbound messages wait for the owner's approval. */
  holdOutbound: boolean
  /** Actions from which one is chosen at random; one listed twice is chosen twice as often. */
  actions: readonly Action[]
}

export const busyAssistants: readonly BusyAssistant[] = [
  {
    name: 'Sprint helper',
    person: 'mia',
    holdOutbound: true,
    actions: [
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
    actions: [
      moveTask('APP'),
      commentTask('APP'),
      estimateTask('APP'),
      updateStatusSection('Notes for the trial', 'APP'),
      followChannel('#website'),
      followChannel('#booking-app'),
    ],
  },
]

/** Actions after which the assistants stop: about an hour at the usual pace. */
const maxActions = 600
/** Consecutive failures before an assistant gives up. */
const maxFailures = 20

export interface BusyRun {
  /** Assistants at work, each with its connection. */
  assistants: readonly { assistant: BusyAssistant; call: Call }[]
  seed: number
  /** Milliseconds between actions, varied randomly by half. */
  paceMs: number
  signal: AbortSignal
  /** Reports an action or its failure. */
  report: (name: string, what: string) => void
}

/**
 * Lets the assistants act in random order until they have done enough or the signal aborts. The same seed gives the
 * same actions, unless others intervene.
 * @returns the number of actions
 */
export async function runAssistants({
  assistants: connected,
  seed,
  paceMs,
  signal,
  report,
}: BusyRun): Promise<number> {
  const dice = seededDice(seed)
  let workers = connected.map(({ assistant, call }) => ({
    definition: assistant,
    self: newAssistant(call, dice),
    failures: 0,
  }))
  let actionCount = 0
  while (actionCount < maxActions) {
    const pause = paceMs / 2 + (paceMs * dice(1000)) / 1000
    if (!(await waitUnlessAborted(pause, signal))) return actionCount
    const worker = workers[dice(Math.max(1, workers.length))]
    if (!worker) break
    try {
      const done = await actOnce(worker.self, worker.definition.actions)
      worker.failures = 0
      if (done !== undefined) report(worker.definition.name, done)
    } catch (error) {
      if (signal.aborted) return actionCount
      report(worker.definition.name, `failed: ${(error as Error).message}`)
      if (++worker.failures >= maxFailures) workers = workers.filter((other) => other !== worker)
    }
    actionCount++
  }
  return actionCount
}

/** Works on a delegated task, if any; else performs the first action, from a random one on, that has work to do. */
async function actOnce(self: Assistant, actions: readonly Action[]): Promise<string | undefined> {
  const first = self.dice(actions.length)
  for (const act of [workDelegated, ...actions.slice(first), ...actions.slice(0, first)]) {
    const done = await act(self)
    if (done !== undefined) return done
  }
  return undefined
}

/** Waits; false if the signal aborts. */
function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return wait(ms, true, { signal }).catch(() => false)
}
