import {
  bearerHeader,
  commandsForShells,
  pathsByPlatform,
  jsonFile,
  type Client,
  type Command,
  type ConfigFile,
} from './client.ts'
import { posixQuoted, windowsQuoted } from './quote.ts'
import { keyVariable, mcpUrl, placeholder, type Target } from './target.ts'
import { tomlText } from './toml.ts'

const quoted = { posix: posixQuoted, windows: windowsQuoted }

export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  setup(target) {
    const url = mcpUrl(target.baseUrl, target.selection)
    const hasKey = 'text' in target.key && target.key.text !== placeholder
    const value = hasKey
      ? { url, http_headers: { Authorization: bearerHeader(target, String) } }
      : { url, bearer_token_env_var: keyVariable }
    const puts = [{ path: ['mcp_servers', target.name], value }]
    const file: ConfigFile = {
      kind: 'file',
      language: 'toml',
      paths: pathsByPlatform('~/.codex/config.toml', '%USERPROFILE%\\.codex\\config.toml'),
      moved: { variable: 'CODEX_HOME', file: 'config.toml' },
      project: '.codex/config.toml',
      puts,
      text: tomlText(puts),
    }
    return {
      ways: [
        {
          title: 'In a terminal',
          steps: [
            `Set the variable ${keyVariable} where Codex is started, for example in the profile of your shell.`,
            'Run the other command.',
            'Type /mcp in Codex.',
          ],
          contents: [
            ...setVariable(target),
            ...commandsForShells(
              [
                'codex',
                'mcp',
                'add',
                target.name,
                '--url',
                url,
                '--bearer-token-env-var',
                keyVariable,
              ],
              quoted,
            ),
          ],
        },
        { title: 'In a file', steps: ['Add this to the file.'], contents: [file] },
      ],
      notes: [
        'Codex takes the key from a variable; it rejects a token in the file itself, but accepts a header in http_headers.',
        'A tool call may take 60 seconds; tool_timeout_sec in the same table raises the limit.',
      ],
    }
  },
}

function setVariable({ key }: Target): Command[] {
  const text = 'text' in key ? key.text : placeholder
  return [
    { kind: 'command', shell: 'posix', text: `export ${keyVariable}=${posixQuoted(text)}` },
    { kind: 'command', shell: 'windows', text: `setx ${keyVariable} ${windowsQuoted(text)}` },
  ]
}

export const geminiCli: Client = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  setup(target) {
    const url = mcpUrl(target.baseUrl, target.selection)
    const authorization = bearerHeader(target, (variable) => `\${${variable}}`)
    return {
      ways: [
        {
          title: 'In a terminal',
          steps: ['Run this.', 'Type /mcp in Gemini CLI.'],
          contents: commandsForShells(
            [
              'gemini',
              'mcp',
              'add',
              '--scope',
              'user',
              '--transport',
              'http',
              '--header',
              `Authorization: ${authorization}`,
              target.name,
              url,
            ],
            quoted,
          ),
        },
        {
          title: 'In a file',
          steps: ['Add this to the file.'],
          contents: [
            jsonFile({
              paths: pathsByPlatform(
                '~/.gemini/settings.json',
                '%USERPROFILE%\\.gemini\\settings.json',
              ),
              project: '.gemini/settings.json',
              language: 'jsonc',
              puts: [
                {
                  path: ['mcpServers', target.name],
                  value: { httpUrl: url, headers: { Authorization: authorization } },
                },
              ],
            }),
          ],
        },
      ],
      notes: [
        'The field is httpUrl: url would mean the older transport. The key is in your own settings; ${WORKSPACE_KEY} in its place is read from the environment.',
      ],
    }
  },
}
