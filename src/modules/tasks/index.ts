import type { Module } from '../../core/module.ts'
import * as assignments from './assignments.ts'
import * as attachments from './attachments.ts'
import * as bulk from './bulk.ts'
import * as comments from './comments.ts'
import * as completions from './completions.ts'
import * as counts from './counts.ts'
import * as dependencies from './dependencies.ts'
import { taskDocument } from './documents.ts'
import { dueSoonTick } from './due-soon.ts'
import * as exports from './exports.ts'
import { endImports, importTasksJob } from './import-job.ts'
import { importTasks } from './imports.ts'
import * as moves from './moves.ts'
import { backlogGrooming, meetingToTasks } from './prompts.ts'
import { setTaskRecurrence } from './recurrences.ts'
import * as searches from './searches.ts'
import * as sources from './sources.ts'
import * as tasks from './tasks.ts'
import * as templates from './templates.ts'
import { overdueTick, repeatTick } from './ticks.ts'
import { foundTasks } from './finds.ts'

const nouns = [
  tasks,
  searches,
  counts,
  completions,
  assignments,
  moves,
  bulk,
  dependencies,
  comments,
  attachments,
  { setTaskRecurrence },
  templates,
  sources,
  { importTasks },
  exports,
]

export const tasksModule: Module = {
  name: 'tasks',
  about:
    'Tasks of projects, with fields, assignees, subtasks, dependencies, comments and recurrence. Nouns: task, dependency, comment, attachment, recurrence, task template.',
  operations: nouns.flatMap((noun) => Object.values(noun)),
  events: [
    'assigned',
    'status_changed',
    'completed',
    'reopened',
    'overdue',
    'unblocked',
    'commented',
  ].map((name) => `task.${name}`),
  documents: [taskDocument],
  prompts: [meetingToTasks, backlogGrooming],
  ticks: [repeatTick, overdueTick, dueSoonTick, endImports],
  jobs: [importTasksJob],
  finds: [foundTasks],
}
