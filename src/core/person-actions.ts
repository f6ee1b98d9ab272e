import { z } from 'zod'
import type { Actor } from './actor.ts'
import type { App } from './app.ts'
import { act, readOn, type CallRequest } from './call/index.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Outside } from './jobs.ts'
import type { OpenQuota } from './open-places.ts'
import { Refusal } from './refusal.ts'
import { inWords } from './words.ts'

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

/** A visit of a person. `request`: as it is to stand in the call log. */
export function visitOf(
  app: App,
  actor: Actor,
  request: CallRequest,
  params: Record<string, string> = {},
): PersonVisit {
  const { store, keys, baseUrl } = app
  let hasChanged = false
  return {
    ...app.outside(request.tool, request.signal),
    actor,
    baseUrl,
    params,
    look: (work) => readOn(app, actor, request, work),
    async change(work) {
      const acted = await store.writer.run(() => {
        keys.recheck(actor)
        return act(app, actor, request, work)
      })
      hasChanged = true
      await acted.later()
      return acted.value
    },
    spend(what, quota) {
      const wait = app.limits.spending.spend(
        request.ip || '127.0.0.1',
        `${what} ${actor.id}`,
        quota,
      )
      if (wait > 0)
        throw new Refusal('rate_limited', 'Too many attempts.', {
          retry_after_seconds: wait,
          hint: `Wait ${wait} seconds.`,
        })
    },
    hasChanged: () => hasChanged,
  }
}

/** Does such an action as a person, for commands. What is undefined counts as left out. @throws Refusal */
export async function runPersonAction(
  app: App,
  actor: Actor,
  request: CallRequest,
  sent: Record<string, unknown>,
  params: Record<string, string> = {},
): Promise<unknown> {
  const action = app.catalogue.modules
    .flatMap((module) => module.personActions ?? [])
    .find((one) => one.tool === request.tool)
  if (!action) throw new Error(`Unknown action: ${request.tool}.`)
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const parsed = z.strictObject(action.takes ?? {}).safeParse(given, { error: inWords })
  if (!parsed.success)
    throw new Refusal(
      'invalid_argument',
      parsed.error.issues
        .slice(0, 5)
        .map((one) => `${one.path.join('.')}: ${one.message}`)
        .join('; '),
    )
  return action.work(parsed.data, visitOf(app, actor, request, params))
}
