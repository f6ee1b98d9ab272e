import {
  bearerHeader,
  commandsForShells,
  pathsByPlatform,
  jsonFile,
  type Client,
  type SetupMethod,
} from './client.ts'
import { posixQuoted, windowsQuoted } from './quote.ts'
import { keyVariable, mcpUrl, placeholder, type Target } from './target.ts'

const quoted = { posix: posixQuoted, windows: windowsQuoted }
const variableReference = (variable: string) => `\${${variable}}`

/** Claude Code, in the terminal and in editors. */
export const claudeCode: Client = {
  id: 'claude-code',
  title: 'Claude Code',
  setup(target) {
    const url = mcpUrl(target.baseUrl, target.selection)
    const authorization = bearerHeader(target, variableReference)
    const value = { type: 'http', url, headers: { Authorization: authorization } }
    return {
      ways: [
        {
          title: 'In a terminal',
          steps: [
            'Run this. It applies to the current folder; with --scope user after add, to all folders.',
            'Type /mcp in Claude Code: it lists the connection and its tools.',
          ],
          contents: commandsForShells(
            [
              'claude',
              'mcp',
              'add',
              '--transport',
              'http',
              target.name,
              url,
              '--header',
              `Authorization: ${authorization}`,
            ],
            quoted,
          ),
        },
        {
          title: 'In a file',
          steps: ['Add this to the file. Restart Claude Code.'],
          contents: [
            jsonFile({
              paths: pathsByPlatform('~/.claude.json', '%USERPROFILE%\\.claude.json'),
              moved: { variable: 'CLAUDE_CONFIG_DIR', file: '.claude.json' },
              project: '.mcp.json',
              puts: [{ path: ['mcpServers', target.name], value }],
            }),
          ],
        },
      ],
      notes: [
        `The key is in the configuration of your own account. In .mcp.json, which is shared with the project, write \${${keyVariable}} in its place and set the variable before you start Claude Code.`,
        'It searches the tools itself, so all of them can stay on.',
      ],
    }
  },
}

/** The desktop program, which reaches an instance through Anthropic's servers or starts the bridge locally. */
export const claudeDesktop: Client = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  setup(target) {
    return {
      ways: [throughBridge(target), throughBundle(target), throughConnector(target)],
      notes: [
        'The configuration file starts local commands only; an address in it is skipped.',
        "The bridge runs on your machine and reaches what your machine reaches. A connector is called from Anthropic's servers and needs an address that is reachable from the internet.",
        'The key is in the file, which only you should be able to read; the bundle keeps it in the keychain of the system.',
      ],
    }
  },
}

function throughBridge(target: Target): SetupMethod {
  const { bridge, baseUrl, selection, name, key } = target
  const [command = 'workspace', ...leadingArgs] = bridge
  const value = {
    command,
    args: [...leadingArgs, '--url', mcpUrl(baseUrl, selection)],
    env: { [keyVariable]: 'text' in key ? key.text : placeholder },
  }
  return {
    title: 'Through the bridge',
    steps: [
      'Open Settings > Developer > Edit Config and add this to the file.',
      'Quit Claude Desktop and start it again.',
    ],
    contents: [
      jsonFile({
        paths: {
          macos: '~/Library/Application Support/Claude/claude_desktop_config.json',
          linux: '~/.config/Claude/claude_desktop_config.json',
          windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
        },
        puts: [{ path: ['mcpServers', name], value }],
      }),
    ],
  }
}

function throughBundle({ baseUrl, key }: Target): SetupMethod {
  return {
    title: 'With the bundle, which needs nothing installed',
    steps: [
      'Open workspace.mcpb (`npm run build` creates it in dist/; releases include it) with Claude Desktop.',
      'Fill in these fields and enable it.',
    ],
    contents: [
      {
        kind: 'values',
        values: [
          { label: 'Address', text: baseUrl },
          { label: 'API key', text: 'text' in key ? key.text : placeholder },
        ],
      },
    ],
  }
}

function throughConnector({ baseUrl, selection, key }: Target): SetupMethod {
  return {
    title: 'As a connector',
    steps: [
      'Open Settings > Connectors > Add custom connector and give the address.',
      'Under the request headers (Pro, Max and Team plans), add the header.',
    ],
    contents: [
      {
        kind: 'values',
        values: [
          { label: 'Address', text: mcpUrl(baseUrl, selection) },
          { label: 'Authorization', text: `Bearer ${'text' in key ? key.text : placeholder}` },
        ],
      },
    ],
  }
}
