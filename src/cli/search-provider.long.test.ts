import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratch, serve, workspace, workspaceJson } from '../testing/process.ts'
import { startEmbeddings } from '../testing/servers/embeddings.ts'
import { untilTrue } from '../testing/limits.ts'

test('a served workspace starts using a provider’s vectors by itself, names the provider that answered, and reports the fault when it goes away', async (t) => {
  const provider = await startEmbeddings({ key: 'sesame' })
  const { dir, remove } = scratch()
  const org = await workspaceJson('orgs', 'create', '--name', 'Boats', '--data', dir)
  await workspaceJson(
    'users',
    'create',
    '--org',
    org.id,
    '--email',
    'ann@boats.test',
    '--name',
    'Ann',
    '--admin',
    '--data',
    dir,
  )
  const { key } = await workspaceJson(
    'keys',
    'create',
    '--user',
    'ann@boats.test',
    '--name',
    'test',
    '--data',
    dir,
  )
  process.env.WORKSPACE_EMBEDDINGS_KEY = 'sesame'
  const server = await serve(
    dir,
    '--embeddings-url',
    `${provider.url}/v1/`,
    '--embeddings-model',
    'test-embed',
    '--outbound-allow',
    provider.opening,
  )
  delete process.env.WORKSPACE_EMBEDDINGS_KEY
  t.after(async () => {
    await server.end()
    await provider.close()
    remove()
  })
  const request = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answerBody = (await answer.json()) as any
    assert.ok(answer.ok, JSON.stringify(answerBody))
    return answerBody
  }
  const providerStatus = async () =>
    (await workspaceJson('search', 'status', '--data', dir)).provider
  const waitFor = (what: string, condition: () => Promise<boolean>) => untilTrue(condition, what)
  await request('POST', '/api/projects', { name: 'Boats', key: 'BOAT' })
  await request('POST', '/api/tasks', {
    project_id: 'BOAT',
    title: 'The server had an outage of two hours',
  })
  await request('POST', '/api/tasks', {
    project_id: 'BOAT',
    title: 'Bake bread with flour and salt',
  })
  const search = (query: string) => request('GET', `/api/search?query=${encodeURIComponent(query)}`)
  await waitFor(
    'the vectors of the provider are never in use',
    async () => (await search('downtime failover')).searched.model === 'test-embed',
  )
  assert.match((await search('downtime failover')).items[0].item.title, /outage/)
  assert.equal((await providerStatus()).state, 'ready')
  provider.fault = () => ({ status: 401 })
  await request('POST', '/api/tasks', { project_id: 'BOAT', title: 'Paint the hull' })
  await waitFor(
    'the failure is never reported',
    async () => (await providerStatus()).state === 'away',
  )
  assert.equal((await search('blackout of the computers')).searched.model, 'static-256')
  const { stdout } = await workspace(['search', 'status', '--data', dir])
  assert.match(stdout, /does not accept the key \(401\)/)
  assert.doesNotMatch(stdout + server.output(), /sesame|Paint the hull/)
})
