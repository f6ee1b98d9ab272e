import type { TaskGroup } from '../list/arrange.ts'

/** A line of the timeline: the head of a group, or a task by its id. */
export type TimelineLine = { group: TaskGroup } | { id: string }
