import { z } from 'zod'
import type { Actor } from '../kernel/actor.ts'
import type { App } from './app.ts'
import { actAsUser, readOn } from './call/index.ts'
import type { CallRequest } from './call/request.ts'
import type { PersonVisit } from './person-actions.ts'
import { Refusal } from '../kernel/refusal.ts'
import { issueText } from '../kernel/words.ts'

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
        return actAsUser(app, actor, request, work)
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
    .find((personAction) => personAction.tool === request.tool)
  if (!action) throw new Error(`Unknown action: ${request.tool}.`)
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const parsed = z.strictObject(action.takes ?? {}).safeParse(given, { error: issueText })
  if (!parsed.success)
    throw new Refusal(
      'invalid_argument',
      parsed.error.issues
        .slice(0, 5)
        .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
        .join('; '),
    )
  return action.work(parsed.data, visitOf(app, actor, request, params))
}
