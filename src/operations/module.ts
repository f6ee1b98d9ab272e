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

/** A module: its purpose, and its operations in the order of the documentation. */
export interface Module {
  name: string
  about: string
  operations: readonly Operation[]
  /** Items that assistants can read as a whole, as MCP resources. */
  documents?: readonly Document[]
  /** MCP prompts that people can request by name. */
  prompts?: readonly Prompt[]
  /** Reports changes to subscribers of the workspace; exactly one module does. */
  feed?: EventFeed
  /** Reports calls to subscribers of the call log; exactly one module does. */
  callFeed?: CallFeed
  /** Items that a page can load all at once. */
  snapshots?: readonly Snapshot[]
  presenters?: readonly Presenter[]
  /** Items included in the global search. */
  searchables?: readonly Searchable[]
  /** Public pages, readable without a key. */
  places?: readonly OpenPlace[]
  /** Actions of people in the web app that are closed to keys. */
  endpoints?: readonly ModuleEndpoint[]
  /** Streams that the web app follows besides the events of the workspace. */
  streams?: readonly PersonStream[]
  /** Event names of its items besides created, updated, deleted and restored. */
  events?: readonly string[]
  /** Time-based work (dates that pass, rows that expire); run about once a minute, in limited batches. */
  ticks?: readonly Tick[]
  /** Work that outlives a request, is retried on failure, and may wait for the network. */
  jobs?: readonly JobKind[]
  /** Schedules of such work. */
  schedules?: readonly Schedule[]
  /** Background work that lasts as long as the server. */
  watches?: readonly Watch[]
}
