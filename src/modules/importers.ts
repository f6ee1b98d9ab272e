// The thread of importers: it reads whole files for imports, in a process of its own (src/sandbox/sandbox.ts tells how to add one).

import { serveTasks } from '../sandbox/serving.ts'

const tasks = {}

export type ImportTasks = typeof tasks

serveTasks(tasks)
