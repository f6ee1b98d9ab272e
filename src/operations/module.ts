import type { Document } from './documents.ts'
import type { Snapshot } from './listing/snapshots.ts'
import type { CallFeed, EventFeed, PersonStream } from './event-feed.ts'
import type { Searchable } from './search/searchable.ts'
import type { JobKind } from './jobs/job.ts'
import type { Schedule } from '../kernel/job-options.ts'
import type { OpenPlace } from './public-pages.ts'
import type { Operation } from './any-operation.ts'
import type { ModuleEndpoint } from './endpoints/endpoint.ts'
import type { Presenter } from './entry.ts'
import type { Prompt } from './prompts.ts'
import type { Tick } from './jobs/tick.ts'
import type { Watch } from './jobs/watch.ts'

/** A module: what it is for, and its operations in the order of the documentation. */
export interface Module {
  name: string
  about: string
  operations: readonly Operation[]
  /** Its items that assistants may read whole, as MCP resources. */
  documents?: readonly Document[]
  /** MCP prompts that people can request by name. */
  prompts?: readonly Prompt[]
  /** Tells of changes to those who follow the workspace; one module does. */
  feed?: EventFeed
  /** Tells of calls to those who follow the call log; one module does. */
  callFeed?: CallFeed
  /** Its items that a screen may load all at once. */
  snapshots?: readonly Snapshot[]
  presenters?: readonly Presenter[]
  /** Its items that the one search finds. */
  searchables?: readonly Searchable[]
  /** Public pages, readable without a key. */
  places?: readonly OpenPlace[]
  /** Actions of people in the web app that are closed to keys. */
  endpoints?: readonly ModuleEndpoint[]
  /** Streams that the web app follows besides the events of the workspace. */
  streams?: readonly PersonStream[]
  /** Names of events that its items have besides created, updated, deleted and restored. */
  events?: readonly string[]
  /** Work that comes due by itself (dates that pass, rows that expire); run about once a minute, in bounded pieces. */
  ticks?: readonly Tick[]
  /** Work that outlives a request, is tried again where it fails, and may wait for the network. */
  jobs?: readonly JobKind[]
  /** When such work comes up by itself. */
  schedules?: readonly Schedule[]
  /** Background work that lasts as long as the server. */
  watches?: readonly Watch[]
}
