import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../testing/properties.ts'
import { makeWorkspace, type TestWorkspace } from '../testing/harness.ts'
import { OAuthError } from './errors.ts'
import { grantByCode, grantByRefresh } from './grants.ts'
import { revokeByToken } from './revocation.ts'
import { allowProgram, type AllowedProgram } from './testing.ts'

// Random sequences of codes and tokens, against a model of RFC 6749, RFC 9700 and the grace period for lost answers.

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

const second = 1000
/** The grace period of a program whose redirect address is on the web. */
const graceMs = 120 * second
const codeLifetimeMs = 60 * second
const codeRepeatGraceMs = 10 * second

type Step =
  | { act: 'exchange'; isVerified: boolean }
  | { act: 'refresh'; tokenIndex: number }
  | { act: 'wait'; seconds: number }
  | { act: 'revoke' }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant('exchange' as const),
        isVerified: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ act: fc.constant('refresh' as const), tokenIndex: fc.nat(3) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('wait' as const),
        seconds: fc.constantFrom(1, 9, 11, 59, 61, 119, 121),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ act: 'revoke' as const }) },
  ),
  { minLength: 1, maxLength: 14 },
)

/** Model of the endpoint's state for one connection. */
class Model {
  isEnded = false
  codeUsedAt: number | undefined
  /** Refresh tokens in order of issue, with the time of their replacement. */
  readonly tokens: { text: string; replacedAt: number | undefined }[] = []
  readonly #startedAt: number

  constructor(now: number) {
    this.#startedAt = now
  }

  /** True if the code is exchanged for tokens; a refusal may end the connection. */
  exchange(now: number, isVerified: boolean): boolean {
    if (this.isEnded) return false
    if (this.codeUsedAt !== undefined) {
      this.isEnded = !isVerified || now - this.codeUsedAt > codeRepeatGraceMs
      return false
    }
    if (!isVerified || now - this.#startedAt >= codeLifetimeMs) return false
    this.codeUsedAt = now
    return true
  }

  /** Expected result of a refresh: a new successor, the newest existing one, or nothing. */
  refresh(now: number, tokenIndex: number): 'new' | 'newest' | undefined {
    const token = this.tokens[tokenIndex]
    if (!token || this.isEnded) return undefined
    if (token.replacedAt === undefined) {
      token.replacedAt = now
      return 'new'
    }
    if (now - token.replacedAt <= graceMs) return 'newest'
    this.isEnded = true
    return undefined
  }
}

test('codes and refresh tokens in any order: each is accepted if valid, and late reuse ends the connection', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (order) => {
      const { app, clock, bob } = workspace
      const redirectUri = `https://hosted.example/${Math.random()}`
      const context = { app, clock, issuer: 'http://workspace.test' }
      const program = await allowProgram(context, bob, { redirectUri })
      const model = new Model(clock.now())
      for (const step of order) await applyStep(step, program, model)
      assert.equal(await isLive(program), !model.isEnded)
    }),
    { numRuns: 40 },
  )
})

async function applyStep(step: Step, program: AllowedProgram, model: Model): Promise<void> {
  const { app, clock } = workspace
  if (step.act === 'wait') return clock.wait(step.seconds * second)
  if (step.act === 'revoke') {
    await revokeByToken(app, program.client, model.tokens.at(-1)?.text ?? 'none')
    model.isEnded ||= model.tokens.length > 0
    return
  }
  if (step.act === 'exchange') {
    const expected = model.exchange(clock.now(), step.isVerified)
    const got = await refreshTokenOf(() =>
      grantByCode(app, program.client, {
        code: program.code,
        redirectUri: program.redirectUri,
        verifier: step.isVerified ? program.verifier : 'x'.repeat(43),
        resource: undefined,
      }),
    )
    assert.equal(got !== undefined, expected)
    if (got !== undefined) model.tokens.push({ text: got, replacedAt: undefined })
    return
  }
  const presentedToken = model.tokens[step.tokenIndex]
  const expected = model.refresh(clock.now(), step.tokenIndex)
  const got = await refreshTokenOf(() =>
    grantByRefresh(app, program.client, {
      refreshToken: presentedToken?.text ?? 'none',
      scope: undefined,
      resource: undefined,
    }),
  )
  if (expected === 'new') {
    assert.ok(got !== undefined && model.tokens.every(({ text }) => text !== got))
    model.tokens.push({ text: got, replacedAt: undefined })
  } else assert.equal(got, expected && model.tokens.at(-1)?.text)
}

/** The refresh token of an answer; undefined for invalid_grant, the only refusal allowed. */
async function refreshTokenOf(
  grant: () => Promise<{ refresh_token: string }>,
): Promise<string | undefined> {
  try {
    return (await grant()).refresh_token
  } catch (error) {
    assert.ok(error instanceof OAuthError && error.code === 'invalid_grant', String(error))
    return undefined
  }
}

async function isLive({ client }: AllowedProgram): Promise<boolean> {
  const row = await workspace.app.store.read
    .selectFrom('oauth_connections')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_connections.key_id')
    .select('api_keys.revoked_at')
    .where('oauth_connections.client_id', '=', client.clientId)
    .executeTakeFirstOrThrow()
  return row.revoked_at === null
}
