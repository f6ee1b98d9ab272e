import type { Module } from '../../operations/module.ts'
import { createTimeEntry, deleteTimeEntry, listTimeEntries, updateTimeEntry } from './entries.ts'
import * as exports from './exports.ts'
import * as reports from './reports.ts'
import { notifyLongTimers } from './ticks.ts'
import * as timers from './timers.ts'
import { timePresenters } from './presenters.ts'

export const timeModule: Module = {
  name: 'time',
  about:
    'Time that people spend on tasks and projects, entered or timed, and reports of it. Nouns: time entry, timer, time report.',
  operations: [
    listTimeEntries,
    createTimeEntry,
    updateTimeEntry,
    deleteTimeEntry,
    ...Object.values(exports),
    ...Object.values(timers),
    ...Object.values(reports),
  ],
  events: ['timer.running_long'],
  ticks: [notifyLongTimers],
  presenters: timePresenters,
}
