import type { Module } from '../core/operation.ts'
import { activityModule } from './activity/index.ts'
import { chatModule } from './chat/index.ts'
import { goalsModule } from './goals/index.ts'
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

/** Every module, written out; a test finds any operation that is left out. */
export const modules: readonly Module[] = [peopleModule, projectsModule, tasksModule, labelsModule, viewsModule, chatModule, pagesModule, meetingsModule, goalsModule, timeModule, notificationsModule, activityModule, webhooksModule, systemModule]
