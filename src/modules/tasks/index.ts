import type { Module } from '../../operations/module.ts'
import { taskSnapshot } from './lists/snapshot.ts'
import * as assignments from './tasks/assignments.ts'
import * as attachments from './tasks/attachments.ts'
import * as bulk from './tasks/bulk.ts'
import * as comments from './tasks/comments.ts'
import * as completions from './tasks/completions.ts'
import * as counts from './lists/counts.ts'
import * as dependencies from './dependencies/dependencies.ts'
import { taskDocument } from './documents.ts'
import { dueSoonTick } from './lists/due-soon.ts'
import * as exports from './lists/exports.ts'
import { endTaskImportsTick, importTasksJob } from './imports/jobs.ts'
import { importTasks } from './imports/imports.ts'
import * as moves from './tasks/moves.ts'
import { backlogGrooming, meetingToTasks } from './prompts.ts'
import { setTaskRecurrence } from './tasks/recurrences.ts'
import * as searches from './search.ts'
import * as sources from './tasks/sources.ts'
import * as tasks from './tasks/tasks.ts'
import * as instantiation from './templates/instantiation.ts'
import * as templates from './templates/templates.ts'
import { overdueTick, repeatTick } from './ticks.ts'
import { searchableTasks } from './searchable.ts'
import { tasksPresenters } from './presenters.ts'

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
  instantiation,
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
  ticks: [repeatTick, overdueTick, dueSoonTick, endTaskImportsTick],
  jobs: [importTasksJob],
  searchables: [searchableTasks],
  snapshots: [taskSnapshot],
  presenters: tasksPresenters,
}
