import { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { assertStorableText } from '../../kernel/text/text.ts'
import { issueText } from '../../kernel/words.ts'
import type { ReadContext, WriteContext } from '../context.ts'
import { invalidInput } from '../invalid-input.ts'
import type { Outside } from '../jobs/job.ts'
import type { OpenQuota } from '../public-pages.ts'

/**
 * Callers of an endpoint: someone signed in, someone who confirmed their password or passkey within 15 minutes, or
 * anyone.
 */
export type Audience = 'person' | 'recent-person' | 'anyone'
export type SignedInAudience = Exclude<Audience, 'anyone'>

interface EndpointInfo<A extends Audience = Audience> {
  for: A
  method: 'GET' | 'POST'
  /** Path below /web: `/web/sessions/:id/revoke`. */
  path: string
  /** Its name in the call log, and for commands. */
  name: string
  /** Description of its effect and answer, for docs/web-api.md: Markdown, one paragraph. */
  about: string
  /**
   * People return to it from another site and get a page (PageAnswer). That site controls the whole query, so the
   * endpoint must verify that it issued each value itself.
   */
  fromOtherSite?: true
  /**
   * The endpoint logs itself. `success`: in its transaction, while the dispatcher logs refusals. `always`: it only
   * reads, with `readAsUser` or `readScreen`, which log refusals as well. `never`: it is called every few seconds and
   * neither reads nor changes stored data. Default: the dispatcher writes all entries.
   */
  logsItself?: 'success' | 'always' | 'never'
  /** Returns a LineReply, and does not answer HEAD. `output` is the type of a line. */
  streamsLines?: true
}

/**
 * An action of a person in a browser that is not an operation and not available to keys: it handles passwords, sessions
 * or keys, or opens accounts elsewhere. Everything else is an operation.
 * opens accounts elsewhere. Everything else is an operation.
 */
export interface EndpointDefinition<
  A extends Audience,
  I extends z.ZodRawShape,
  O extends z.ZodType,
  R,
> extends EndpointInfo<A> {
  /** Its query (GET) or its JSON body (POST). Default: none. */
  input?: I
  /** The value of the response; the web app derives its type from it. */
  output: O
  /** Runs without an open transaction, so it may wait for the network. @throws Refusal */
  handle(
    input: z.infer<z.ZodObject<I>>,
    request: R,
  ): Promise<z.input<O> | EndpointReply<z.input<O>> | LineReply>
}

/** An endpoint with erased input and output types. */
export interface Endpoint<A extends Audience, R> extends EndpointInfo<A> {
  input: z.ZodRawShape
  output: z.ZodType
  handle(input: Record<string, unknown>, request: R): Promise<unknown>
}

export type ModuleEndpoint = Endpoint<SignedInAudience, PersonRequest>

/** An endpoint of a module. */
export function endpoint<
  A extends SignedInAudience,
  O extends z.ZodType,
  I extends z.ZodRawShape = Record<never, never>,
>(definition: EndpointDefinition<A, I, O, PersonRequest>): ModuleEndpoint {
  return eraseTypes(definition)
}

/** The endpoint with erased input and output types; `parseInput` checks the input at run time. */
export function eraseTypes<A extends Audience, I extends z.ZodRawShape, O extends z.ZodType, R>(
  definition: EndpointDefinition<A, I, O, R>,
): Endpoint<A, R> {
  return { input: {}, ...definition } as Endpoint<A, R>
}

/** A response with a status or headers besides its value. */
export class EndpointReply<T = unknown> {
  readonly value: T
  /** Default 200. */
  readonly status: number | undefined
  readonly headers: readonly (readonly [string, string])[]

  constructor(
    value: T,
    more: { status?: number; headers?: readonly (readonly [string, string])[] } = {},
  ) {
    this.value = value
    this.status = more.status
    this.headers = more.headers ?? []
  }
}

/** A response that streams lines of JSON as they are produced. It ends early if the iterator throws. */
export class LineReply {
  readonly lines: AsyncIterable<string>

  constructor(lines: AsyncIterable<string>) {
    this.lines = lines
  }
}

/** The page that people see when they return from another site. */
export const PageAnswer = z.strictObject({
  title: z.string(),
  text: z.string(),
  isGood: z.boolean(),
})
export type PageAnswer = z.infer<typeof PageAnswer>

/** Request of a person, as passed to an endpoint. */
export interface PersonRequest extends Outside {
  readonly actor: Actor
  readonly baseUrl: string
  /** Path variables. */
  readonly params: Readonly<Record<string, string>>
  /** Reads as the person. */
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>
  /**
   * Writes as the person, all or nothing, and resolves once durable. The call is logged under the name of the
   * endpoint, with `args` as its arguments.
   */
  change<T>(
    work: (ctx: WriteContext) => Promise<T>,
    args?: Readonly<Record<string, unknown>>,
  ): Promise<T>
  /** Uses one unit of the person's quota for `what`. @throws Refusal rate_limited */
  spend(what: string, quota: OpenQuota): void
  /** Makes no entry in the call log, for calls that repeat often and were logged once. */
  skipLog(): void
  /** @throws Refusal live_key_in_content if a text contains a working key */
  refuseKeys(texts: Readonly<Record<string, string>>): Promise<void>
  /** True if the call log already has an entry for this request; `change` adds one if anything changed. */
  isLogged(): boolean
}

/** Parses the input of an endpoint. @throws Refusal invalid_argument */
export function parseInput(
  { input, fromOtherSite }: Pick<Endpoint<Audience, never>, 'input' | 'fromOtherSite'>,
  sent: unknown,
): Record<string, unknown> {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent))
    throw new Refusal('invalid_argument', 'The body must be a JSON object.')
  assertStorableText(sent)
  const schema = fromOtherSite ? z.object(input) : z.strictObject(input)
  const parsed = schema.safeParse(sent, { error: issueText })
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error.issues, {
    hintForUnknown: () => `It takes ${Object.keys(input).join(', ') || 'nothing'}.`,
  })
}
