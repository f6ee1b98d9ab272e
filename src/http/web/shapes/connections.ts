import { z } from 'zod'
import { shape } from '../../../kernel/shape.ts'

const Content = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    shell: z.enum(['any', 'posix', 'windows']).describe('any: the same in sh, PowerShell and cmd'),
    text: z.string(),
  }),
  z.strictObject({
    kind: z.literal('file'),
    language: z.enum(['json', 'jsonc', 'toml']),
    paths: z.strictObject({ macos: z.string(), linux: z.string(), windows: z.string() }),
    moved: z.strictObject({ variable: z.string(), file: z.string() }).optional(),
    project: z.string().optional().describe('the file for one project, from its root'),
    puts: z
      .array(
        z.strictObject({
          path: z.array(z.string()).readonly(),
          value: z.record(z.string(), z.unknown()).readonly(),
          intoList: z.literal(true).optional(),
        }),
      )
      .readonly(),
    text: z.string(),
  }),
  z.strictObject({
    kind: z.literal('values'),
    values: z.array(z.strictObject({ label: z.string(), text: z.string() })).readonly(),
  }),
])

const ConnectionWay = shape('ConnectionWay', {
  title: z.string(),
  steps: z.array(z.string()).readonly(),
  contents: z.array(Content).readonly(),
  link: z.string().optional().describe('opens the program, which asks whether to add it'),
})

export const ConnectSetup = shape('ConnectSetup', {
  base_url: z.string(),
  mcp_url: z.string(),
  sse_url: z.string(),
  key_placeholder: z.string(),
  clients: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      ways: z.array(ConnectionWay).readonly(),
      notes: z.array(z.string()).readonly(),
    }),
  ),
})

export const ReachReport = z.strictObject({ url: z.string(), warnings: z.array(z.string()) })
