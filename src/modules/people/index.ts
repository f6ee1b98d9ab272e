import type { Module } from '../../core/module.ts'
import * as agenda from './agenda.ts'
import { personDocument } from './documents.ts'
import * as me from './me.ts'
import * as organization from './organization.ts'
import * as people from './people.ts'
import * as profile from './profile.ts'
import { dailyPlan } from './prompts.ts'
import { mailInvitation } from './sendings.ts'
import { changeOrganization, readOrganization } from './settings.ts'
import * as teams from './teams.ts'
import * as timeOff from './time-off.ts'
import * as workload from './workload.ts'

export const peopleModule: Module = {
  name: 'people',
  about:
    'The organization, its people and teams, time off, and your agenda. Nouns: person, team, organization, time off, agenda, workload.',
  operations: [me, profile, agenda, organization, people, workload, teams, timeOff].flatMap(
    (file) => Object.values(file),
  ),
  documents: [personDocument],
  prompts: [dailyPlan],
  personActions: [readOrganization, changeOrganization],
  jobs: [mailInvitation],
}
