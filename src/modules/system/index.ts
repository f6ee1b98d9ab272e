import type { Module } from '../../core/operation.ts'
import * as tools from './tools.ts'

export const systemModule: Module = {
  name: 'system',
  about: 'The tools themselves: which there are, what they take and answer. Nouns: tool.',
  operations: Object.values(tools),
}
