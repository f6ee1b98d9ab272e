/** How one program is told of the workspace: where the text belongs, and the text. */
export interface ClientSetup {
  client: string
  /** What to do with the text. */
  how: string
  text: string
}

/** Lines that are ready to be pasted, for each kind of assistant. `baseUrl` without a slash at the end; they hold the key. */
export function clientSetups(baseUrl: string, key: string): ClientSetup[] {
  const url = `${baseUrl}/mcp`
  const headers = { Authorization: `Bearer ${key}` }
  return [
    { client: 'Claude Code', how: 'Run this:', text: `claude mcp add --transport http workspace ${url} --header "Authorization: Bearer ${key}"` },
    { client: 'Cursor', how: 'Put this into ~/.cursor/mcp.json:', text: JSON.stringify({ mcpServers: { workspace: { url, headers } } }, null, 2) },
    { client: 'VS Code', how: 'Run this, which keeps the key in your own profile and out of every project:', text: `code --add-mcp '${JSON.stringify({ name: 'workspace', type: 'http', url, headers })}'` },
    { client: 'Any other', how: 'Give it the address, with the key as bearer token:', text: `${url}\nAuthorization: Bearer ${key}` },
    { client: 'REST', how: 'Try it in a terminal:', text: `curl ${baseUrl}/api/me -H "Authorization: Bearer ${key}"` },
  ]
}
