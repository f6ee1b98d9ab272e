import {
  bearerHeader,
  pathsByPlatform,
  jsonFile,
  type Client,
  type Command,
  type SetupMethod,
} from './client.ts'
import { keyVariable, mcpUrl, placeholder, sseUrl, type Target } from './target.ts'

/** Any other program that speaks MCP or plain HTTP. */
export const generic: Client = {
  id: 'generic',
  title: 'Any other',
  setup(target) {
    const authorization = bearerHeader(target, (variable) => `\${${variable}}`)
    const header = { label: 'Header', text: `Authorization: ${authorization}` }
    const addressMethod = (title: string, step: string, url: string): SetupMethod => ({
      title,
      steps: [step],
      contents: [{ kind: 'values', values: [{ label: 'Address', text: url }, header] }],
    })
    return {
      ways: [
        addressMethod(
          'Streamable HTTP',
          'Give it the address, with the key as bearer token.',
          mcpUrl(target.baseUrl, target.selection),
        ),
        {
          title: 'A command (stdio)',
          steps: ['For programs that can only start a command: it forwards to the address above.'],
          contents: [stdioFile(target)],
        },
        addressMethod(
          'HTTP with SSE',
          'For programs that support only the transport of 2024.',
          sseUrl(target.baseUrl, target.selection),
        ),
        {
          title: 'REST',
          steps: ['Every tool is also a route; /api/docs lists them. Try it in a terminal.'],
          contents: curlCommands(target),
        },
      ],
      notes: [
        'The key goes into the Authorization header and nowhere else: in an address it would end up in logs, and is ignored.',
      ],
    }
  },
}

function stdioFile({ bridge, baseUrl, selection, name, key }: Target) {
  const [command = 'workspace', ...leadingArgs] = bridge
  const value = {
    command,
    args: [...leadingArgs, '--url', mcpUrl(baseUrl, selection)],
    env: { [keyVariable]: 'text' in key ? key.text : placeholder },
  }
  return jsonFile({
    paths: pathsByPlatform('mcp.json', 'mcp.json'),
    puts: [{ path: ['mcpServers', name], value }],
  })
}

function curlCommands({ baseUrl, key }: Target): Command[] {
  const line = (curl: string, secret: string): string =>
    `${curl} ${baseUrl}/api/me -H "Authorization: Bearer ${secret}"`
  if ('text' in key) return [{ kind: 'command', shell: 'any', text: line('curl', key.text) }]
  return [
    { kind: 'command', shell: 'posix', text: line('curl', `$${key.variable}`) },
    { kind: 'command', shell: 'windows', text: line('curl', `%${key.variable}%`) },
  ]
}
