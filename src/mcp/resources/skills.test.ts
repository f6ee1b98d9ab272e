import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { GetSkillResultSchema, ListSkillsResultSchema } from '@modelcontextprotocol/core/ext/skills'
import { serveWorkspace, type ServedWorkspace } from '../../testing/server.ts'

let served: ServedWorkspace
before(async () => {
  served = await serveWorkspace()
})
after(() => served.close())

const eras = ['auto', 'legacy'] as const

async function connect(
  t: { after(work: () => unknown): void },
  mode: (typeof eras)[number] = 'auto',
  path = '/mcp',
): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(served.url + path), {
      requestInit: { headers: { authorization: `Bearer ${served.bearer}` } },
    }),
  )
  t.after(() => client.close())
  return client
}

const list = (client: Client) =>
  client.request({ method: 'skills/list', params: {} }, ListSkillsResultSchema)

for (const era of eras) {
  test(`skills are listed, fetched and read by the official client (${era}), each file matching its digest`, async (t) => {
    const client = await connect(t, era)
    assert.ok(
      'io.modelcontextprotocol/skills' in (client.getServerCapabilities()?.extensions ?? {}),
    )
    const { skills } = await list(client)
    assert.deepEqual(skills.map(({ frontmatter }) => frontmatter.name).sort(), [
      'daily-plan',
      'incident-handover',
      'prepare-meeting',
      'triage-inbox',
      'weekly-report',
    ])
    const { resources: listed } = await client.listResources()
    assert.deepEqual(
      listed
        .filter(({ uri }) => uri.startsWith('skill://'))
        .map(({ uri, name, description }) => ({ uri, name, description })),
      skills.map(({ uri, frontmatter: { name, description } }) => ({ uri, name, description })),
    )
    for (const skill of skills) {
      const { uri, frontmatter, resources } = skill
      const fetched = await client.request(
        { method: 'skills/get', params: { uri } },
        GetSkillResultSchema,
      )
      assert.deepEqual(fetched.skill, skill)
      const { contents } = await client.readResource({ uri })
      const [file] = contents
      assert.ok(file && 'text' in file)
      assert.deepEqual(resources, [
        {
          uri,
          digest: `sha256:${createHash('sha256').update(file.text).digest('hex')}`,
          size: Buffer.byteLength(file.text),
        },
      ])
      assert.equal(uri, `skill://workspace/${frontmatter.name}/SKILL.md`)
      assert.ok(file.text.startsWith(`---\nname: "${frontmatter.name}"\ndescription: `))
    }
  })
}

test('a skill names only existing operations', () => {
  const { catalogue } = served.app
  for (const { skill, needs, name } of catalogue.prompts) {
    if (!skill) continue
    const operationNames = [
      ...needs,
      ...skill.acts.map(({ operation }) => operation),
      ...skill.reads.flatMap((text) => /^`([a-z_]+)`/.exec(text)?.[1] ?? text),
    ]
    assert.deepEqual(
      operationNames.filter((operation) => !catalogue.find(operation)),
      [],
      name,
    )
  }
})

test('a skill whose operations are unavailable to the connection is not offered', async (t) => {
  const client = await connect(t, 'auto', '/mcp/x/people')
  const { skills } = await list(client)
  assert.deepEqual(
    skills.map(({ uri }) => uri),
    ['skill://workspace/daily-plan/SKILL.md'],
  )
  const unavailable = 'skill://workspace/triage-inbox/SKILL.md'
  for (const uri of [unavailable, 'skill://workspace/none/SKILL.md', 'skill://']) {
    const isRefused = (error: { code?: number }) => error.code === -32602
    await assert.rejects(
      client.request({ method: 'skills/get', params: { uri } }, GetSkillResultSchema),
      isRefused,
    )
    await assert.rejects(client.readResource({ uri }), isRefused)
  }
})
