import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { settingList } from '../src/config/settings.ts'

// Tests the published files as far as possible without the programs that use them. Caddy, nginx and Litestream load
// theirs in proxies.long.test.ts and litestream.long.test.ts.

const folder = new URL('../packaging/', import.meta.url).pathname
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.\w+$|Dockerfile$|Caddyfile$/.test(name),
)

const compose = parse(read('compose.yaml')) as any
const manifests = parseAllDocuments(read('kubernetes.yaml')).map(
  (parseAllDocument) => parseAllDocument.toJS({ maxAliasCount: 0 }) as any,
)
const kind = (name: string) => manifests.find((manifest) => manifest.kind === name)
const dockerfile = read('Dockerfile')
/** The user of the container, which owns the volumes. */
const user = 65532

test('every variable and flag in the files is a setting, or read by a command', () => {
  const variables = new Set([
    ...Object.values(settingList).map((item) => item.env),
    'WORKSPACE_MASTER_KEY',
  ])
  const flags = new Set(Object.values(settingList).map((item) => item.flag.split(' ')[0]!))
  const wrong = files.flatMap((name) => {
    const text = read(name)
    const served = [...text.matchAll(/workspace serve((?: +--?[\w-]+(?: [^\s-]\S*)?)*)/g)].flatMap(
      ([, args]) => [...args!.matchAll(/--[\w-]+/g)].map(([flag]) => flag),
    )
    return [
      ...[...text.matchAll(/\bWORKSPACE_[A-Z_]+\b/g)]
        .map(([one]) => one)
        .filter((item) => !variables.has(item)),
      ...served.filter((flag) => !flags.has(flag)),
    ].map((item) => `${name}: ${item}`)
  })
  assert.deepEqual(wrong, [])
})

test('each file is listed in the README of the folder', () => {
  for (const name of files.filter((file) => !file.includes('/') && file !== 'README.md'))
    assert.ok(read('README.md').includes(`(${name})`), name)
})

test('the image runs the executable as an unprivileged user, writes only below /data, and checks its health without a shell', () => {
  const last = dockerfile.split(/^FROM /m).at(-1)!
  for (const line of [
    `USER ${user}:${user}`,
    'VOLUME /data',
    'EXPOSE 8787',
    'STOPSIGNAL SIGTERM',
    'ENTRYPOINT ["/usr/local/bin/workspace"]',
    'CMD ["serve"]',
  ])
    assert.ok(last.includes(`\n${line}\n`), line)
  assert.match(last, /^HEALTHCHECK .*CMD \["\/usr\/local\/bin\/workspace", "health"\]$/m)
  assert.doesNotMatch(last, /^RUN/m, 'there is no shell')
  for (const [, place] of last.matchAll(/(?:WORKSPACE_\w*(?:DATA|FILE)|CACHE_DIRECTORY)=(\S+)/g))
    assert.ok(place!.startsWith('/data/'), place)
  assert.match(dockerfile, /^ARG BASE_IMAGE=\S+:\S+$/m)
})

test('unneeded files are excluded from the image build', () => {
  const ignored = readFileSync(join(folder, '../.dockerignore'), 'utf8').split('\n')
  for (const name of ['.git', '**/node_modules', 'dist']) assert.ok(ignored.includes(name), name)
})

test('compose: only Caddy is reachable from outside and trusted as a proxy, and both containers have minimal privileges', () => {
  const { workspace, caddy } = compose.services
  const address = caddy.networks.front.ipv4_address
  assert.equal(workspace.environment.WORKSPACE_TRUSTED_PROXIES, address)
  assert.ok(compose.networks.front.ipam.config[0].subnet.startsWith(address.replace(/\.\d+$/, '.')))
  assert.match(workspace.environment.WORKSPACE_BASE_URL, /^https:\/\/\$\{DOMAIN:\?/)
  assert.deepEqual([workspace.ports, caddy.ports], [undefined, ['80:80', '443:443', '443:443/udp']])
  assert.equal(caddy.environment.BACKEND, 'workspace:8787')
  assert.equal(caddy.depends_on.workspace.condition, 'service_healthy')
  assert.equal(workspace.user, `${user}:${user}`)
  for (const item of [workspace, caddy]) {
    assert.deepEqual(
      [item.read_only, item.cap_drop, item.security_opt, item.restart],
      [true, ['ALL'], ['no-new-privileges:true'], 'unless-stopped'],
    )
    assert.match(item.mem_limit, /^\d+[mg]$/)
    for (const volume of item.volumes) {
      const [source] = volume.split(':')
      assert.ok(
        source.startsWith('./') ? existsSync(join(folder, source)) : source in compose.volumes,
        volume,
      )
    }
  }
  assert.deepEqual(caddy.cap_add, ['NET_BIND_SERVICE'])
  assert.ok(existsSync(join(folder, workspace.build.context, workspace.build.dockerfile)))
})

test('containers, Kubernetes and systemd set the same memory limit and stop timeout', () => {
  const units = ['systemd/workspace.service', 'systemd/user/workspace.service'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  const { workspace } = compose.services
  const pod = kind('StatefulSet').spec.template.spec
  for (const unit of units) {
    assert.match(unit, /^MemoryMax=2G$/m)
    assert.match(unit, /^TimeoutStopSec=45s$/m)
  }
  assert.deepEqual([workspace.mem_limit, workspace.stop_grace_period], ['2g', '45s'])
  assert.equal(pod.containers[0].resources.limits.memory, '2Gi')
  assert.equal(pod.terminationGracePeriodSeconds, 45)
})

test('kubernetes: one pod with a disk, admitted by the restricted policy', () => {
  assert.equal(
    kind('Namespace').metadata.labels['pod-security.kubernetes.io/enforce'],
    'restricted',
  )
  const { replicas, template, selector, volumeClaimTemplates } = kind('StatefulSet').spec
  assert.equal(replicas, 1)
  assert.deepEqual(template.metadata.labels, selector.matchLabels)
  assert.deepEqual(volumeClaimTemplates[0].spec.accessModes, ['ReadWriteOnce'])
  for (const { spec } of [template, kind('CronJob').spec.jobTemplate.spec.template]) {
    const { runAsNonRoot, runAsUser, fsGroup, fsGroupChangePolicy, seccompProfile } =
      spec.securityContext
    assert.deepEqual(
      [runAsNonRoot, runAsUser, fsGroup, fsGroupChangePolicy, seccompProfile],
      [true, user, user, 'OnRootMismatch', { type: 'RuntimeDefault' }],
    )
    const [container] = spec.containers
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(container.resources.limits.memory)
    const volumes = [
      ...(spec.volumes ?? []),
      ...volumeClaimTemplates.map((volumeClaimTemplate: any) => volumeClaimTemplate.metadata),
    ].map((volume: any) => volume.name)
    for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name), name)
    assert.equal(spec.automountServiceAccountToken, false)
  }
})

test('kubernetes: the resources reference each other, and the probes use the server endpoints', () => {
  const pod = kind('StatefulSet').spec.template.spec.containers[0]
  assert.deepEqual(
    [pod.startupProbe, pod.livenessProbe, pod.readinessProbe].map((item) => item.httpGet),
    ['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })),
  )
  assert.deepEqual(pod.ports, [{ name: 'http', containerPort: 8787 }])
  const { rules, tls } = kind('Ingress').spec
  const [{ host, http }] = rules
  const service = kind('Service')
  assert.deepEqual(
    [tls[0].hosts, pod.env.find((item: any) => item.name === 'WORKSPACE_BASE_URL').value],
    [[host], `https://${host}`],
  )
  assert.deepEqual(http.paths[0].backend.service, {
    name: service.metadata.name,
    port: { name: service.spec.ports[0].name },
  })
  assert.deepEqual(service.spec.selector, kind('StatefulSet').spec.selector.matchLabels)
  assert.deepEqual(kind('NetworkPolicy').spec.policyTypes, ['Ingress', 'Egress'])
  const backup = kind('CronJob').spec.jobTemplate.spec.template.spec
  assert.equal(
    backup.volumes[0].persistentVolumeClaim.claimName,
    `data-${kind('StatefulSet').metadata.name}-0`,
  )
  assert.equal(
    backup.volumes[1].persistentVolumeClaim.claimName,
    kind('PersistentVolumeClaim').metadata.name,
  )
  assert.equal(backup.containers[0].image, pod.image)
  assert.deepEqual(
    manifests
      .filter(
        (manifest) => manifest.kind !== 'Namespace' && manifest.metadata.namespace !== 'workspace',
      )
      .map((manifest) => manifest.kind),
    [],
  )
})
