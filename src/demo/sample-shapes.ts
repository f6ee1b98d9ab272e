// Data of `workspace demo`: a small studio and three weeks of its work. Days count from today.

export type SamplePerson = 'mia' | 'tom' | 'lena'

export interface SampleTask {
  title: string
  by: SamplePerson
  /** A status of the usual workflow; Done and Cancelled close it. */
  status?: 'Backlog' | 'To do' | 'In progress' | 'In review' | 'Done' | 'Cancelled'
  priority?: 'urgent' | 'high' | 'medium' | 'low'
  assignees?: readonly SamplePerson[]
  due?: number
  points?: number
  labels?: readonly string[]
  text?: string
  /** Title of the parent or blocking task, listed earlier. */
  parent?: string
  blockedBy?: string
  sprint?: true
  milestone?: true
  comments?: readonly (readonly [SamplePerson, string])[]
}

export interface SampleProject {
  key: string
  name: string
  about: string
  lead: SamplePerson
  members: readonly SamplePerson[]
  from: number
  to: number
  sprint?: { name: string; goal: string; from: number; to: number }
  milestone: { name: string; due: number; about: string }
  update: readonly ['on_track' | 'at_risk' | 'off_track', string]
  tasks: readonly SampleTask[]
}
