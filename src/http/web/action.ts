import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ActFrom } from '../../audit/act.ts'
import type { App } from '../../operations/app.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { scanText } from '../../kernel/text/text.ts'
import { issueText } from '../../kernel/words.ts'
import type { Sessions, Signed } from '../../identity/sessions.ts'
import type { SignIns } from '../../identity/sign-in.ts'
import type { HeaderList } from '../transport/answers.ts'
import type { Incoming } from '../transport/request-info.ts'

/** What the actions of the web app stand on. */
export interface House {
  app: App
  sessions: Sessions
  signIns: SignIns
}

/** One request for an action. */
export interface Visit extends House {
  incoming: Incoming
  /** For the call log. */
  from: ActFrom
  /** Variables of the path. */
  params: Record<string, string>
}

export interface ActionResult {
  value: unknown
  status?: number
  headers?: HeaderList
  /** It has made its entry in the call log itself. */
  isRecorded?: boolean
  /** In place of JSON: a page for whoever came back from another site. */
  show?: (incoming: Incoming) => Response
}

interface ActionOf<V, B extends z.ZodRawShape> {
  method: 'GET' | 'POST'
  path: string
  /** What the call log calls it. */
  tool: string
  /** Its query (GET) or its JSON body (POST). */
  takes?: B
  /** Only for who has entered the password lately. */
  fresh?: true
  /** People come back to it from another site, by a link: nothing but its address is believed, and that by what the action knows itself. */
  returns?: true
  /** It has its own entry in the call log, in the transaction of what it does; of the others one is made. */
  records?: true
  work(visit: V, given: z.infer<z.ZodObject<B>>): Promise<ActionResult>
}

/** Something that the web app can do besides calling operations, its types erased. */
export interface Action extends Omit<ActionOf<never, z.ZodRawShape>, 'work'> {
  /** Whether it takes somebody who is signed in. */
  isOpen: boolean
  work(
    visit: Visit & { signed: Signed | undefined },
    given: Record<string, unknown>,
  ): Promise<ActionResult>
}

/** An action of whoever is signed in. */
export function action<B extends z.ZodRawShape = {}>(
  of: ActionOf<Visit & { signed: Signed }, B>,
): Action {
  return { ...of, isOpen: false } as unknown as Action
}

/** An action of everybody. */
export function openAction<B extends z.ZodRawShape = {}>(
  of: ActionOf<Visit & { signed: Signed | undefined }, B>,
): Action {
  return { ...of, isOpen: true } as unknown as Action
}

/** What was sent to an action. @throws Refusal invalid_argument */
export function given(
  { takes = {}, returns }: Pick<Action, 'takes' | 'returns'>,
  sent: unknown,
): Record<string, unknown> {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent))
    throw new Refusal('invalid_argument', 'The body must be a JSON object.')
  scanText(sent)
  const parsed = (returns ? z.object(takes) : z.strictObject(takes)).safeParse(sent, {
    error: issueText,
  })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues
    .slice(0, 20)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, 20)
            .map((path) => ({ path: path.slice(0, 80), message: 'unknown argument' }))
        : [{ path: issue.path.join('.'), message: issue.message }],
    )
  const field = errors[0]?.path
  const takesWhat = Object.keys(takes).join(', ') || 'nothing'
  throw new Refusal(
    'invalid_argument',
    `${errors
      .slice(0, 5)
      .map((error) => (error.path ? `${error.path}: ${error.message}` : error.message))
      .join('; ')}.`,
    present({
      field: field || undefined,
      errors,
      hint: parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys')
        ? `It takes ${takesWhat}.`
        : undefined,
    }),
  )
}
