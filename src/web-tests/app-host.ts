// A host of MCP Apps: the official client and AppBridge, in front of a real server, in Chromium.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from '@modelcontextprotocol/client'
import { build } from 'esbuild'
import type { Browser, Frame, Page } from 'playwright-core'
import { violations } from '../testing/chromium.ts'
import type { ServedWorkspace } from '../testing/server.ts'
import type { ViewParams } from './app-host-page.ts'

const appMimeType = 'text/html;profile=mcp-app'
const screenshotFolder = fileURLToPath(new URL('../../test-results/web/', import.meta.url))
const widths = [320, 360, 800] as const
const screenshotWidths: ReadonlySet<number> = new Set([360, 800])

export interface ToolCall {
  name: string
  arguments?: Record<string, unknown> | undefined
}

/** A client that declares support for views, or not. */
export async function connectClient(
  { url }: Pick<ServedWorkspace, 'url'>,
  bearer: string,
  options: { rendersApps: boolean; mode?: 'auto' | 'legacy'; path?: string },
): Promise<Client> {
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [appMimeType] } }
  const client = new Client(
    { name: 'tests', version: '1' },
    {
      capabilities: options.rendersApps ? { extensions } : {},
      versionNegotiation: { mode: options.mode ?? 'auto' },
    },
  )
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url + (options.path ?? '/mcp')), { requestInit }),
  )
  return client
}

/** Traits of the host; missing ones have defaults. */
export interface HostTraits {
  capabilities?: McpUiHostCapabilities
  context?: McpUiHostContext
}

const allCapabilities: McpUiHostCapabilities = {
  serverTools: {},
  openLinks: {},
  updateModelContext: { text: {} },
}

export class AppHost {
  readonly page: Page
  readonly client: Client
  /** Calls made by the view, oldest first. */
  readonly calls: ToolCall[] = []
  /** Notes from the view, oldest first: model contexts, requested links, and sizes. */
  readonly notes: { kind: string; value: unknown }[] = []
  /** Errors in the pages, and external requests. */
  readonly problems: string[] = []
  readonly #noteEvents = new EventEmitter()

  private constructor(page: Page, client: Client) {
    this.page = page
    this.client = client
    page.on('pageerror', (error) => this.problems.push(`error in the page: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => this.problems.push(`request: ${request.url()}`))
  }

  static async open(
    browser: Browser,
    served: ServedWorkspace,
    bearer = served.bearer,
  ): Promise<AppHost> {
    const client = await connectClient(served, bearer, { rendersApps: true })
    const context = await browser.newContext({
      viewport: { width: 800, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const host = new AppHost(page, client)
    await page.exposeFunction('callTool', (params: ToolCall) => {
      host.calls.push(params)
      return client.callTool(params) as Promise<CallToolResult>
    })
    await page.exposeFunction('noteFromView', (kind: string, value: unknown) => {
      host.notes.push({ kind, value })
      host.#noteEvents.emit('note')
    })
    await page.setContent(
      '<!doctype html><html lang="en"><title>Host</title><style>body{margin:0}iframe{border:0;width:100%;height:900px}</style><body></body></html>',
    )
    await page.addScriptTag({ content: await hostScript() })
    return host
  }

  /** Calls a tool as the model does, and shows its view. */
  async show(
    tool: string,
    args: Record<string, unknown>,
    traits: HostTraits = {},
  ): Promise<{ frame: Frame; result: CallToolResult }> {
    const { tools } = await this.client.listTools()
    const { ui } = (tools.find(({ name }) => name === tool)?._meta ?? {}) as {
      ui?: { resourceUri: string }
    }
    assert.ok(ui, `${tool} has a view`)
    const { contents } = await this.client.readResource({ uri: ui.resourceUri })
    const [resource] = contents
    assert.ok(resource && 'text' in resource && resource.mimeType === appMimeType)
    const result = (await this.client.callTool({ name: tool, arguments: args })) as CallToolResult
    const view: ViewParams = {
      html: resource.text,
      args,
      result,
      capabilities: traits.capabilities ?? allCapabilities,
      context: { theme: 'light', locale: 'en-GB', ...traits.context },
    }
    await this.page.evaluate(
      (json) => window.showView(JSON.parse(json) as never),
      JSON.stringify(view),
    )
    const frame = await (await this.page.locator('iframe').elementHandle())?.contentFrame()
    assert.ok(frame, 'the view has no frame')
    return { frame, result }
  }

  /** Checks the current view in both themes and at three widths: no axe violations, no overflow. Keeps screenshots. */
  async checkView(frame: Frame, name: string): Promise<void> {
    mkdirSync(screenshotFolder, { recursive: true })
    for (const width of widths) {
      await this.page.setViewportSize({ width, height: 1200 })
      for (const theme of ['light', 'dark'] as const) {
        await this.page.evaluate(
          (newTheme) => window.changeContext({ theme: newTheme, locale: 'en-GB' }),
          theme,
        )
        await frame.waitForFunction(
          (newTheme) => document.documentElement.style.colorScheme === newTheme,
          theme,
        )
        const faults = await violations(frame, theme === 'dark' ? 'colours' : undefined)
        assert.deepEqual(faults, [], `${name}, ${width} px, ${theme}`)
        if (screenshotWidths.has(width))
          await this.page.screenshot({
            path: `${screenshotFolder}app-${name}-${width}-${theme}.png`,
          })
      }
      const overflowPx = await frame.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(overflowPx <= 0, `${name}: at ${width} px it is ${overflowPx} px too wide`)
    }
    await this.page.setViewportSize({ width: 800, height: 900 })
  }

  /** Waits until the view has sent matching context to the model, or requested a matching link. */
  async waitForNote(kind: 'context' | 'link', pattern: RegExp): Promise<void> {
    const hasNote = () =>
      this.notes.some((note) => note.kind === kind && pattern.test(JSON.stringify(note.value)))
    while (!hasNote()) await once(this.#noteEvents, 'note')
  }

  /** Returns the names of the calls made since the previous takeCalls, and clears them. */
  takeCalls(): string[] {
    return this.calls.splice(0).map(({ name }) => name)
  }

  async close(): Promise<void> {
    await this.page.context().close()
    await this.client.close()
  }
}

let scriptPromise: Promise<string> | undefined

function hostScript(): Promise<string> {
  scriptPromise ??= bundlePage()
  return scriptPromise
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./app-host-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}
