// Contents of the executable: the packages whose files esbuild and Rolldown included, the native add-ons, and Node with
// its
// components. Written as a bill of materials (CycloneDX) and as the notices that their licences require. Neither
// contains the time or place of the build.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Enums, Models, Serialize, Spec, SPDX, Validation } from '@cyclonedx/cyclonedx-library'
import Database from 'better-sqlite3'
import product from '../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const { Component, SpdxLicense, NamedLicense, LicenseExpression } = Models

/** The packages of the files, each version once, in order. */
export function packagesOf(files) {
  const folders = new Set(
    files
      .map((file) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
      .filter((folder) => folder !== undefined),
  )
  const packages = [...folders].map((folder) => ({
    folder,
    ...JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  }))
  const byId = new Map(packages.map((library) => [idOf(library), library]))
  return [...byId.keys()].sort().map((id) => byId.get(id))
}

const idOf = ({ name, version }) => `${name}@${version}`

/** The bill of materials, in the CycloneDX 1.6 schema. */
export async function billOf(packages, node) {
  const bom = new Models.Bom()
  const productComponent = component(product, Enums.ComponentType.Application)
  bom.metadata.component = productComponent
  const runtime = componentOfNode(node)
  const parts = [
    runtime,
    ...packages.map((library) =>
      component(
        library,
        Enums.ComponentType.Library,
        integrityOf('package-lock.json', library.folder),
      ),
    ),
  ]
  for (const part of parts) {
    if (part.name === 'better-sqlite3') part.components.add(sqlite())
    bom.components.add(part)
    productComponent.dependencies.add(part.bomRef)
  }
  const text = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  ).serialize(bom, { sortLists: true, space: 2 })
  const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  if (wrong !== null)
    throw new Error(
      `The bill of materials is not what CycloneDX asks for: ${JSON.stringify(wrong)}`,
    )
  return `${text}\n`
}

function component({ name, version, license, description }, type, integrity) {
  const [, group, bare] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name)
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${bare}@${version}`
  const created = new Component(type, bare, {
    version,
    description,
    bomRef: purl,
    ...(group && { group }),
    ...(type === Enums.ComponentType.Library && { purl }),
  })
  if (license) created.licenses.add(licenseOf(license))
  if (integrity)
    created.hashes.set(
      Enums.HashAlgorithm['SHA-512'],
      Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    )
  return created
}

function licenseOf(text) {
  if (SPDX.isSupportedSpdxId(text)) return new SpdxLicense(text)
  return / (OR|AND|WITH) /.test(text) ? new LicenseExpression(text) : new NamedLicense(text)
}

/** Node in its npm packaging, with the component versions that it reports. */
function componentOfNode(node) {
  const { folder, ...manifest } = packageOfNode(node)
  const nodeComponent = component(
    manifest,
    Enums.ComponentType.Platform,
    integrityOf(
      'tools/runtime/package-lock.json',
      folder.slice(join(root, 'tools/runtime/').length),
    ),
  )
  const { version } = nodeComponent
  nodeComponent.cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`
  const versions = JSON.parse(
    execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }),
  )
  const notParts = ['node', 'modules', 'napi', 'unicode', 'cldr', 'tz'] // interfaces and data
  for (const [name, version] of Object.entries(versions))
    if (version !== '' && !notParts.includes(name))
      nodeComponent.components.add(generic(name, version, nodeComponent.name))
  return nodeComponent
}

/** Package of Node; if the system's own Node is used there is none, only the folder that it came in. */
function packageOfNode(node) {
  const folder = dirname(dirname(node))
  const manifest = join(folder, 'package.json')
  return {
    ...(existsSync(manifest)
      ? JSON.parse(readFileSync(manifest, 'utf8'))
      : { name: 'node', version: process.versions.node, license: 'MIT' }),
    folder,
  }
}

function sqlite() {
  const db = new Database(':memory:')
  const version = db.prepare('SELECT sqlite_version()').pluck().get()
  db.close()
  return generic('sqlite', version, 'better-sqlite3')
}

function generic(name, version, inside) {
  const created = new Component(Enums.ComponentType.Library, name, {
    version,
    bomRef: `${inside}/${name}@${version}`,
    purl: `pkg:generic/${name}@${version}`,
  })
  const cpe = {
    openssl: 'openssl:openssl',
    sqlite: 'sqlite:sqlite',
    v8: 'google:v8',
    nghttp2: 'nghttp2:nghttp2',
    undici: 'nodejs:undici',
  }[name]
  if (cpe) created.cpe = `cpe:2.3:a:${cpe}:${version.split('-')[0]}:*:*:*:*:*:*:*`
  return created
}

function integrityOf(lockfile, folder) {
  return JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages[folder]?.integrity
}

/** The notices: each package with its licence texts. */
export function noticesOf(packages, node) {
  const all = [
    { ...packageOfNode(node), name: 'Node.js' },
    ...packages.map((library) => ({ ...library, folder: join(root, library.folder) })),
  ]
  const head = `Workspace ${product.version} holds these programs of others, each under its own licence.\n`
  return [head, ...all.map(notice), modelNotice()].join(`\n${'='.repeat(80)}\n\n`)
}

/** The notice of the search encoder's weights, which are files of this repository and no package. */
function modelNotice() {
  return readFileSync(join(root, 'src/search/encoder/model/README.md'), 'utf8')
}

function notice({ name, version, license, author, folder }) {
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  const none = `The package has no text of its licence${by ? `; its author is ${by}` : ''}.${license === 'Apache-2.0' ? ' The text is that of the file LICENSE beside this one.' : ''}`
  return `${name} ${version}\nLicence: ${license ?? 'see the text'}\n\n${texts.length > 0 ? texts.join('\n\n') : none}\n`
}
