import type { Module } from '../../core/operation.ts'
import * as labels from './labels.ts'

export const labelsModule: Module = {
  name: 'labels',
  about: 'Labels that the organization puts on tasks and other items. Nouns: label.',
  operations: Object.values(labels),
}
