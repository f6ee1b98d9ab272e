import type { z } from 'zod'
import type { Actor } from '../kernel/actor.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Outside } from './jobs/job.ts'
import type { OpenQuota } from './public-pages.ts'

/**
 * Something of a module that a person does themselves, in the web app or by way of an administrator's command, and that no key is ever to
 * do: it hands over passwords, or opens what belongs to somebody elsewhere. Everything else is an operation.
 */
interface PersonActionOf<B extends z.ZodRawShape> {
  method: 'GET' | 'POST'
  /** Below /web. */
  path: string
  /** What the call log calls it, and commands find it by. */
  tool: string
  /** Its query (GET) or its JSON body (POST). */
  takes?: B
  /** Only for who has entered the password lately. */
  fresh?: true
  /** People come back to it from another site, and get a page: that site can send nothing but the address. It has to tell by itself what it believes. */
  returns?: true
  /** `returns`: a PersonPage. It may wait for the network: nothing is open while it works. */
  work(given: z.infer<z.ZodObject<B>>, visit: PersonVisit): Promise<unknown>
}

/** One of them, its types erased. */
export interface PersonAction extends Omit<PersonActionOf<z.ZodRawShape>, 'work'> {
  work(given: Record<string, unknown>, visit: PersonVisit): Promise<unknown>
}

export function personAction<B extends z.ZodRawShape = {}>(of: PersonActionOf<B>): PersonAction {
  return of as unknown as PersonAction
}

/** What such an action gets. */
export interface PersonVisit extends Outside {
  readonly actor: Actor
  readonly baseUrl: string
  /** Variables of the path. */
  readonly params: Readonly<Record<string, string>>
  /** Reads in the person's name. */
  look<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>
  /** Writes in the person's name, as a whole or not at all; recorded under the action's name. Answers when it is durable. */
  change<T>(work: (ctx: WriteContext) => Promise<T>): Promise<T>
  /** Takes one of those that the person may have, so many a minute and so many at once. @throws Refusal rate_limited */
  spend(what: string, quota: OpenQuota): void
  /** Whether it has written so, and thereby stands in the call log. */
  hasChanged(): boolean
}

/** A page for whoever came back from another site. */
export interface PersonPage {
  title: string
  text: string
  isGood: boolean
}
