import type { Module } from '../../operations/module.ts'
import * as checkins from './goals/checkins.ts'
import { goalDocument } from './documents.ts'
import { searchableGoals } from './searchable.ts'
import { countKeyResults } from './key-results/recounts.ts'
import * as goals from './goals/goals.ts'
import * as keyResults from './key-results/key-results.ts'
import { watchGoals } from './goals/risks.ts'
import { goalsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { goalHandovers } from './handover.ts'

for (const handover of goalHandovers) handovers.register(handover)

export const goalsModule: Module = {
  name: 'goals',
  about:
    'Goals of the organization, teams and people, with key results. Nouns: goal, key result, check-in.',
  operations: [goals, keyResults, checkins].flatMap((noun) => Object.values(noun)),
  events: ['goal.checked_in', 'goal.at_risk', 'key_result.reached'],
  documents: [goalDocument],
  searchables: [searchableGoals],
  ticks: [countKeyResults, watchGoals],
  presenters: goalsPresenters,
}
