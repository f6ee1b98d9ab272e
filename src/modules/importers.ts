// The thread of importers: it reads whole files for imports, in a process of its own (src/sandbox/sandbox.ts tells how to add one).

import { serveTasks } from '../sandbox/serving.ts'
import { slackMessages, slackOverview } from './chat/slack-export.ts'
import { parseTaskFile } from './tasks/import-formats.ts'

const tasks = { parseTaskFile, slackOverview, slackMessages }

export type ImportTasks = typeof tasks

serveTasks(tasks)
