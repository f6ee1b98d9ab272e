import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

/** A tool for the suite: its listing and implementation. */
export interface ToolFixture extends Tool {
  call(
    args: Record<string, unknown>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | { resultType: 'task' }>
}

export interface PromptFixture extends Prompt {
  get(args: Record<string, string>, context: ServerContext): GetPromptResult | InputRequiredResult
}

/** A tool without arguments, unless `inputSchema` is set. */
export function tool(
  name: string,
  description: string,
  call: ToolFixture['call'],
  inputSchema: Tool['inputSchema'] = noArguments,
): ToolFixture {
  return { name, description, inputSchema, call }
}

/** List entry of a fixture. */
export function listedTool({
  call,
  get,
  ...shown
}: Partial<ToolFixture> & Partial<PromptFixture>): Tool & Prompt {
  return shown as Tool & Prompt
}

const noArguments: Tool['inputSchema'] = {
  type: 'object',
  properties: {},
  additionalProperties: false,
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Capabilities that a client of the current protocol declares. */
export function declaredIn({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope = (mcpReq.envelope ?? {}) as Record<string, unknown>
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
