import type { Module } from '../../operations/module.ts'
import * as labels from './labels.ts'
import { labelPresenters } from './presenter.ts'

export const labelsModule: Module = {
  name: 'labels',
  about: 'Labels of the organization for tasks and other items. Nouns: label.',
  operations: Object.values(labels),
  presenters: labelPresenters,
}
