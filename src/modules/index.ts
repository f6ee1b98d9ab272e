import type { Module } from '../core/operation.ts'
import { labelsModule } from './labels/index.ts'

/** Every module, written out; a test finds any operation that is left out. */
export const modules: readonly Module[] = [labelsModule]
