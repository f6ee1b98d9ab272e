import type { Module } from '../operations/module.ts'
import { accountsModule } from './accounts/index.ts'
import { activityModule } from './activity/index.ts'
import { automationsModule } from './automations/index.ts'
import { calendarModule } from './calendar/index.ts'
import { chatModule } from './chat/index.ts'
import { contactsModule } from './contacts/index.ts'
import { driveModule } from './drive/index.ts'
import { emailModule } from './email/index.ts'
import { formsModule } from './forms/index.ts'
import { goalsModule } from './goals/index.ts'
import { incidentsModule } from './incidents/index.ts'
import { knowledgeModule } from './knowledge/index.ts'
import { labelsModule } from './labels/index.ts'
import { meetingsModule } from './meetings/index.ts'
import { notificationsModule } from './notifications/index.ts'
import { pagesModule } from './pages/index.ts'
import { peopleModule } from './people/index.ts'
import { projectsModule } from './projects/index.ts'
import { systemModule } from './system/index.ts'
import { tasksModule } from './tasks/index.ts'
import { timeModule } from './time/index.ts'
import { viewsModule } from './views/index.ts'
import { webhooksModule } from './webhooks/index.ts'

/** All modules; a test detects missing operations. */
export const modules: readonly Module[] = [
  peopleModule,
  projectsModule,
  tasksModule,
  labelsModule,
  viewsModule,
  chatModule,
  pagesModule,
  meetingsModule,
  goalsModule,
  timeModule,
  notificationsModule,
  incidentsModule,
  contactsModule,
  formsModule,
  automationsModule,
  accountsModule,
  emailModule,
  calendarModule,
  driveModule,
  knowledgeModule,
  activityModule,
  webhooksModule,
  systemModule,
]
