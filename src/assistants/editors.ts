import {
  bearerHeader,
  commandsForShells,
  pathsByPlatform,
  jsonFile,
  type Client,
  type ConfigEntry,
} from './client.ts'
import { posixQuoted, windowsQuoted } from './quote.ts'
import { mcpUrl, placeholder, type Target } from './target.ts'

const envReference = (variable: string) => `\${env:${variable}}`
const corePresetNote = (limit: string) =>
  `${limit} That is why the address has preset=core, the forty most-used tools; --preset selects others.`
const corePresetAdvice = (limit: string) =>
  `${limit} Connect with ?preset=core for the forty most-used tools.`

export const cursor: Client = {
  id: 'cursor',
  title: 'Cursor',
  preset: 'core',
  setup(target) {
    const value = {
      url: mcpUrl(target.baseUrl, target.selection),
      headers: { Authorization: bearerHeader(target, envReference) },
    }
    return {
      ways: [
        {
          title: 'In a file',
          steps: [
            'Add this to the file.',
            'Open Settings > MCP: the connection shows a green dot.',
          ],
          contents: [
            jsonFile({
              paths: pathsByPlatform('~/.cursor/mcp.json', '%USERPROFILE%\\.cursor\\mcp.json'),
              project: '.cursor/mcp.json',
              language: 'jsonc',
              puts: [{ path: ['mcpServers', target.name], value }],
            }),
          ],
          link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(target.name)}&config=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))}`,
        },
      ],
      notes: [
        corePresetNote(
          'Cursor passes at most 80 tools to a model (40 in older versions), counted over all connections, and silently drops the rest.',
        ),
        "The key is in a file of your own account. In a project's .cursor/mcp.json, use ${env:WORKSPACE_KEY} instead. The link contains the key too: do not share it.",
      ],
    }
  },
}

export const vsCode: Client = {
  id: 'vscode',
  title: 'VS Code',
  asksForKey: true,
  setup(target) {
    const { puts, value } = vsCodeParts(target)
    const addedJson = JSON.stringify({
      name: target.name,
      ...value,
      ...(puts.length > 1 ? { inputs: [puts[1]!.value] } : {}),
    })
    return {
      ways: [
        {
          title: 'In a terminal',
          steps: [
            'Run this. It is stored in your profile, not in a project.',
            'In the chat, choose Agent; the connection is listed under the tools button.',
          ],
          contents: commandsForShells(['code', '--add-mcp', addedJson], {
            posix: posixQuoted,
            windows: windowsQuoted,
          }),
          link: `vscode:mcp/install?${encodeURIComponent(addedJson)}`,
        },
        {
          title: 'In a file',
          steps: [
            'Run "MCP: Open User Configuration" from the command palette and add this to the file.',
            ...(puts.length > 1 ? ['VS Code asks for the key when it first connects.'] : []),
          ],
          contents: [
            jsonFile({
              paths: {
                macos: '~/Library/Application Support/Code/User/mcp.json',
                linux: '~/.config/Code/User/mcp.json',
                windows: '%APPDATA%\\Code\\User\\mcp.json',
              },
              project: '.vscode/mcp.json',
              language: 'jsonc',
              puts,
            }),
          ],
        },
      ],
      notes: [
        corePresetAdvice(
          'GitHub Copilot accepts 128 tools per request; VS Code groups the rest, other editors report an error.',
        ),
        'Without a key in the file, VS Code asks for it once and keeps it in the system keychain, which is safer; --write does it that way unless you give --key.',
      ],
    }
  },
}

/** VS Code configuration; it prompts for the key if there is none to write down. */
function vsCodeParts(target: Target): { puts: ConfigEntry[]; value: Record<string, unknown> } {
  const id = `${target.name}-key`
  const hasKey = 'text' in target.key && target.key.text !== placeholder
  const authorization = hasKey ? bearerHeader(target, envReference) : `Bearer \${input:${id}}`
  const value = {
    type: 'http',
    url: mcpUrl(target.baseUrl, target.selection),
    headers: { Authorization: authorization },
  }
  const keyPrompt: ConfigEntry = {
    path: ['inputs'],
    value: {
      type: 'promptString',
      id,
      password: true,
      description: 'API key of Workspace (svc_…)',
    },
    intoList: true,
  }
  return {
    value,
    puts: [{ path: ['servers', target.name], value }, ...(hasKey ? [] : [keyPrompt])],
  }
}

export const windsurf: Client = {
  id: 'windsurf',
  title: 'Windsurf',
  preset: 'core',
  setup(target) {
    const value = {
      serverUrl: mcpUrl(target.baseUrl, target.selection),
      headers: { Authorization: bearerHeader(target, envReference) },
    }
    return {
      ways: [
        {
          title: 'In a file',
          steps: [
            'Add this to the file.',
            'Press the refresh button of Settings > Cascade > MCP Servers.',
          ],
          contents: [
            jsonFile({
              paths: pathsByPlatform(
                '~/.codeium/windsurf/mcp_config.json',
                '%USERPROFILE%\\.codeium\\windsurf\\mcp_config.json',
              ),
              puts: [{ path: ['mcpServers', target.name], value }],
            }),
          ],
        },
      ],
      notes: [
        corePresetNote('Windsurf accepts 100 tools, counted over all connections.'),
        'The field is serverUrl, not url. The key is in the file; ${env:WORKSPACE_KEY} in its place is read from the environment.',
      ],
    }
  },
}

export const zed: Client = {
  id: 'zed',
  title: 'Zed',
  setup(target) {
    const authorization = bearerHeader(
      { ...target, key: 'text' in target.key ? target.key : { text: placeholder } },
      envReference,
    )
    const value = {
      url: mcpUrl(target.baseUrl, target.selection),
      headers: { Authorization: authorization },
    }
    return {
      ways: [
        {
          title: 'In the settings',
          steps: [
            'Run "zed: open settings file" from the command palette and add this to the file.',
            'In the agent panel settings, the connection shows a green dot.',
          ],
          contents: [
            jsonFile({
              paths: pathsByPlatform(
                '~/.config/zed/settings.json',
                '%APPDATA%\\Zed\\settings.json',
              ),
              project: '.zed/settings.json',
              language: 'jsonc',
              puts: [{ path: ['context_servers', target.name], value }],
            }),
          ],
        },
      ],
      notes: [
        'The key is in the settings file: Zed does not substitute variables there. Without the header, Zed signs in by OAuth.',
      ],
    }
  },
}
