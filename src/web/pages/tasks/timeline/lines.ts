import type { TaskGroup } from '../list/arrange.ts'

/** A line of the timeline: a group header, or a task by id. */
export type TimelineLine = { group: TaskGroup } | { id: string }
