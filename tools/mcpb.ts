// The bundle with which desktop programs install the bridge (.mcpb: a zip with a manifest), and server.json for
// registries of MCP servers.

import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { strToU8, zipSync } from 'fflate'
import product from '../package.json' with { type: 'json' }
import { icon } from './icon.ts'

const { version, license, mcpName } = product
const title = 'Workspace'
const short =
  'Tasks, projects and the rest of the work of an organization, self-hosted, for people and assistants.'
const repository = `https://github.com/${mcpName.replace(/^io\.github\./, '')}`
const entry = 'server/index.js'

/** A fixed moment without a time zone: a zip stores local time, which makes this the same everywhere. */
const stamp = new Date(2026, 0, 1)

/** The bundle's bytes. */
export async function desktopBundle(): Promise<Uint8Array> {
  const files = {
    'manifest.json': strToU8(`${JSON.stringify(manifest(), null, 2)}\n`),
    'icon.png': icon(256),
    [entry]: await bridge(),
  }
  return zipSync(files, { level: 9, mtime: stamp })
}

/** The bridge in one file, for the Node of the desktop program. */
async function bridge(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    entryPoints: ['src/assistants/bundle.ts'],
    write: false,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'inline',
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'silent' },
  })
  return outputFiles[0]!.contents
}

/** https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md, version 0.3 */
function manifest(): Record<string, unknown> {
  const filledIn = (name: string) => `\${user_config.${name}}`
  return {
    manifest_version: '0.3',
    name: 'workspace',
    display_name: title,
    version,
    description: short,
    long_description:
      'Connects to a Workspace that you or your organization host, and gives its tools: tasks, projects and what else the instance has. It forwards messages and keeps nothing. You need the address of the instance and an API key, which `workspace keys create` makes.',
    author: { name: 'The Workspace contributors', url: repository },
    repository: { type: 'git', url: repository },
    license,
    icon: 'icon.png',
    keywords: ['tasks', 'projects', 'work', 'self-hosted'],
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`],
        env: {
          WORKSPACE_URL: filledIn('base_url'),
          WORKSPACE_KEY: filledIn('api_key'),
          WORKSPACE_PRESET: filledIn('preset'),
          WORKSPACE_READONLY: filledIn('readonly'),
          WORKSPACE_ALLOW_HTTP: filledIn('allow_http'),
        },
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
    user_config: userConfig,
  }
}

/** Settings that the user enters when installing the bundle. */
const userConfig = {
  base_url: {
    type: 'string',
    title: 'Address',
    description: 'Of the instance, such as https://work.example.org',
    required: true,
  },
  api_key: {
    type: 'string',
    title: 'API key',
    description: 'It begins with svc_; `workspace keys create` makes one.',
    required: true,
    sensitive: true,
  },
  preset: {
    type: 'string',
    title: 'Tools',
    description: 'all, or a selection: core (forty), daily, compact.',
    required: false,
    default: 'all',
  },
  readonly: {
    type: 'boolean',
    title: 'Only tools that read',
    description: 'What changes something is left out.',
    required: false,
    default: false,
  },
  allow_http: {
    type: 'boolean',
    title: 'Plain http to another machine',
    description: 'For a network that is yours alone: the key travels readable.',
    required: false,
    default: false,
  },
}

/** server.json for a bundle: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json */
export function description(bundle: Uint8Array): string {
  const key = {
    description: 'An API key of a person; `workspace keys create` makes one.',
    isRequired: true,
    isSecret: true,
    placeholder: 'svc_…',
  }
  const listing = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title,
    description: short,
    version,
    repository: { url: repository, source: 'github' },
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: {
          host: {
            description: 'Host of your instance, with its port if it has one.',
            isRequired: true,
            placeholder: 'work.example.org',
          },
        },
        headers: [
          {
            name: 'Authorization',
            description: 'The key as bearer token. Without it, the program signs in by OAuth.',
            isRequired: false,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: { api_key: key },
          },
        ],
      },
    ],
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${repository}/releases/download/v${version}/workspace.mcpb`,
        version,
        fileSha256: createHash('sha256').update(bundle).digest('hex'),
        transport: { type: 'stdio' },
        environmentVariables: [
          {
            name: 'WORKSPACE_URL',
            description: 'Address of your instance.',
            isRequired: true,
            placeholder: 'https://work.example.org',
          },
          { name: 'WORKSPACE_KEY', ...key },
        ],
      },
    ],
  }
  return `${JSON.stringify(listing, null, 2)}\n`
}
