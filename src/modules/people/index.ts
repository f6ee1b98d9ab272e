import type { Module } from '../../operations/module.ts'
import * as agenda from './schedule/agenda.ts'
import { personDocument } from './documents.ts'
import { handovers } from '../directory/shapes.ts'
import { handOverPerson, teamHandover } from './people/handovers.ts'
import * as me from './people/me.ts'
import * as organization from './people/organization.ts'
import * as people from './people/people.ts'
import * as profile from './people/profile.ts'
import { dailyPlan } from './prompts.ts'
import { mailInvitation } from './people/delivery.ts'
import { changeOrganization, readOrganization } from './people/settings.ts'
import * as teams from './people/teams.ts'
import * as timeOff from './schedule/time-off.ts'
import * as workload from './schedule/workload.ts'
import { peoplePresenters } from './presenters.ts'

handovers.register(teamHandover)

export const peopleModule: Module = {
  name: 'people',
  about:
    'The organization, its people and teams, time off, and your agenda. Nouns: person, team, organization, time off, agenda, workload.',
  operations: [
    me,
    profile,
    agenda,
    organization,
    people,
    workload,
    teams,
    timeOff,
    { handOverPerson },
  ].flatMap((file) => Object.values(file)),
  documents: [personDocument],
  prompts: [dailyPlan],
  endpoints: [readOrganization, changeOrganization],
  jobs: [mailInvitation],
  presenters: peoplePresenters,
}
