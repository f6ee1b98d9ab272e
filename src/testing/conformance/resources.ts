import type {
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { redPixel } from './media.ts'

type Contents = ReadResourceResult['contents'][number]

/** Resources with their contents. */
const contents: (Contents & { name: string })[] = [
  {
    name: 'static-text',
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { name: 'static-binary', uri: 'test://static-binary', mimeType: 'image/png', blob: redPixel },
  {
    name: 'watched-resource',
    uri: 'test://watched-resource',
    mimeType: 'text/plain',
    text: 'Someone follows this.',
  },
  {
    name: 'example-resource',
    uri: 'test://example-resource',
    mimeType: 'text/plain',
    text: 'A prompt refers to this.',
  },
]

export const resources: Resource[] = contents.map(({ name, uri, mimeType }) => ({
  name,
  uri,
  mimeType,
  description: `The ${name} of the suite`,
}))

export const templates: ResourceTemplateType[] = [
  {
    name: 'template',
    uriTemplate: 'test://template/{id}/data',
    mimeType: 'application/json',
    description: 'The template of the suite',
  },
]

/** Contents behind a URI of the suite. */
export function contentsOf(uri: string): Contents | undefined {
  const match = contents.find((content) => content.uri === uri)
  if (match) return (({ name, ...rest }) => rest)(match)
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  return {
    uri,
    mimeType: 'application/json',
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }
}
