import { bearer, commands, everywhere, jsonFile, type Client, type Put } from './client.ts'
import { posixQuoted, windowsQuoted } from './quote.ts'
import { mcpUrl, placeholder, type Target } from './target.ts'

const ofEnvironment = (variable: string) => `\${env:${variable}}`
const core = (limit: string) => `${limit} Connect with ?preset=core: it has the forty tools that work most.`

export const cursor: Client = {
  id: 'cursor',
  title: 'Cursor',
  setup(target) {
    const value = { url: mcpUrl(target.baseUrl, target.selection), headers: { Authorization: bearer(target, ofEnvironment) } }
    return {
      ways: [
        {
          title: 'In a file',
          steps: ['Put this into the file.', 'Open Settings > MCP: the connection has a green dot.'],
          contents: [jsonFile({ paths: everywhere('~/.cursor/mcp.json', '%USERPROFILE%\\.cursor\\mcp.json'), project: '.cursor/mcp.json', language: 'jsonc', puts: [{ path: ['mcpServers', target.name], value }] })],
          link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(target.name)}&config=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))}`,
        },
      ],
      notes: [
        core('Cursor gives a model 80 tools at most, of all connections together, older versions 40, and drops the rest without a word.'),
        'The key stands in the file of your own account. In a project\'s .cursor/mcp.json, write ${env:WORKSPACE_KEY} in its place. A link holds the key as well: pass it on to nobody.',
      ],
    }
  },
}

export const vsCode: Client = {
  id: 'vscode',
  title: 'VS Code',
  setup(target) {
    const { puts, value } = vsCodeParts(target)
    const add = JSON.stringify({ name: target.name, ...value, ...(puts.length > 1 ? { inputs: [puts[1]!.value] } : {}) })
    return {
      ways: [
        {
          title: 'In a terminal',
          steps: ['Run this, which keeps it in your own profile and out of every project.', 'In the chat, choose Agent; under the tools button the connection is listed.'],
          contents: commands(['code', '--add-mcp', add], { posix: posixQuoted, windows: windowsQuoted }),
          link: `vscode:mcp/install?${encodeURIComponent(add)}`,
        },
        {
          title: 'In a file',
          steps: ['Run "MCP: Open User Configuration" from the command palette and put this into the file.'],
          contents: [
            jsonFile({
              paths: { macos: '~/Library/Application Support/Code/User/mcp.json', linux: '~/.config/Code/User/mcp.json', windows: '%APPDATA%\\Code\\User\\mcp.json' },
              project: '.vscode/mcp.json',
              language: 'jsonc',
              puts,
            }),
          ],
        },
      ],
      notes: [
        core('GitHub Copilot takes 128 tools in a request; VS Code folds the rest into groups, other editors report an error.'),
        'Without a key in the file VS Code asks for it once and keeps it in the system\'s own store, which is the better place for it.',
      ],
    }
  },
}

/** Where there is no key to write down, VS Code asks for it. */
function vsCodeParts(target: Target): { puts: Put[]; value: Record<string, unknown> } {
  const id = `${target.name}-key`
  const isGiven = 'text' in target.key && target.key.text !== placeholder
  const authorization = isGiven ? bearer(target, ofEnvironment) : `Bearer \${input:${id}}`
  const value = { type: 'http', url: mcpUrl(target.baseUrl, target.selection), headers: { Authorization: authorization } }
  const ask: Put = { path: ['inputs'], value: { type: 'promptString', id, password: true, description: 'API key of Workspace (svc_…)' }, intoList: true }
  return { value, puts: [{ path: ['servers', target.name], value }, ...(isGiven ? [] : [ask])] }
}

export const windsurf: Client = {
  id: 'windsurf',
  title: 'Windsurf',
  setup(target) {
    const value = { serverUrl: mcpUrl(target.baseUrl, target.selection), headers: { Authorization: bearer(target, ofEnvironment) } }
    return {
      ways: [
        {
          title: 'In a file',
          steps: ['Put this into the file.', 'Press the refresh button of Settings > Cascade > MCP Servers.'],
          contents: [jsonFile({ paths: everywhere('~/.codeium/windsurf/mcp_config.json', '%USERPROFILE%\\.codeium\\windsurf\\mcp_config.json'), puts: [{ path: ['mcpServers', target.name], value }] })],
        },
      ],
      notes: [core('Windsurf takes 100 tools, of all connections together.'), 'The field is serverUrl, not url. The key stands in the file; ${env:WORKSPACE_KEY} in its place is filled in from the environment.'],
    }
  },
}

export const zed: Client = {
  id: 'zed',
  title: 'Zed',
  setup(target) {
    const authorization = bearer({ ...target, key: 'text' in target.key ? target.key : { text: placeholder } }, ofEnvironment)
    const value = { url: mcpUrl(target.baseUrl, target.selection), headers: { Authorization: authorization } }
    return {
      ways: [
        {
          title: 'In the settings',
          steps: ['Run "zed: open settings file" from the command palette and put this into the file.', 'In the settings of the agent panel, the connection has a green dot.'],
          contents: [jsonFile({ paths: everywhere('~/.config/zed/settings.json', '%APPDATA%\\Zed\\settings.json'), project: '.zed/settings.json', language: 'jsonc', puts: [{ path: ['context_servers', target.name], value }] })],
        },
      ],
      notes: ['The key stands in the settings: Zed fills in no variables. Without the header it tries to sign in by OAuth, which there is none of here.'],
    }
  },
}
